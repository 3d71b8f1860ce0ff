import { Agent, type Dispatcher } from "undici";

/**
 * The moment at which a run is killed: at the first request of this method and path after `skipped` such requests,
 * before or after the API has carried it out.
 */
export interface Kill {
  /** Default: any. */
  readonly method?: string;
  readonly path: RegExp;
  readonly skipped?: number;
  readonly moment: "before" | "after";
}

/** The connections of a process that is killed at a request. From then on, it receives and sends nothing. */
export class KilledConnections {
  readonly dispatcher: Dispatcher;
  /** Resolves when the process is dead. */
  readonly death: Promise<void>;
  readonly #agent = new Agent();
  readonly #unanswered: Dispatcher.DispatchHandler[] = [];
  #state: "alive" | "dead" | "buried" = "alive";

  constructor({ method, path, skipped = 0, moment }: Kill) {
    let count = 0;
    let resolveDeath = (): void => undefined;
    this.death = new Promise((resolve) => (resolveDeath = resolve));
    const die = (handler: Dispatcher.DispatchHandler): void => {
      this.#state = "dead";
      this.#unanswered.push(handler);
      resolveDeath();
    };
    this.dispatcher = this.#agent.compose((dispatch) => (options, handler) => {
      const isSuch =
        this.#state === "alive" && (method ?? options.method) === options.method && path.test(options.path);
      const isHere = isSuch && ++count > skipped;
      if (this.#state === "buried") handler.onResponseError?.(nobody, new Error("buried"));
      else if (this.#state === "dead") this.#unanswered.push(handler);
      else if (!isHere) return dispatch(options, handler);
      else if (moment === "before") die(handler);
      else
        dispatch(
          options,
          silent(() => die(handler)),
        );
      return true;
    });
  }

  /** Releases what still waits, so that no timer outlives the test. */
  async bury(): Promise<void> {
    this.#state = "buried";
    for (const handler of this.#unanswered) handler.onResponseError?.(nobody, new Error("buried"));
    await this.#agent.destroy();
  }
}

const nobody = {} as Dispatcher.DispatchController;

/** Reads an answer that nobody gets. */
function silent(end: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart: () => undefined,
    onResponseStart: () => undefined,
    onResponseData: () => undefined,
    onResponseEnd: end,
    onResponseError: end,
  };
}
