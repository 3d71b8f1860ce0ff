import type { Clock } from "../../clock";
import type { CallOptions } from "../http/request";
import { CloudinfraError } from "../errors/cloudinfra-error";
import type { Page } from "./list-pages";
import { idKey } from "../same-id";
import { isTransitional } from "../operations/lasting-status";

/** How long the first read waits for company: the engine sends the reads of a refresh several at a time. */
const GATHERING_MS = 20;
/** How old a list entry may be: no older than what else a refresh of some minutes shows, and long enough to use a page up. */
const FRESH_MS = 30_000;
/** How many calls more than by GET may be spent on pages that turn out to be of no use: one, and one for so many reads. */
const READS_PER_GAMBLE = 10;
/** A list that hangs must not keep the reads from being made one by one. */
const PAGE_DEADLINE_MS = 15_000;

/** What is in a collection. */
export interface Listable {
  readonly id: string;
  readonly status?: unknown;
}

/** How a collection is read. */
export interface CollectionSource<T extends Listable> {
  readonly clock: Clock;
  get(id: string, call?: CallOptions): Promise<T>;
  /** Page after page. An entry that is not as it should be is left out: its own GET tells what is wrong with it. */
  pages(call: CallOptions): AsyncIterator<Page<T>>;
  /** Another number after each change that this client makes. */
  changes(): number;
}

/** One way through the list, as far as it was needed. */
interface Listing<T> {
  readonly pages: AsyncIterator<Page<T>>;
  /** By `idKey`, as all ids here. */
  readonly entries: Map<string, { readonly entry: T; readonly at: number }>;
  /** The objects that were asked for already. An object that is asked for again is read anew. */
  readonly asked: Set<string>;
  readonly changes: number;
  isComplete: boolean;
  /** The page that is under way. */
  turning: Promise<void> | undefined;
}

/**
 * Reads single objects of one collection, many of them by few calls. Nobody says how many reads will come, so pages of the list
 * are fetched one by one as reads ask for what was not on the earlier ones, a page for each of them at most, and only while
 * they pay: the calls of `n` reads are never more than `n` + 1 + `n` / 10. A lone read is a GET.
 *
 * What is not on a page is asked for by GET, so that only a GET says that something is gone. A list that cannot be had is
 * not asked for again.
 */
export class CollectionReader<T extends Listable> {
  #listing: Listing<T> | undefined;
  #isListRefused = false;
  #reads = 0;
  #pages = 0;
  #found = 0;

  constructor(private readonly source: CollectionSource<T>) {}

  /**
   * The object as it was at most 30 s before, and after the last change of this client, whatever it changed. Rejects as GET.
   */
  async read(id: string, call?: CallOptions): Promise<T> {
    return (await this.#listed(idKey(id))) ?? (await this.source.get(id, call));
  }

  async #listed(id: string): Promise<T | undefined> {
    this.#reads += 1;
    if (this.#reads === 1) await this.source.clock.sleep(GATHERING_MS);
    const listing = this.#listingFor(id);
    listing.asked.add(id);
    await this.#leafThrough(listing, id);
    const entry = listing.entries.get(id)?.entry;
    // On its way to another status, it may have changed by now; and a change of ours may have come between.
    if (!entry || isTransitional(entry) || listing.changes !== this.source.changes()) return undefined;
    this.#found += 1;
    return entry;
  }

  /** The present way through the list, or a new one if that would not show the object as it is now. */
  #listingFor(id: string): Listing<T> {
    const { clock } = this.source;
    const changes = this.source.changes();
    const known = this.#listing;
    const at = known?.entries.get(id)?.at ?? Infinity;
    if (known?.changes === changes && !known.asked.has(id) && clock.now() - at <= FRESH_MS) return known;
    const pages = this.source.pages({ deadlineMs: PAGE_DEADLINE_MS });
    const asked = new Set<string>();
    return (this.#listing = { pages, entries: new Map(), asked, changes, isComplete: false, turning: undefined });
  }

  /** Until it is found, or turning further does not pay: each read fetches one page itself, and waits for those of others. */
  async #leafThrough(listing: Listing<T>, id: string): Promise<void> {
    let hasTurned = false;
    while (!listing.entries.has(id)) {
      if (listing.turning === undefined) {
        if (hasTurned || !this.#isWorthAPage(listing)) return;
        hasTurned = true;
        listing.turning = this.#turn(listing);
      }
      await listing.turning;
    }
  }

  #isWorthAPage({ isComplete }: Listing<T>): boolean {
    if (isComplete || this.#isListRefused || this.#reads === 1) return false;
    return this.#pages <= this.#found + this.#reads / READS_PER_GAMBLE;
  }

  async #turn(listing: Listing<T>): Promise<void> {
    const at = this.source.clock.now();
    this.#pages += 1;
    try {
      const turned = await listing.pages.next();
      const page = turned.done === true ? undefined : turned.value;
      listing.isComplete = page?.next === undefined;
      for (const entry of page?.items ?? []) listing.entries.set(idKey(entry.id), { entry, at });
    } catch (error) {
      if (!(error instanceof CloudinfraError)) throw error;
      // If the GETs that follow meet the same trouble, they say so.
      this.#isListRefused = true;
    } finally {
      listing.turning = undefined;
    }
  }
}
