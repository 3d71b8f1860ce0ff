import { z } from "zod";
import type { CallOptions } from "../http/request";
import { dialects, type Dialect } from "../dialect";
import { dateTime } from "../../time/date-time";
import { openEnum } from "../schema";

/** Specification section 2.4, AuditLog. */
export const auditLog = z.looseObject({
  id: z.string(),
  action: z.string(),
  actor: z.looseObject({ id: z.string(), name: z.string().nullable(), type: openEnum("user", "api_key") }),
  client_ip: z.string(),
  created_at: dateTime,
  method: z.string(),
  path: z.string(),
  status_code: z.number().int(),
  user_agent: z.string(),
  target: z.looseObject({ id: z.string(), type: z.string() }).nullish(),
});
export type AuditLog = z.infer<typeof auditLog>;

/** Which entries to list. A service without filters also returns others. */
export interface AuditLogListOptions extends CallOptions {
  readonly actorId?: string | undefined;
  /** The id of the object that the requests were about. */
  readonly targetId?: string;
  /** Epoch milliseconds. The list ends as soon as all further entries are older. */
  readonly since?: number | undefined;
  /** Epoch milliseconds. */
  readonly until?: number | undefined;
  /** Default: all. */
  readonly mostEntries?: number;
}

/** The most entries to read for one decision. A log without an order must be read completely. */
export const MAX_ENTRIES = 5_000;

/** The reason if a decision needs more entries. It ends before what nothing shows then. */
export const TOO_LONG = `the audit log is too long to read in full (${MAX_ENTRIES} entries at most), so nothing shows`;

/** The query for these entries, with the newest first if the API is known to sort. */
export function auditLogQuery(
  dialect: Dialect,
  { actorId, targetId, since, until }: AuditLogListOptions,
): Readonly<Record<string, string>> {
  const { newestFirst, filtersAuditLogs } = dialects[dialect];
  if (!filtersAuditLogs) return newestFirst;
  return {
    ...newestFirst,
    ...(actorId === undefined ? {} : { actor_id: actorId }),
    ...(targetId === undefined ? {} : { target_id: targetId }),
    ...(since === undefined ? {} : { created_at_min: new Date(since).toISOString() }),
    ...(until === undefined ? {} : { created_at_max: new Date(until).toISOString() }),
  };
}

/**
 * In a log that promises no order, an entry may be out of order by this much, because the log may be merged from
 * several machines.
 */
const DISORDER_MS = 3_600_000;
/**
 * This many entries show the order of such a log. They are one page of the size that the client asks for, so fewer
 * would save no request.
 */
const ENTRIES_TO_TRUST_ORDER = 100;

/** Finds out the order of entries from those read so far, because the specification names none. */
export class EntryOrder {
  #count = 0;
  #first = -Infinity;
  #oldest = Infinity;
  #hasRisen = false;
  readonly #disorderMs: number;

  /** `isSorted`: whether the API promises the newest entries first. */
  constructor(private readonly isSorted: boolean) {
    this.#disorderMs = isSorted ? 0 : DISORDER_MS;
  }

  /**
   * No further entry is later than this time, in epoch milliseconds. Infinity if the newest are not first, or that is
   * not known.
   */
  get latestOfRest(): number {
    const latest = this.#oldest + this.#disorderMs;
    const isShown = this.isSorted || (this.#count >= ENTRIES_TO_TRUST_ORDER && this.#first > latest);
    return isShown && !this.#hasRisen ? latest : Infinity;
  }

  add(time: number): void {
    if (this.#count === 0) this.#first = time;
    this.#count += 1;
    this.#hasRisen ||= time > this.#oldest + this.#disorderMs;
    this.#oldest = Math.min(this.#oldest, time);
  }
}

/** The entries of a log until all others are older than `since`. */
export async function* entriesIn(
  log: AsyncIterable<AuditLog>,
  dialect: Dialect,
  { since = -Infinity, mostEntries }: AuditLogListOptions,
): AsyncGenerator<AuditLog, void, undefined> {
  const order = new EntryOrder("sort" in dialects[dialect].newestFirst);
  let count = 0;
  for await (const entry of log) {
    order.add(Date.parse(entry.created_at));
    if (order.latestOfRest < since) return;
    yield entry;
    if ((count += 1) === mostEntries) return;
  }
}
