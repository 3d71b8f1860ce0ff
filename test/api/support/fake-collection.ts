import { CollectionReader, ReadTally, type Listable } from "../../../src/api/lists/collection-reader";
import { NotFoundError } from "../../../src/api/errors";
import { EventClock } from "./event-clock";
import { response } from "./fake-service";

/** The latency of each answer. */
const LATENCY_MS = 20;
const PAGE_SIZE = 100;

/** An object, with the time of the answer that showed it. */
export interface ReadObject extends Listable {
  readonly status: string;
  readonly answeredAt: number;
}

/** A collection in the order of its list, and the requests that it has got: `GET 7`, `page 1`. */
export class FakeCollection {
  readonly clock = new EventClock();
  readonly requests: string[] = [];
  /** The ids of objects that are not ready. */
  readonly statuses = new Map<string, string>();
  /** The error that all pages fail with, if set. */
  pageFailure: Error | undefined;
  changes = 0;
  readonly reader: CollectionReader<ReadObject>;

  constructor(
    readonly ids: string[],
    tally = new ReadTally(),
  ) {
    this.reader = new CollectionReader<ReadObject>({
      clock: this.clock,
      get: (id) => this.#get(id),
      pages: () => this.#pages(),
      changes: () => this.changes,
      tally,
    });
  }

  /** Reads the objects, this many at once, as the engine does. Undefined for an object that does not exist. */
  async read(ids: readonly string[], atATime = 8): Promise<(ReadObject | undefined)[]> {
    const results: (ReadObject | undefined)[] = [];
    const queue = ids.entries();
    const worker = async (): Promise<void> => {
      for (const [index, id] of queue) {
        results[index] = await this.reader.read(id).catch((error: unknown) => {
          if (error instanceof NotFoundError) return undefined;
          throw error;
        });
      }
    };
    const workers = Promise.all(Array.from({ length: atATime }, worker));
    await this.clock.run(3_600_000);
    await workers;
    return results;
  }

  /** The number of calls of each sort. */
  get calls(): { readonly pages: number; readonly gets: number } {
    const pages = this.requests.filter((request) => request.startsWith("page")).length;
    return { pages, gets: this.requests.length - pages };
  }

  async #get(id: string): Promise<ReadObject> {
    this.requests.push(`GET ${id}`);
    await this.clock.sleep(LATENCY_MS);
    if (!this.ids.includes(id)) throw new NotFoundError({ ...response, status: 404 });
    return this.#tell(id);
  }

  async *#pages(): AsyncGenerator<{ items: ReadObject[]; next: string | undefined }> {
    for (let page = 1, from = 0; ; page += 1, from += PAGE_SIZE) {
      this.requests.push(`page ${page}`);
      const items = this.ids.slice(from, from + PAGE_SIZE).map((id) => this.#tell(id));
      await this.clock.sleep(LATENCY_MS);
      if (this.pageFailure) throw this.pageFailure;
      yield { items, next: from + PAGE_SIZE < this.ids.length ? `cursor ${page}` : undefined };
    }
  }

  #tell(id: string): ReadObject {
    return { id, status: this.statuses.get(id) ?? "ready", answeredAt: this.clock.now() };
  }
}

/** This number of ids. */
export function idsOf(count: number, prefix = ""): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}
