import { PHASES, PROGRAMS } from "./round.mjs";

/** What a run of the engine takes without resources, and what a resource adds to it on two cores: good enough to begin with. */
const [BARE_MS, RESOURCE_MS] = [2500, 15];
/** The engine writes the whole state after each step, and that of a plain provider is larger. */
const STATE_MS = { package: 0.15, floor: 0.1, plain: 0.3 };
/** What an operation of the API holds one of the engine's hands for. */
const OPERATION_MS = 1200;

/** How long a comparison takes yet: from what runs have taken so far, and from a guess if none of a kind was made. */
export class TimeLeft {
  #runs;
  #took = new Map();
  #parallel;

  /** `sizes` are `{ resources, runs, programs }` in the order in which they are measured. */
  constructor(sizes, parallel) {
    this.#parallel = parallel;
    this.#runs = sizes.flatMap(({ resources, runs, programs = PROGRAMS }) =>
      Array.from({ length: runs }, () =>
        PHASES.flatMap((phase) => programs.map((program) => ({ resources, phase, program }))),
      ).flat(),
    );
  }

  /** The next run begins: `[what it takes, what comes after it]`, in milliseconds. */
  before(resources, phase, program) {
    this.#runs.shift();
    const laterMs = this.#runs.reduce((sum, run) => sum + this.#expectedMs(run), 0);
    return [this.#expectedMs({ resources, phase, program }), laterMs];
  }

  /** A run has taken so long. */
  took(resources, phase, program, wallMs) {
    this.#took.set(`${resources} ${phase} ${program}`, wallMs);
  }

  #expectedMs({ resources, phase, program }) {
    const tookMs = this.#took.get(`${resources} ${phase} ${program}`);
    if (tookMs !== undefined) return tookMs;
    const bareMs = BARE_MS + resources * RESOURCE_MS;
    if (!["up", "destroy"].includes(phase)) return bareMs;
    const waitMs = program === "floor" ? 0 : Math.ceil(resources / this.#parallel) * OPERATION_MS;
    return bareMs + waitMs + resources ** 2 * STATE_MS[program];
  }
}
