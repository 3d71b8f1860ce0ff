import { Faults } from "./model/faults";
import { RateLimit } from "./model/rate-limit";
import { RequestLog } from "./model/records";
import { SimulatedClock } from "./model/time";
import { World } from "./model/world";
import type { Noun } from "./nouns/noun";
import { nounsOf } from "./nouns/registry";
import type { SimulatorSettings } from "./options";

/** The shared parts of the API's port and the control port. */
export class Simulation {
  readonly settings: SimulatorSettings;
  readonly clock: SimulatedClock;
  readonly nouns: readonly Noun[];
  readonly faults = new Faults();
  readonly requests = new RequestLog();
  #world: World;
  #rateLimit: RateLimit | undefined;

  /** `moreNouns`: for tests. */
  constructor(settings: SimulatorSettings, moreNouns: readonly Noun[] = []) {
    this.settings = settings;
    this.clock = new SimulatedClock(settings.clock);
    this.nouns = nounsOf(settings.dialect, moreNouns);
    this.#world = this.#newWorld();
    this.#rateLimit = this.#newRateLimit();
  }

  /** The state, with every effect applied whose time has come. */
  get world(): World {
    this.#world.applyDue();
    return this.#world;
  }

  get rateLimit(): RateLimit | undefined {
    return this.#rateLimit;
  }

  /** Makes everything as it was at the start, clock, prices, faults and request log too; the owner key and the seeded ids stay. */
  reset(): void {
    this.clock.reset();
    this.faults.clear();
    this.requests.clear();
    this.#world = this.#newWorld();
    this.#rateLimit = this.#newRateLimit();
  }

  #newWorld(): World {
    const { dialect, apiKey: ownerKey, operationTimeMs, lag } = this.settings;
    const world = new World({ clock: this.clock, dialect, ownerKey, operationTimeMs, models: this.nouns });
    world.lag = lag;
    return world;
  }

  #newRateLimit(): RateLimit | undefined {
    const { rateLimitPerSecond } = this.settings;
    return rateLimitPerSecond === undefined ? undefined : new RateLimit(this.clock, rateLimitPerSecond);
  }
}
