import { CloudinfraError, ForbiddenError, NotFoundError } from "../../api/errors";
import { shownName, isRefusedAttempt, type JournalEntry } from "../../journal/entry";
import { isUnderWay } from "../../journal/process-identity";
import { listedEntries, objectText, stackText } from "../../journal/left-behind";
import { STACK } from "../../engine/row-log";
import type { AuditLogView } from "./audit-log-reader";
import { isAdopted } from "./journal-entry";
import { provenBy } from "./proof";
import type { RecoveryRun } from "./recovery-call";

/**
 * After this time, a run looks a last time for an entry that no log has explained. If the log still explains nothing, the run names
 * the entry, and from then on only the doctor shows it.
 */
const LOOKED_FOR_MS = 86_400_000;
const UNIDENTIFIED = "one that the audit log does not identify";

/** The engine's call. `kept`: the diff of a resource that keeps its object. */
type LateCall = "create" | "diff" | "kept" | "other";

/**
 * Looks again for the objects of creations that seemed to have made nothing. If the audit log now shows one, a warning names it, by
 * its name if the log does not show the id. No run changes such an object, because somebody may have adopted it. The creations of
 * other stacks count too, because one of those may be this stack under an earlier name.
 */
export class LateCreations {
  readonly #looked = new Set<string>();
  /** The error, if the key may not read the log, or if there is none. */
  #refusal: ForbiddenError | NotFoundError | undefined;

  constructor(private readonly run: RecoveryRun & { serviceTime(urn: string): Promise<number> }) {}

  /**
   * Looks at each entry once in a run. If that fails, the next run does it. It leaves out the entries that a creation of this run
   * looks at: `create` looks for those of its own resource, and a diff cannot know which other resources will be created. With `kept`,
   * no creation will look, so the entries of the resource itself count too.
   */
  async warn(urn: string, call: LateCall): Promise<void> {
    await this.#warn(urn, call).catch((error: unknown) => {
      if (!(error instanceof CloudinfraError)) throw error;
    });
  }

  async #warn(urn: string, call: LateCall): Promise<void> {
    const { journal, api, rows, clock } = this.run;
    const isOld = ({ sentAt }: JournalEntry): boolean => Date.parse(sentAt) <= api.serverNow() - LOOKED_FOR_MS;
    const all = (await journal.earlier(urn)).filter((entry) => {
      const isOwn = journal.isOwn(entry, urn);
      const isLeft = call === "kept" && isOwn && !entry.isHandedOver && !isUnderWay(entry, clock.now());
      if (!(entry.isSuperseded || isLeft) || entry.id !== undefined || this.#looked.has(entry.key)) return false;
      if ((isRefusedAttempt(entry) || isOld(entry)) && journal.hasNamed(entry, urn)) return false; // already named, and a later look shows no more
      if (!isOwn && journal.isOfStack(entry, urn) && this.run.memory.isNew(entry.urn)) return false; // the creation of that resource looks
      if (call === "diff" || call === "kept") return isOwn || !journal.isOfStack(entry, urn);
      return call === "other" || !isOwn;
    });
    if (all.length === 0) return;
    for (const { key } of all) this.#looked.add(key);
    await this.run.serviceTime(urn);
    const found = new Map<JournalEntry, readonly string[]>();
    const unread: JournalEntry[] = [];
    for (const entry of all) {
      const ids = await this.#idsOf(entry, isOld(entry)).catch((error: unknown) => {
        if (!isNoLog(error) || !(isRefusedAttempt(entry) || isOld(entry))) throw error;
        if (!isRefusedAttempt(entry)) return [];
        unread.push(entry);
        return undefined;
      });
      const isNews = (ids && ids.length > 0 && journal.isOfStack(entry, urn)) || !journal.hasNamed(entry, urn);
      if (ids && isNews) found.set(entry, ids);
    }
    if (unread.length > 0) {
      await rows.line(STACK, "warning", unreadAttemptsText(unread));
      for (const entry of unread) await journal.noteNamed(entry, urn);
    }
    if (found.size === 0) return;
    const named = Array.from(found, ([entry, ids]) => {
      return `${objectText(entry)} in ${stackText(entry)} is ${ids.join(" and ") || UNIDENTIFIED}`;
    });
    await rows.line(
      STACK,
      "warning",
      `An earlier run counted creations as refused or lost, but they may have made objects: ${named.join("; ")}. ` +
        `Delete what you do not use, or adopt it under another name with adopt: "<its id>".`,
    );
    for (const [entry, ids] of found) {
      await journal.noteNamed(entry, urn);
      if (journal.isOfStack(entry, urn)) await journal.supersede(entry, ids);
    }
  }

  /** Asks only once for a log that the key may not read, or that does not exist. */
  async #view(since: number): Promise<AuditLogView> {
    if (this.#refusal !== undefined) throw this.#refusal;
    return this.run.audit.read(since, LOOKED_FOR_MS).catch((error: unknown) => {
      if (isNoLog(error)) this.#refusal = error;
      throw error;
    });
  }

  /**
   * The ids of an entry's objects. Empty if the log shows an object without its id, or if this is the last look and the log explains
   * nothing. Undefined if there is nothing to report.
   */
  async #idsOf(entry: JournalEntry, isLast: boolean): Promise<readonly string[] | undefined> {
    const { journal } = this.run;
    const sent = await journal.sentOf(entry, {});
    const proven = provenBy(await this.#view(sent.sentAt), sent);
    if (proven.status === "conflict" || proven.status === "unclear")
      return isLast || "isMade" in proven ? [] : undefined;
    // Objects that the resource has adopted since then are in the state.
    const unknown = proven.status === "made" ? proven.ids.filter((id) => !isAdopted(entry, id)) : [];
    if (unknown.length > 0) return unknown;
    await journal.close(entry);
    return undefined;
  }
}

/** True if the key may not read the audit log, or if there is none. */
function isNoLog(error: unknown): error is ForbiddenError | NotFoundError {
  return error instanceof ForbiddenError || error instanceof NotFoundError;
}

function unreadAttemptsText(entries: readonly JournalEntry[]): string {
  const twins = entries.map(
    ({ noun, lastMadeId, ...entry }) => `${noun} ${shownName(entry)} (the stack has ${lastMadeId ?? ""})`,
  );
  return (
    "The API refused creations, and the provider sent them again. Each refusal may have been the answer to a second delivery. Without the audit " +
    `log (audit_log:read), no run sees if the first one made an object. Look for a second ${listedEntries(twins)}, and delete it.`
  );
}
