import type { FakeService } from "./fake-service";

const LATENCY_MS = 20;

/** A run of the engine that creates many objects. */
export interface Creations {
  readonly count: number;
  /** How many the engine creates at once. */
  readonly atATime: number;
  /** How long an operation takes. */
  readonly durationMs: number;
  /** The variation of an operation's time, as a fraction of it. */
  readonly jitter?: number;
  /** The engine's own time for each resource, in sequence. */
  readonly engineMs?: number;
}

/** What the waits of the run show. */
export interface Waits {
  readonly polls: number;
  /** The longest time between the end of an operation and the end of its wait. */
  readonly longestDelayMs: number;
  /** The average of that time, by which polling prolongs the run. */
  readonly meanDelayMs: number;
}

/** Creates the objects as the engine does: for each a POST, a wait for its operation, and a GET. */
export async function waitsOf(service: FakeService, run: Creations): Promise<Waits> {
  const { count, atATime, durationMs, jitter = 0, engineMs = 25 } = run;
  const { clock } = service;
  service.latencyMs = LATENCY_MS;
  const delaysMs: number[] = [];
  let engineFreeAt = clock.now();
  const numbers = Array.from({ length: count }, (_, index) => index).values();
  const worker = async (): Promise<void> => {
    for (const number of numbers) {
      engineFreeAt = Math.max(clock.now(), engineFreeAt) + engineMs;
      await clock.sleep(engineFreeAt - clock.now());
      const sentAt = clock.now();
      await clock.sleep(LATENCY_MS / 2);
      // Spread evenly, but not in ascending order.
      const spread = (((number * 37) % 100) / 100) * 2 - 1;
      const tookMs = durationMs * (1 + jitter * spread);
      const endsAt = clock.now() + tookMs;
      const operation = service.accept(`op-${number}`, tookMs);
      await clock.sleep(LATENCY_MS / 2);
      await service.waiter.wait(operation, { timeoutMs: 3_600_000, sentAt });
      delaysMs.push(clock.now() - endsAt);
      await clock.sleep(LATENCY_MS);
    }
  };
  const workers = Promise.all(Array.from({ length: atATime }, worker));
  await clock.run(3_600_000);
  await workers;
  return {
    polls: service.requests.length,
    longestDelayMs: Math.max(...delaysMs),
    meanDelayMs: delaysMs.reduce((a, b) => a + b, 0) / count,
  };
}
