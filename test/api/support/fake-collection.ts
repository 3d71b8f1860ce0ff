import { CollectionReader, ReadTally, type Listable } from "../../../src/api/lists/collection-reader";
import { NotFoundError } from "../../../src/api/errors";
import { EventClock } from "./event-clock";
import { response } from "./fake-service";

/** How long the service takes for any answer. */
const LATENCY_MS = 20;
const PAGE_SIZE = 100;

/** An object, with the moment at which the service told of it. */
export interface Told extends Listable {
  readonly status: string;
  readonly toldAt: number;
}

/** A collection in the order of its list, and what it was asked for: `GET 7`, `page 1`. */
export class FakeCollection {
  readonly clock = new EventClock();
  readonly asked: string[] = [];
  /** Of objects that are not ready. */
  readonly statuses = new Map<string, string>();
  /** What pages fail with from now on. */
  pageFailure: Error | undefined;
  changes = 0;
  readonly reader: CollectionReader<Told>;

  constructor(
    readonly ids: string[],
    tally = new ReadTally(),
  ) {
    this.reader = new CollectionReader<Told>({
      clock: this.clock,
      get: (id) => this.#get(id),
      pages: () => this.#pages(),
      changes: () => this.changes,
      tally,
    });
  }

  /** Reads each, so many at a time, as the engine does: `undefined` for what is not there. */
  async read(ids: readonly string[], atATime = 8): Promise<(Told | undefined)[]> {
    const results: (Told | undefined)[] = [];
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

  /** How many calls of each sort have come. */
  get calls(): { readonly pages: number; readonly gets: number } {
    const pages = this.asked.filter((question) => question.startsWith("page")).length;
    return { pages, gets: this.asked.length - pages };
  }

  async #get(id: string): Promise<Told> {
    this.asked.push(`GET ${id}`);
    await this.clock.sleep(LATENCY_MS);
    if (!this.ids.includes(id)) throw new NotFoundError({ ...response, status: 404 });
    return this.#tell(id);
  }

  async *#pages(): AsyncGenerator<{ items: Told[]; next: string | undefined }> {
    for (let page = 1, from = 0; ; page += 1, from += PAGE_SIZE) {
      this.asked.push(`page ${page}`);
      const items = this.ids.slice(from, from + PAGE_SIZE).map((id) => this.#tell(id));
      await this.clock.sleep(LATENCY_MS);
      if (this.pageFailure) throw this.pageFailure;
      yield { items, next: from + PAGE_SIZE < this.ids.length ? `cursor ${page}` : undefined };
    }
  }

  #tell(id: string): Told {
    return { id, status: this.statuses.get(id) ?? "ready", toldAt: this.clock.now() };
  }
}

/** So many ids. */
export function idsOf(count: number, prefix = ""): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}
