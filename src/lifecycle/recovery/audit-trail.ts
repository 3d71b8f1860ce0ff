import { EntryOrder, type AuditLog } from "../../api/lists/audit-log";
import type { Api } from "../../api/client";
import { dialects } from "../../api/dialect";

/** How many entries are read at most, in pages of a hundred: a log without an order has to be read whole. */
const MOST_ENTRIES = 5_000;
/** The log may go by another clock than the one that the API tells. */
const CLOCKS_APART_MS = 3_600_000;

/** What the audit log had when it was read. */
export interface TrailView {
  /** From when on, by the API's clock in epoch milliseconds. */
  readonly since: number;
  /** When reading began, by the API's clock. */
  readonly readAt: number;
  /** Whether it was read to its end: if not, what it does not show may be there all the same. */
  readonly isWhole: boolean;
  /** The creations that were sent with a token. */
  sentWith(token: string): readonly AuditLog[];
  /** Whether a creation of another token, or of somebody else's, made the object. */
  isMadeByOther(id: string, token: string): boolean;
  isDeleted(id: string): boolean;
  /**
   * Whether the request with this token has succeeded, and no other creation at the same path that may have made something is shown
   * without its object: what nobody explains is then this one's.
   */
  isOnlyUnexplained(token: string): boolean;
}

/**
 * The audit log, for those who look for what a creation has made. Many look at the same time after an interruption: they share
 * what is read.
 */
export class AuditTrail {
  #latest: TrailView | undefined;
  #reading: Promise<unknown> = Promise.resolve();
  #next: { since: number; readonly view: Promise<TrailView> } | undefined;

  constructor(private readonly api: () => Api) {}

  /** What has been since a time; as of `readAfter` at the earliest. Both by the API's clock. Rejects with a CloudinfraError. */
  read(since: number, readAfter: number): Promise<TrailView> {
    const latest = this.#latest;
    if (latest && latest.since <= since && latest.readAt >= readAfter) return Promise.resolve(latest);
    if (this.#next) {
      this.#next.since = Math.min(this.#next.since, since);
      return this.#next.view;
    }
    const view = this.#reading.then(() => {
      const from = this.#next?.since ?? since;
      this.#next = undefined;
      return this.#readSince(from);
    });
    this.#next = { since, view };
    this.#reading = view.catch(() => undefined);
    return view;
  }

  async #readSince(since: number): Promise<TrailView> {
    const api = this.api();
    const startedAt = api.serverNow();
    const from = since - CLOCKS_APART_MS;
    const order = new EntryOrder("sort" in dialects[api.dialect].newestFirst);
    const trail = new Entries();
    let count = 0;
    let isWhole = true;
    for await (const entry of api.auditLogs.list({ since: from, what: "read the audit log" })) {
      const time = Date.parse(entry.created_at);
      order.see(time);
      if (time < from && order.isNewestFirst) break;
      trail.add(entry);
      count += 1;
      isWhole = count < MOST_ENTRIES;
      if (!isWhole) break;
    }
    return (this.#latest = {
      since,
      // This machine's clock may have jumped before it began: the answers have told the time since.
      readAt: Math.min(startedAt, api.serverNow()),
      isWhole,
      sentWith: (token) => trail.sentWith(token),
      isMadeByOther: (id, token) => trail.isMadeByOther(id, token),
      isDeleted: (id) => trail.isDeleted(id),
      isOnlyUnexplained: (token) => trail.isOnlyUnexplained(token),
    });
  }
}

/** An id as ids are compared: a service may show it in other letters than it took it. */
export function idKey(id: string): string {
  return id.toLowerCase();
}

class Entries {
  readonly #byToken = new Map<string, AuditLog[]>();
  readonly #makers = new Map<string, Set<string | undefined>>();
  readonly #deleted = new Set<string>();
  /** Creations that may have made something and are shown without it: token and path. */
  readonly #unexplained: {
    readonly token: string | undefined;
    readonly path: string;
    readonly hasSucceeded: boolean;
  }[] = [];

  add(entry: AuditLog): void {
    const { method, user_agent: agent, status_code: status, target } = entry;
    const token = /\(([0-9a-f]{32})\)/.exec(agent)?.[1];
    const hasSucceeded = status >= 200 && status < 300;
    if (method === "POST" && token !== undefined) this.#byToken.set(token, [...this.sentWith(token), entry]);
    if (method === "POST" && !target && (hasSucceeded || status >= 500)) {
      this.#unexplained.push({ token, path: entry.path, hasSucceeded });
    }
    if (!target || !hasSucceeded) return;
    const id = idKey(target.id);
    if (method === "POST") this.#makers.set(id, (this.#makers.get(id) ?? new Set<string | undefined>()).add(token));
    if (method === "DELETE") this.#deleted.add(id);
  }

  sentWith(token: string): readonly AuditLog[] {
    return this.#byToken.get(token) ?? [];
  }

  isMadeByOther(id: string, token: string): boolean {
    return [...(this.#makers.get(idKey(id)) ?? [])].some((maker) => maker !== token);
  }

  isDeleted(id: string): boolean {
    return this.#deleted.has(idKey(id));
  }

  isOnlyUnexplained(token: string): boolean {
    const own = this.#unexplained.find((each) => each.token === token);
    if (!own?.hasSucceeded) return false;
    return this.#unexplained.filter(({ path }) => path === own.path).length === 1;
  }
}
