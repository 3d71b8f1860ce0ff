import { Agent, type Dispatcher } from "undici";

/** The point at which a run is killed: at the first request of this method and path, before the API has it or after it has acted. */
export interface Kill {
  readonly method: string;
  readonly path: RegExp;
  readonly moment: "before" | "after";
}

/** Connections of a process that is killed at one request: from there on it hears nothing more and says nothing more. */
export class KilledConnections {
  readonly dispatcher: Dispatcher;
  /** Resolves when the process is dead. */
  readonly death: Promise<void>;
  readonly #agent = new Agent();
  readonly #unanswered: Dispatcher.DispatchHandler[] = [];
  #state: "alive" | "dead" | "buried" = "alive";

  constructor({ method, path, moment }: Kill) {
    let resolveDeath = (): void => undefined;
    this.death = new Promise((resolve) => (resolveDeath = resolve));
    const die = (handler: Dispatcher.DispatchHandler): void => {
      this.#state = "dead";
      this.#unanswered.push(handler);
      resolveDeath();
    };
    this.dispatcher = this.#agent.compose((dispatch) => (options, handler) => {
      const isHere = options.method === method && path.test(options.path);
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

  /** Lets go of what still waits, so that no timer of it outlives the test. */
  async bury(): Promise<void> {
    this.#state = "buried";
    for (const handler of this.#unanswered) handler.onResponseError?.(nobody, new Error("buried"));
    await this.#agent.destroy();
  }
}

const nobody = {} as Dispatcher.DispatchController;

/** Reads an answer that nobody is told of. */
function silent(end: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart: () => undefined,
    onResponseStart: () => undefined,
    onResponseData: () => undefined,
    onResponseEnd: end,
    onResponseError: end,
  };
}
