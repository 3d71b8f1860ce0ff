import type { OperationFault } from "./operations";

export interface FaultEffects {
  /** Answers with this status before the handler runs. */
  readonly status?: number | undefined;
  /**
   * Answers with this status and an HTML page, as a server in front of the service does: the request never reached the
   * service.
   */
  readonly ingress?: number | undefined;
  /** Delays the answer. The request takes effect at once. */
  readonly delayMs?: number | undefined;
  /** Cuts the connection before or after the effect. */
  readonly drop?: "before" | "after" | undefined;
  /** Sends only this number of bytes of the body, or half of it, and cuts the connection. */
  readonly truncate?: number | true | undefined;
  /** How the operation that the request starts ends. */
  readonly operation?: OperationFault | undefined;
  /** Headers added to the answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the answer's body. */
  readonly body?: string | undefined;
}

/** A fault as requested: which requests it matches, and how often. */
export interface FaultRequest extends FaultEffects {
  readonly method?: string | undefined;
  /** Tested on the path without its query. */
  readonly path: RegExp;
  readonly times?: number | undefined;
  /** Every nth matching request, until the fault is deleted. */
  readonly every?: number | undefined;
}

interface ArmedFault {
  readonly request: FaultRequest;
  seen: number;
  fired: number;
}

/** The faults that the control port has set. */
export class Faults {
  #armed: ArmedFault[] = [];

  add(request: FaultRequest): void {
    this.#armed.push({ request, seen: 0, fired: 0 });
  }

  clear(): void {
    this.#armed = [];
  }

  /** The current faults, each with the number of requests that it has matched and hit. */
  list(): readonly Readonly<ArmedFault>[] {
    return this.#armed;
  }

  /** Returns the fault for a request. A request uses up at most one fault. */
  meet(method: string, path: string): FaultEffects | undefined {
    for (const armed of this.#armed) {
      const { request } = armed;
      if ((request.method !== undefined && request.method !== method) || !request.path.test(path)) continue;
      armed.seen += 1;
      if (request.every !== undefined && armed.seen % request.every !== 0) continue;
      armed.fired += 1;
      if (request.every === undefined && armed.fired >= (request.times ?? 1)) {
        this.#armed = this.#armed.filter((other) => other !== armed);
      }
      return request;
    }
    return undefined;
  }
}
