import { CloudinfraError } from "../errors/cloudinfra-error";
import { isTransitional } from "../schema";
import { idKey } from "../../definition/same-id";
import type { CallOptions } from "../http/request";
import type { Clock } from "../../process/clock";
import { PAGE_DEADLINE_MS, type Listable } from "./collection-reader";

interface NewObjectSource<T extends Listable> {
  readonly clock: Clock;
  get(id: string, call?: CallOptions): Promise<T>;
  /** One page, with the newest objects first if the API sorts. An entry of the wrong form is left out. */
  newest(call: CallOptions): Promise<readonly T[]>;
}

/**
 * Reads objects whose creation has just ended. Several at the same moment share one list. An object that the list does not show as
 * ready is read by GET, because lists may lag behind. After a list without any of the objects, this collection no longer uses lists.
 */
export class NewObjectReader<T extends Listable> {
  #batch: { readonly ids: string[]; readonly entries: Promise<ReadonlyMap<string, T>> } | undefined;
  #isListUseless = false;

  constructor(private readonly source: NewObjectSource<T>) {}

  /** Rejects as a GET does. */
  async read(id: string, call?: CallOptions): Promise<T> {
    return (await this.readIfReady(id)) ?? this.source.get(id, call);
  }

  /** For an object whose creation may not have ended. Undefined if no list shows it as ready, or if it is the only one to read. */
  async readIfReady(id: string): Promise<T | undefined> {
    const entry = this.#isListUseless ? undefined : (await this.#gathered(idKey(id))).get(idKey(id));
    return entry && !isTransitional(entry) ? entry : undefined;
  }

  /** The entries of the list that reads at the same moment share. Empty for a single read. */
  #gathered(id: string): Promise<ReadonlyMap<string, T>> {
    if (this.#batch === undefined) {
      const ids: string[] = [];
      this.#batch = { ids, entries: this.#gather(ids) };
    }
    this.#batch.ids.push(id);
    return this.#batch.entries;
  }

  async #gather(ids: readonly string[]): Promise<ReadonlyMap<string, T>> {
    await this.source.clock.sleep(0);
    this.#batch = undefined;
    if (ids.length === 1) return new Map();
    const entries = await this.#list();
    this.#isListUseless ||= !ids.some((id) => entries.has(id));
    return entries;
  }

  async #list(): Promise<ReadonlyMap<string, T>> {
    try {
      const newest = await this.source.newest({ deadlineMs: PAGE_DEADLINE_MS });
      return new Map(newest.map((entry) => [idKey(entry.id), entry]));
    } catch (error) {
      if (!(error instanceof CloudinfraError)) throw error;
      // If the GETs that follow have the same problem, they report it.
      return new Map();
    }
  }
}
