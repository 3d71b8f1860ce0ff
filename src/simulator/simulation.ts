import { Faults } from "./model/faults";
import { RateLimit } from "./model/rate-limit";
import { RequestLog } from "./model/records";
import { SimulatedClock } from "./model/time";
import { World } from "./model/world";
import type { Noun } from "./nouns/noun";
import { nounsOf } from "./nouns/noun-registry";
import type { SimulatorSettings } from "./options";

/** The state that the API's port and the control port share. */
export class Simulation {
  readonly clock: SimulatedClock;
  readonly nouns: readonly Noun[];
  readonly faults = new Faults();
  readonly requests = new RequestLog();
  readonly rateLimit: RateLimit;
  #world: World;

  constructor(readonly settings: SimulatorSettings) {
    this.clock = new SimulatedClock(settings.clock);
    this.nouns = nounsOf(settings.dialect);
    this.rateLimit = new RateLimit(this.clock, settings.rateLimitPerSecond);
    this.#world = new World(this.clock, this.nouns, settings);
  }

  /** The state, after every due effect has been applied. */
  get world(): World {
    this.#world.applyDue();
    return this.#world;
  }

  /**
   * Restores the initial state, including the clock, prices, faults and request log. The owner key and the seeded ids
   * stay.
   */
  reset(): void {
    this.clock.reset();
    this.faults.clear();
    this.requests.clear();
    this.rateLimit.clear();
    this.#world = new World(this.clock, this.nouns, this.settings);
  }
}
