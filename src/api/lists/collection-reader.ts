import type { Clock } from "../../process/clock";
import type { CallOptions } from "../http/request";
import { CloudinfraError } from "../errors/cloudinfra-error";
import type { Page } from "./list-pages";
import { idKey } from "../same-id";
import { isTransitional } from "../schema";

/** How long the first read waits for others: the engine sends several reads of a refresh at a time. */
const GATHERING_MS = 20;
/** The greatest age of a list entry: short enough for a refresh of some minutes, and long enough to use a page up. */
const FRESH_MS = 30_000;
/** The most calls that may be spent on useless pages: one, and one for so many reads. */
const READS_PER_GAMBLE = 10;
/** A list that hangs must not stop single reads. */
const PAGE_DEADLINE_MS = 15_000;

export interface Listable {
  readonly id: string;
  readonly status?: unknown;
}

export interface CollectionSource<T extends Listable> {
  readonly clock: Clock;
  get(id: string, call?: CallOptions): Promise<T>;
  /** The pages of the list. An entry of the wrong form is left out, and its own GET shows the fault. */
  pages(call: CallOptions): AsyncIterator<Page<T>>;
  /** A number that changes with each change by this client. */
  changes(): number;
  /** Of all collections of the client. */
  readonly tally: ReadTally;
}

/** One pass through the list, as far as necessary. */
interface Listing<T> {
  readonly pages: AsyncIterator<Page<T>>;
  /** By `idKey`, like all ids here. */
  readonly entries: Map<string, { readonly entry: T; readonly at: number }>;
  /** What was asked for already, and for whom. An object that is asked for again is read again. */
  readonly asked: Set<string>;
  readonly changes: number;
  isComplete: boolean;
  fetching: Promise<void> | undefined;
}

/**
 * Reads single objects of one collection with few calls. It does not know how many reads will come. So it fetches the list page
 * by page, at most one page for each read, and only as long as that pays: `n` reads never take more than `n` + 1 + `n` / 10
 * calls. A single read is a GET, unless so many objects of other collections are read that more of this one will come: then the
 * list comes first, and a page that was useless stops that.
 *
 * It asks by GET for an object that is not on a page, because only a GET can say that an object is gone. It does not ask again
 * for a list that was refused.
 */
export class CollectionReader<T extends Listable> {
  #listing: Listing<T> | undefined;
  #isListRefused = false;
  #reads = 0;
  #pages = 0;
  #found = 0;

  constructor(private readonly source: CollectionSource<T>) {}

  /**
   * The object, at most 30 s old, and never older than a change by this client. Rejects as GET. `asker` is the object that it is
   * read for as a part: it and the object's own resource may share an entry of a list.
   */
  async read(id: string, call?: CallOptions, asker = ""): Promise<T> {
    return (await this.#listed(idKey(id), asker)) ?? (await this.source.get(id, call));
  }

  async #listed(id: string, asker: string): Promise<T | undefined> {
    this.#reads += 1;
    this.source.tally.noteRead();
    const isFirst = this.#reads === 1;
    if (isFirst) await this.source.clock.sleep(GATHERING_MS);
    const question = `${id} ${asker}`;
    const listing = this.#listingFor(id, question);
    listing.asked.add(question);
    await this.#fetchUntil(listing, id);
    const entry = listing.entries.get(id)?.entry;
    if (isFirst && this.#pages > 0 && !entry) this.source.tally.noteMiss();
    // An object on its way to another status may have changed by now. Or this client has changed something meanwhile.
    if (!entry || isTransitional(entry) || listing.changes !== this.source.changes()) return undefined;
    this.#found += 1;
    return entry;
  }

  /** The present pass through the list, or a new one if that could show an old object. */
  #listingFor(id: string, question: string): Listing<T> {
    const { clock } = this.source;
    const changes = this.source.changes();
    const known = this.#listing;
    const at = known?.entries.get(id)?.at ?? Infinity;
    if (known?.changes === changes && !known.asked.has(question) && clock.now() - at <= FRESH_MS) return known;
    const pages = this.source.pages({ deadlineMs: PAGE_DEADLINE_MS });
    const asked = new Set<string>();
    return (this.#listing = { pages, entries: new Map(), asked, changes, isComplete: false, fetching: undefined });
  }

  /**
   * Until the object is found, or further pages do not pay. Each read fetches one page itself, and waits for the pages of
   * others.
   */
  async #fetchUntil(listing: Listing<T>, id: string): Promise<void> {
    let hasTurned = false;
    while (!listing.entries.has(id)) {
      if (listing.fetching === undefined) {
        if (hasTurned || !this.#isWorthAPage(listing)) return;
        hasTurned = true;
        listing.fetching = this.#fetchPage(listing);
      }
      await listing.fetching;
    }
  }

  #isWorthAPage({ isComplete }: Listing<T>): boolean {
    if (isComplete || this.#isListRefused) return false;
    if (this.#reads === 1) return this.source.tally.isRefresh;
    return this.#pages <= this.#found + this.#reads / READS_PER_GAMBLE;
  }

  async #fetchPage(listing: Listing<T>): Promise<void> {
    const at = this.source.clock.now();
    this.#pages += 1;
    try {
      const turned = await listing.pages.next();
      const page = turned.done === true ? undefined : turned.value;
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

/** The fewest reads that make a refresh. */
const FEWEST_READS = 4;
/** The most first pages without the object that was sought: one for so many reads. */
const READS_PER_MISS = 10;

/** What the reads of all collections of one client have come to. */
export class ReadTally {
  #reads = 0;
  #misses = 0;

  noteRead(): void {
    this.#reads += 1;
  }

  /** A page that was fetched for the first read of a collection did not have the object. */
  noteMiss(): void {
    this.#misses += 1;
  }

  /** Whether the first read of a collection is probably not the last, because so many objects are read: a refresh. */
  get isRefresh(): boolean {
    return this.#reads >= FEWEST_READS && this.#misses <= this.#reads / READS_PER_MISS;
  }
}
