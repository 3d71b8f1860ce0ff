import { Caller } from "../../../src/api/http/caller";
import { Credentials } from "../../../src/api/http/credentials";
import { RequestGate } from "../../../src/api/http/request-gate";
import { MAX_CONNECTIONS, type Attempt, type Transport } from "../../../src/api/http/transport";
import { EventClock } from "./event-clock";

/** How a service limits the rate of requests. */
export interface Limit {
  readonly perSecond: number;
  /** The number of requests that it accepts at once. */
  readonly burst: number;
  readonly latencyMs: number;
  /** If true, a refusal has Retry-After, in whole seconds, at least one. */
  readonly tellsWhen: boolean;
}

/** A service with a token bucket, and a client of it, on one clock. Each path is one call. */
export class LimitedService {
  readonly clock = new EventClock();
  /** The paths in the order in which they were sent, and accepted. */
  readonly sent: string[] = [];
  readonly taken: string[] = [];
  readonly caller: Caller;
  #left: number;
  #filledAt = this.clock.now();

  constructor(private readonly limit: Limit) {
    this.#left = limit.burst;
    const transport: Pick<Transport, "send"> = { send: (attempt) => this.#answer(attempt) };
    this.caller = new Caller({
      transport: transport as Transport,
      gate: new RequestGate({ capacity: MAX_CONNECTIONS, clock: this.clock }),
      credentials: new Credentials({ apiKey: "test-key", source: "test" }),
      clock: this.clock,
      random: () => 0.5,
      dialect: "spec",
      host: "api.example.com",
      baseUrl: "https://api.example.com",
      requestTimeoutMs: 30_000,
    });
  }

  get refused(): number {
    return this.sent.length - this.taken.length;
  }

  async #answer({ target }: Attempt) {
    const { latencyMs, perSecond, tellsWhen } = this.limit;
    this.sent.push(target);
    await this.clock.sleep(latencyMs / 2);
    const isTaken = this.#take();
    if (isTaken) this.taken.push(target);
    await this.clock.sleep(latencyMs / 2);
    if (isTaken) return { status: 200, headers: {}, text: "{}" };
    const seconds = Math.max(1, Math.ceil((1 - this.#left) / perSecond));
    return { status: 429, headers: tellsWhen ? { "retry-after": String(seconds) } : {}, text: "{}" };
  }

  #take(): boolean {
    const now = this.clock.now();
    const { perSecond, burst } = this.limit;
    this.#left = Math.min(burst, this.#left + ((now - this.#filledAt) / 1000) * perSecond);
    this.#filledAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
