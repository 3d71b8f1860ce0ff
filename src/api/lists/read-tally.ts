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
