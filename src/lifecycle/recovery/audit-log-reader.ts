import { EntryOrder, type AuditLog } from "../../api/lists/audit-log";
import type { Api } from "../../api/client";
import type { CallOptions } from "../../api/http/request";
import type { Clock } from "../../process/clock";
import { dialects } from "../../api/dialect";
import { idKey } from "../../api/same-id";
import { commentIn } from "../../journal/creation-comment";

/** The most entries that are read, in pages of a hundred. A log without an order must be read completely. */
const MOST_ENTRIES = 5_000;
/** The clock of the log may differ from the API's. */
const CLOCK_SKEW_MS = 3_600_000;

/** The content of the audit log when it was read. */
export class AuditLogView {
  /** Whether it was read to its end. If not, it may have entries that were not read. */
  readonly isComplete: boolean;
  readonly #byToken = new Map<string, AuditLog[]>();
  readonly #makers = new Map<string, Set<string | undefined>>();
  /** When an object was created. The key is the mark of the creation and the id of the object. */
  readonly #madeAt = new Map<string, string>();

  /** `since`: the start of the period; `readAt`: when reading began. Both by the API's clock in epoch milliseconds. */
  constructor(
    readonly since: number,
    readonly readAt: number,
    entries: readonly AuditLog[],
  ) {
    this.isComplete = entries.length < MOST_ENTRIES;
    for (const entry of entries) if (entry.method === "POST") this.#add(entry);
  }

  /** Whether it shows the token of any creation. */
  get hasTokens(): boolean {
    return this.#byToken.size > 0;
  }

  /** The creations that were sent with a token. */
  sentWith(token: string): readonly AuditLog[] {
    return this.#byToken.get(token) ?? [];
  }

  /** Whether a creation of another token, or of somebody else, made the object. False in a log without tokens, which cannot tell. */
  isMadeByOther(id: string, token: string): boolean {
    return this.hasTokens && [...(this.#makers.get(idKey(id)) ?? [])].some((maker) => maker !== token);
  }

  /** When a creation with this mark made the object; ISO 8601. Undefined if the log shows none. */
  madeAt(id: string, mark: string): string | undefined {
    return this.#madeAt.get(`${mark} ${idKey(id)}`);
  }

  #add(entry: AuditLog): void {
    const { user_agent: agent, status_code: status, target } = entry;
    const { token, mark } = commentIn(agent) ?? {};
    if (token !== undefined) this.#byToken.set(token, [...this.sentWith(token), entry]);
    if (!target || status < 200 || status >= 300) return;
    const id = idKey(target.id);
    if (mark !== undefined) this.#madeAt.set(`${mark} ${id}`, entry.created_at);
    this.#makers.set(id, (this.#makers.get(id) ?? new Set<string | undefined>()).add(token));
  }
}

/**
 * The audit log, for finding the objects of creations. After an interruption many resources look at the same time, and share
 * what was read.
 */
export class AuditLogReader {
  #latest: { readonly view: AuditLogView; readonly begunAt: number } | undefined;
  #reading: Promise<unknown> = Promise.resolve();
  #next: { since: number; readonly view: Promise<AuditLogView> } | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly api: () => Api,
  ) {}

  /**
   * The entries since a time of the API. A copy for another resource is shared if it is younger than `maxAgeMs`, by this machine's
   * clock: the API's time comes in whole seconds, and a copy from before the request would pass for a later one. Rejects with a
   * CloudinfraError.
   */
  read(since: number, maxAgeMs = 0, call: CallOptions = {}): Promise<AuditLogView> {
    const latest = this.#latest;
    const ageMs = latest ? this.clock.now() - latest.begunAt : Infinity;
    if (latest && latest.view.since <= since && ageMs >= 0 && ageMs < maxAgeMs) return Promise.resolve(latest.view);
    if (this.#next) {
      this.#next.since = Math.min(this.#next.since, since);
      return this.#next.view;
    }
    const view = this.#reading.then(() => {
      const from = this.#next?.since ?? since;
      this.#next = undefined;
      return this.#readSince(from, call);
    });
    this.#next = { since, view };
    this.#reading = view.catch(() => undefined);
    return view;
  }

  async #readSince(since: number, call: CallOptions): Promise<AuditLogView> {
    const api = this.api();
    const [begunAt, startedAt] = [this.clock.now(), api.serverNow()];
    const from = since - CLOCK_SKEW_MS;
    const order = new EntryOrder("sort" in dialects[api.dialect].newestFirst);
    const entries: AuditLog[] = [];
    for await (const entry of api.auditLogs.list({ ...call, since: from, purpose: "read the audit log" })) {
      const time = Date.parse(entry.created_at);
      order.see(time);
      if (time < from && order.isNewestFirst) break;
      if (entries.push(entry) === MOST_ENTRIES) break;
    }
    // This machine's clock may have jumped before. The answers have shown the time since.
    const view = new AuditLogView(since, Math.min(startedAt, api.serverNow()), entries);
    this.#latest = { view, begunAt };
    return view;
  }
}
