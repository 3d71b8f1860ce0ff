import { keptText } from "./kept-text";

/** A request as the control port shows it: no query, body or credential. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  /** The status of the answer; 0 as long as there is none, and for ever where the connection was cut. */
  status: number;
}

const keptRequests = 100_000;

/** How many more there may be before they are cut, so that it is not done with each. */
const slack = 10_000;

/** The requests in the order of their arrival; the oldest are forgotten where there are very many. */
export class RequestLog {
  #requests: LoggedRequest[] = [];

  /** How many are kept, some more than are listed. */
  get size(): number {
    return this.#requests.length;
  }

  add(method: string, path: string): LoggedRequest {
    const entry: LoggedRequest = { method, path: keptText(path), status: 0 };
    this.#requests.push(entry);
    if (this.#requests.length >= keptRequests + slack) this.#requests = this.#requests.slice(-keptRequests);
    return entry;
  }

  list(): readonly LoggedRequest[] {
    return this.#requests.slice(-keptRequests);
  }

  clear(): void {
    this.#requests = [];
  }
}
