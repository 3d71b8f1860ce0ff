import type { FaultRequest } from "../schemas/faults";

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
  meet(method: string, path: string): FaultRequest | undefined {
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
