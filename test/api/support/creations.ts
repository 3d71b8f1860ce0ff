import type { FakeService } from "./fake-service";

const LATENCY_MS = 20;

/** A run of the engine's that creates many objects. */
export interface Creations {
  readonly count: number;
  /** So many at a time. */
  readonly atATime: number;
  /** How long an operation takes. */
  readonly durationMs: number;
  /** By how much an operation may take more or less, as a part of that. */
  readonly jitter?: number;
  /** What the engine itself needs for a resource, one after the other. */
  readonly engineMs?: number;
}

/** What the waits of such a run came to. */
export interface Waits {
  readonly polls: number;
  /** From the end of an operation until its wait was over, the longest. */
  readonly longestDelayMs: number;
  /** The same on average: what all of them together make the run longer. */
  readonly meanDelayMs: number;
}

/** Lets the engine create so many objects: each is a POST, a wait for its operation, and a GET. */
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
      await clock.sleep(engineFreeAt - clock.now() + LATENCY_MS / 2);
      // Spread evenly, and not in the order in which they come.
      const spread = (((number * 37) % 100) / 100) * 2 - 1;
      const tookMs = durationMs * (1 + jitter * spread);
      const endsAt = clock.now() + tookMs;
      const operation = service.accept(`op-${number}`, tookMs);
      await clock.sleep(LATENCY_MS / 2);
      await service.waiter.wait(operation, { timeoutMs: 3_600_000 });
      delaysMs.push(clock.now() - endsAt);
      await clock.sleep(LATENCY_MS);
    }
  };
  const workers = Promise.all(Array.from({ length: atATime }, worker));
  await clock.run(3_600_000);
  await workers;
  return {
    polls: service.asked.length,
    longestDelayMs: Math.max(...delaysMs),
    meanDelayMs: delaysMs.reduce((a, b) => a + b, 0) / count,
  };
}
