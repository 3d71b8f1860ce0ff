import { MAX_ENTRIES, type AuditLog, type AuditLogListOptions } from "../../api/lists/audit-log";
import type { Api } from "../../api/client";
import { CloudinfraError, ForbiddenError, NotFoundError } from "../../api/errors";
import type { CallOptions } from "../../api/http/request";
import type { Clock } from "../../time/clock";
import { dialects } from "../../api/dialect";
import { idKey } from "../../definition/same-id";
import { DAY_MS } from "../../time/utc";
import { commentIn } from "../../journal/creation-comment";

/** The greatest difference between the clock of the log and that of the API. */
const CLOCK_SKEW_MS = 3_600_000;
/** A log that does not answer within this time proves nothing about an object. */
const PROOF_DEADLINE_MS = 10_000;

/** What the log shows about the creation of an object. */
interface ShownCreation {
  /** Who made it, in words: `API key "ci"`. */
  readonly maker: string;
  readonly tokens: Set<string | undefined>;
  /**
   * The times of the creation (ISO 8601), by the marks of its requests (see CreationComment). Empty if they had none.
   */
  readonly marks: Map<string, string>;
}

/** The entries of the audit log at the time of reading. */
export class AuditLogView {
  /** False if reading stopped at `MAX_ENTRIES`, so that entries may be missing. */
  readonly isComplete: boolean;
  readonly #byToken = new Map<string, AuditLog[]>();
  readonly #creations = new Map<string, ShownCreation>();
  readonly #deletions = new Set<string>();

  /**
   * `since`: the start of the period. `readAt`: the time at which reading began. Both are epoch milliseconds by the
   * API's clock.
   */
  constructor(
    readonly since: number,
    readonly readAt: number,
    entries: readonly AuditLog[],
    /** The API's error if the key may not read the log, or if the API has no log. */
    readonly refusal?: ForbiddenError | NotFoundError,
  ) {
    this.isComplete = entries.length < MAX_ENTRIES;
    for (const entry of entries) {
      if (entry.method === "POST") this.#add(entry);
      if (entry.method === "DELETE" && entry.target && isSuccess(entry)) this.#deletions.add(idKey(entry.target.id));
    }
  }

  /** True if the log shows the token of any creation. */
  get hasTokens(): boolean {
    return this.#byToken.size > 0;
  }

  /** The entries of the creation with this token. */
  sentWith(token: string): readonly AuditLog[] {
    return this.#byToken.get(token) ?? [];
  }

  /**
   * True if the log shows that a creation with another token, or without one, made the object. False in a log without
   * tokens.
   */
  isMadeByOther(id: string, token: string): boolean {
    return this.hasTokens && [...(this.creationOf(id)?.tokens ?? [])].some((maker) => maker !== token);
  }

  /** Undefined if the log does not show the creation of the object. */
  creationOf(id: string): ShownCreation | undefined {
    return this.#creations.get(idKey(id));
  }

  /** True if the log shows the deletion of the object. */
  isDeleted(id: string): boolean {
    return this.#deletions.has(idKey(id));
  }

  /** True if the log shows that the object was in this account: its creation or its deletion. */
  isOfAccount(id: string): boolean {
    return this.creationOf(id) !== undefined || this.isDeleted(id);
  }

  #add(entry: AuditLog): void {
    const { user_agent: agent, target, actor } = entry;
    const { token, mark } = commentIn(agent) ?? {};
    if (token !== undefined) this.#byToken.set(token, [...this.sentWith(token), entry]);
    if (!target || !isSuccess(entry)) return;
    const maker = `${actor.type === "api_key" ? "API key" : actor.type} "${actor.name ?? actor.id}"`;
    const creation = this.creationOf(target.id) ?? { maker, tokens: new Set(), marks: new Map() };
    creation.tokens.add(token);
    if (mark !== undefined) creation.marks.set(mark, entry.created_at);
    this.#creations.set(idKey(target.id), creation);
  }
}

function isSuccess({ status_code: status }: AuditLog): boolean {
  return status >= 200 && status < 300;
}

/**
 * Reads the audit log to find the objects of creations. After an interruption, many resources need it at the same time
 * and share one copy.
 */
export class AuditLogReader {
  #latest: { readonly view: AuditLogView; readonly begunAt: number } | undefined;
  #reading: Promise<unknown> = Promise.resolve();
  #next: Promise<AuditLogView> | undefined;
  /** The earliest time that the callers of `#next` need. */
  #nextSince = Infinity;
  readonly #days = new Map<number, Promise<AuditLogView>>();

  constructor(
    private readonly clock: Clock,
    private readonly api: () => Pick<Api, "auditLogs" | "dialect" | "now">,
  ) {}

  /**
   * The entries since a time by the API's clock, in epoch milliseconds. A copy of another resource is used if it is
   * younger than `maxAgeMs`. The age is measured by this machine's clock, because the API's time has whole seconds
   * only, and a copy from before the request could seem to be a later one. Rejects with a CloudinfraError, but not if
   * the log refuses the key: see `refusal`.
   */
  read(since: number, maxAgeMs = 0, options: CallOptions = {}): Promise<AuditLogView> {
    const latest = this.#latest;
    const ageMs = latest ? this.clock.now() - latest.begunAt : Infinity;
    if (latest && latest.view.since <= since && ageMs >= 0 && ageMs < maxAgeMs) return Promise.resolve(latest.view);
    this.#nextSince = Math.min(this.#nextSince, since);
    this.#next ??= this.#reading.then(() => {
      const from = this.#nextSince;
      [this.#next, this.#nextSince] = [undefined, Infinity];
      return this.#readSince(from, options);
    });
    this.#reading = this.#next.catch(() => undefined);
    return this.#next;
  }

  /**
   * The entries of the day that begins at `since`, in epoch milliseconds. From a service without filters, all since
   * then.
   */
  async readDay(since: number, options: CallOptions = {}): Promise<AuditLogView> {
    if (!this.#isFiltered) {
      const view = await this.read(since, DAY_MS, options);
      if (view.refusal) throw view.refusal;
      return view;
    }
    const day = this.#days.get(since) ?? this.#list(since, { ...options, until: since + DAY_MS + CLOCK_SKEW_MS });
    this.#days.set(since, day);
    return day;
  }

  /**
   * True if the log of this account shows the deletion of the object. False if it cannot be read. `createdAt`: epoch
   * milliseconds.
   */
  async showsDeletion(id: string, createdAt: number | undefined): Promise<boolean> {
    const view = this.#isFiltered ? this.#list(undefined, { targetId: id }) : this.read(createdAt ?? 0, DAY_MS);
    return (await undefinedIfUnread(view))?.isDeleted(id) === true;
  }

  /**
   * As `showsDeletion`, for the creation or the deletion: the object was in the account of the key. False also if the
   * log does not answer soon, or if it has no filters and `createdAt` is not known.
   */
  async showsObject(id: string, createdAt: number | undefined): Promise<boolean> {
    if (!this.#isFiltered && createdAt === undefined) return false;
    const options = { deadlineMs: PROOF_DEADLINE_MS, targetId: id };
    const view = this.#list(this.#isFiltered ? undefined : createdAt, options);
    return (await undefinedIfUnread(view))?.isOfAccount(id) === true;
  }

  get #isFiltered(): boolean {
    return dialects[this.api().dialect].filtersAuditLogs;
  }

  async #readSince(since: number, options: CallOptions): Promise<AuditLogView> {
    const begunAt = this.clock.now();
    const view = await this.#list(since, options).catch((error: unknown) => {
      if (error instanceof ForbiddenError || error instanceof NotFoundError)
        return new AuditLogView(since, begunAt, [], error);
      throw error;
    });
    this.#latest = { view, begunAt };
    return view;
  }

  async #list(since: number | undefined, options: AuditLogListOptions): Promise<AuditLogView> {
    const api = this.api();
    const startedAt = api.now();
    const period = {
      ...options,
      since: since === undefined ? undefined : since - CLOCK_SKEW_MS,
      mostEntries: MAX_ENTRIES,
    };
    const entries: AuditLog[] = [];
    for await (const entry of api.auditLogs.list({ ...period, purpose: "read the audit log" })) entries.push(entry);
    // The start time may be wrong if this machine's clock has jumped. The time of the responses corrects it.
    return new AuditLogView(since ?? 0, Math.min(startedAt, api.now()), entries);
  }
}

async function undefinedIfUnread(view: Promise<AuditLogView>): Promise<AuditLogView | undefined> {
  return view.catch((error: unknown) => {
    if (!(error instanceof CloudinfraError)) throw error;
    return undefined;
  });
}
