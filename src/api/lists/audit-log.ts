import { z } from "zod";
import type { CallOptions } from "../http/request";
import { dialects, type Dialect } from "../dialect";
import { dateTime, openEnum } from "../schema";

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

/** Which entries to list. A service without filters returns all entries. */
export interface AuditLogListOptions extends CallOptions {
  readonly actorId?: string | undefined;
  /** Epoch milliseconds. */
  readonly since?: number | undefined;
  /** Epoch milliseconds. */
  readonly until?: number | undefined;
}

/** The query for these entries, with the newest first if the service is known to sort. */
export function auditLogQuery(
  dialect: Dialect,
  { actorId, since, until }: AuditLogListOptions,
): Readonly<Record<string, string>> {
  const { newestFirst, filtersAuditLogs } = dialects[dialect];
  if (!filtersAuditLogs) return newestFirst;
  return {
    ...newestFirst,
    ...(actorId === undefined ? {} : { actor_id: actorId }),
    ...(since === undefined ? {} : { created_at_min: new Date(since).toISOString() }),
    ...(until === undefined ? {} : { created_at_max: new Date(until).toISOString() }),
  };
}

/** Finds out the order of entries from those read so far, because the specification names none. */
export class EntryOrder {
  #last: number | undefined;
  #hasFallen: boolean;
  #hasRisen = false;

  constructor(isSorted: boolean) {
    this.#hasFallen = isSorted;
  }

  /** True if all further entries are older. */
  get isNewestFirst(): boolean {
    return this.#hasFallen && !this.#hasRisen;
  }

  see(time: number): void {
    if (this.#last !== undefined) {
      this.#hasFallen ||= time < this.#last;
      this.#hasRisen ||= time > this.#last;
    }
    this.#last = time;
  }
}
