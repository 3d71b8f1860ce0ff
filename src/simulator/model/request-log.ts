import { keptText } from "./kept-text";
import { RingBuffer } from "./ring-buffer";

/** A request as the control port shows it: no query, body or credential. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  /** The status of the answer. 0 until there is one, and for ever if the connection was cut. */
  status: number;
}

const keptRequests = 100_000;

/** The requests in the order of their arrival. If there are very many, the oldest are dropped. */
export class RequestLog {
  #requests = new RingBuffer<LoggedRequest>(keptRequests);

  add(method: string, path: string): LoggedRequest {
    const entry: LoggedRequest = { method, path: keptText(path), status: 0 };
    this.#requests.add(entry);
    return entry;
  }

  /** The kept requests, oldest first. */
  list(): readonly LoggedRequest[] {
    return this.#requests.list();
  }

  clear(): void {
    this.#requests = new RingBuffer(keptRequests);
  }
}
