import type { Clock } from "../../time/clock";
import type { CallOptions } from "../http/request";
import { CloudinfraError } from "../errors/cloudinfra-error";
import type { Page } from "./list-pages";
import { idKey } from "../../definition/same-id";
import { isTransitional } from "../schema";

/**
 * How long the first read waits for others: several come at a time, from the engine or because one poll ends their
 * operations.
 */
const GATHERING_MS = 20;
/**
 * The greatest age of a list entry: short enough for a refresh of some minutes, and long enough to use all entries of a
 * page.
 */
const FRESH_MS = 30_000;
/** For each 10 reads, the reader may fetch one useless page, and one more at the beginning. */
const READS_PER_EXTRA_PAGE = 10;
/** A slow list must not hold up single reads and creations. */
const PAGE_DEADLINE_MS = 15_000;

export interface Listable {
  readonly id: string;
  readonly status?: unknown;
  readonly updated_at?: unknown;
}

interface CollectionSource<T extends Listable> {
  readonly clock: Clock;
  get(id: string, options?: CallOptions): Promise<T>;
  /** The pages of the list. An entry of the wrong form is left out, and the GET of the object reports the fault. */
  pages(options: CallOptions): AsyncIterator<Page<T>>;
  /** A number that grows with each change by this client. */
  changes(): number;
  /** Shared by all collections of the client. */
  readonly tally: ReadTally;
}

/** One pass through the list. It stops when no further page is needed. */
interface Listing<T> {
  readonly pages: AsyncIterator<Page<T>>;
  /** The key is the object's `idKey`. */
  readonly entries: Map<string, { readonly entry: T; readonly at: number }>;
  /** The reads so far, by id and parent. If a read comes again, the object is read again. */
  readonly readKeys: Set<string>;
  readonly changes: number;
  isComplete: boolean;
  fetching: Promise<void> | undefined;
}

/**
 * Reads single objects of one collection with few calls. It does not know how many reads will come. So it fetches the
 * list page by page, at most one page for each read, and only as long as that saves calls: `n` reads never take more
 * than `n` + 1 + `n` / 10 calls. The first read of a collection is a GET. It fetches a page first if many objects of
 * other collections are read, which means a refresh, and as long as few such pages were useless.
 *
 * An object that is on no page is read by GET, because only a GET proves that it no longer exists. A list that was
 * refused is not asked for again.
 */
export class CollectionReader<T extends Listable> {
  #listing: Listing<T> | undefined;
  #isListRefused = false;
  #reads = 0;
  #pages = 0;
  #found = 0;

  constructor(private readonly source: CollectionSource<T>) {}

  /**
   * The object, at most 30 s old, and never older than a change by this client. Rejects as a GET does. `parentId` is
   * the object of which this one is read as a part. The same list entry may also serve the read by the object's own
   * resource.
   */
  async read(id: string, options?: CallOptions, parentId = ""): Promise<T> {
    return (await this.#listed(idKey(id), parentId)) ?? (await this.source.get(id, options));
  }

  async #listed(id: string, parentId: string): Promise<T | undefined> {
    this.#reads += 1;
    this.source.tally.countRead();
    const isFirst = this.#reads === 1;
    if (isFirst) await this.source.clock.sleep(GATHERING_MS);
    const readKey = `${id} ${parentId}`;
    const listing = this.#listingFor(id, readKey);
    listing.readKeys.add(readKey);
    await this.#fetchUntil(listing, id);
    const entry = listing.entries.get(id)?.entry;
    if (isFirst && this.#pages > 0 && !entry) this.source.tally.countMiss();
    // Not for an object whose status changes by itself, and not if this client has changed something meanwhile.
    if (!entry || isTransitional(entry) || listing.changes !== this.source.changes()) return undefined;
    this.#found += 1;
    return entry;
  }

  /** The present pass through the list, or a new one if the present one may be out of date. */
  #listingFor(id: string, readKey: string): Listing<T> {
    const { clock } = this.source;
    const changes = this.source.changes();
    const known = this.#listing;
    const at = known?.entries.get(id)?.at ?? Infinity;
    if (known?.changes === changes && !known.readKeys.has(readKey) && clock.now() - at <= FRESH_MS) return known;
    const pages = this.source.pages({ deadlineMs: PAGE_DEADLINE_MS });
    const readKeys = new Set<string>();
    return (this.#listing = { pages, entries: new Map(), readKeys, changes, isComplete: false, fetching: undefined });
  }

  /**
   * Fetches pages until the object is found, or until further pages save no calls. Each read fetches at most one page
   * itself, and waits for the pages of other reads.
   */
  async #fetchUntil(listing: Listing<T>, id: string): Promise<void> {
    let hasFetched = false;
    while (!listing.entries.has(id)) {
      if (listing.fetching === undefined) {
        if (hasFetched || !this.#isWorthAPage(listing)) return;
        hasFetched = true;
        listing.fetching = this.#fetchPage(listing);
      }
      await listing.fetching;
    }
  }

  #isWorthAPage({ isComplete }: Listing<T>): boolean {
    if (isComplete || this.#isListRefused) return false;
    if (this.#reads === 1) return this.source.tally.isRefresh;
    return this.#pages <= this.#found + this.#reads / READS_PER_EXTRA_PAGE;
  }

  async #fetchPage(listing: Listing<T>): Promise<void> {
    const at = this.source.clock.now();
    this.#pages += 1;
    try {
      const result = await listing.pages.next();
      const page = result.done === true ? undefined : result.value;
      listing.isComplete = page?.next === undefined;
      for (const entry of page?.items ?? []) listing.entries.set(idKey(entry.id), { entry, at });
    } catch (error) {
      if (!(error instanceof CloudinfraError)) throw error;
      // If the following GETs have the same problem, they report it.
      this.#isListRefused = true;
    } finally {
      listing.fetching = undefined;
    }
  }
}

/** This many reads in a client mean a refresh. */
const FEWEST_READS = 4;
/** The most useless first pages: one for each 10 reads. */
const READS_PER_MISS = 10;

/** Counts the reads of all collections of one client. */
export class ReadTally {
  #reads = 0;
  #misses = 0;

  countRead(): void {
    this.#reads += 1;
  }

  /** Counts a page that was fetched for the first read of a collection and did not have the object. */
  countMiss(): void {
    this.#misses += 1;
  }

  /**
   * True if many objects are read, which means a refresh: after the first read of a collection, more will probably
   * follow.
   */
  get isRefresh(): boolean {
    return this.#reads >= FEWEST_READS && this.#misses <= this.#reads / READS_PER_MISS;
  }
}

interface NewObjectSource<T extends Listable> {
  readonly clock: Clock;
  get(id: string, options?: CallOptions): Promise<T>;
  /** One page, with the newest objects first if the API sorts. An entry of the wrong form is left out. */
  newest(options: CallOptions): Promise<readonly T[]>;
}

/**
 * Reads objects whose creation has just ended. Several at the same moment share one list. An object that the list does
 * not show as ready is read by GET, because lists may lag behind. After a list without any of the objects, this
 * collection no longer uses lists.
 */
export class NewObjectReader<T extends Listable> {
  #batch: { readonly ids: string[]; readonly entries: Promise<ReadonlyMap<string, T>> } | undefined;
  #isListUseless = false;

  constructor(private readonly source: NewObjectSource<T>) {}

  /** Rejects as a GET does. */
  async read(id: string, options?: CallOptions): Promise<T> {
    return (await this.readIfReady(id)) ?? this.source.get(id, options);
  }

  /**
   * For an object whose creation may not have ended. Undefined if no list shows it as ready, or if it is the only one
   * to read.
   */
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
