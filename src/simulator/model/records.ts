import type { AuditLog } from "../schemas/answers";
import { Table } from "./table";

const keptCharacters = 256;

/**
 * The beginning of a text from a request, as a copy, because it outlives the request. A slice would keep the whole text
 * in memory.
 */
export function keptText(text: string): string {
  return Buffer.from(text.slice(0, keptCharacters)).toString();
}

/** The latest of many values. If the buffer is full, a new value replaces the oldest. */
export class RingBuffer<T> {
  readonly #values: T[] = [];
  #oldest = 0;

  constructor(private readonly capacity: number) {}

  /** Adds a value, and returns the removed one. Undefined if there is room. */
  add(value: T): T | undefined {
    if (this.#values.length < this.capacity) {
      this.#values.push(value);
      return undefined;
    }
    const removed = this.#values[this.#oldest];
    this.#values[this.#oldest] = value;
    this.#oldest = (this.#oldest + 1) % this.capacity;
    return removed;
  }

  list(): readonly T[] {
    return [...this.#values.slice(this.#oldest), ...this.#values.slice(0, this.#oldest)];
  }
}

/** A request as the control port shows it, without query, body and credential. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  /** The status of the answer. 0 until there is one; stays 0 if the connection was cut. */
  status: number;
}

/** Each history has at most this number of records. */
export const kept = 100_000;

/** The requests in the order of arrival. Above a limit, the oldest are dropped. */
export class RequestLog {
  #requests = new RingBuffer<LoggedRequest>(kept);

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
    this.#requests = new RingBuffer(kept);
  }
}

/** The audit logs of section 2.4, all in one partition. Above a limit, the oldest are dropped. */
export class AuditLogs extends Table<AuditLog> {
  readonly #ids = new RingBuffer<string>(kept);

  constructor() {
    super(() => "");
  }

  override insert(log: AuditLog): void {
    super.insert(log);
    const forgotten = this.#ids.add(log.id);
    if (forgotten !== undefined) this.remove(forgotten);
  }
}
