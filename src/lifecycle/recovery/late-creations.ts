import { CloudinfraError, ForbiddenError, NotFoundError } from "../../api/errors";
import { shownName, isRefusedAttempt, type JournalEntry } from "../../journal/entry";
import { isUnderWay } from "../../journal/process-identity";
import { listed, objectText, stackText } from "../../journal/left-behind";
import { STACK } from "../../engine/row-log";
import type { AuditLogView } from "./audit-log-reader";
import { isAdopted } from "./journal-entry";
import { provenBy } from "./proof";
import type { RecoveryRun } from "./recovery-call";

/** What no log has explained in this time is looked for once more, and named if that explains nothing. Then only the doctor shows it. */
const LOOKED_FOR_MS = 86_400_000;
const UNIDENTIFIED = "one that the audit log does not identify";

/** The call of the engine that a look comes with. */
type LateCall = "create" | "diff" | "kept" | "other";

/**
 * Creations that seemed to have made nothing. If the audit log later shows that they made something, a warning names it: by its name if the
 * log does not identify it. It is not touched, because somebody may have adopted it. Creations of other stacks are among them, because one of
 * them may be this one under an earlier name.
 */
export class LateCreations {
  readonly #looked = new Set<string>();
  /** Why there is no log for this run. */
  #refusal: ForbiddenError | NotFoundError | undefined;

  constructor(private readonly run: RecoveryRun & { serviceTime(urn: string): Promise<number> }) {}

  /**
   * Looks at each entry once in a run; the next run looks if that is not possible. Not at those that a creation of this run looks for: a diff
   * cannot know of the stack's other resources, and `create` looks for its own. `kept`: a diff has shown that the resource keeps the object that
   * it has, so no creation looks for its own any more.
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
      if ((isRefusedAttempt(entry) || isOld(entry)) && journal.hasNamed(entry, urn)) return false; // no later look says more
      if (!isOwn && journal.isOfStack(entry, urn) && this.run.memory.isNew(entry.urn)) return false; // its own creation looks
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
      `Creations that an earlier run took for refused or lost may have made objects: ${named.join("; ")}. ` +
        `Delete what you do not use, or adopt it under another name with adopt: "<its id>".`,
    );
    for (const [entry, ids] of found) {
      await journal.noteNamed(entry, urn);
      if (journal.isOfStack(entry, urn)) await journal.supersede(entry, ids);
    }
  }

  /** A log that may not be read, or that does not exist, is asked for once. */
  async #view(since: number): Promise<AuditLogView> {
    if (this.#refusal !== undefined) throw this.#refusal;
    return this.run.audit.read(since, LOOKED_FOR_MS).catch((error: unknown) => {
      if (isNoLog(error)) this.#refusal = error;
      throw error;
    });
  }

  /**
   * The objects of an entry; none if the log does not identify them, or does not explain a creation that is looked for the last time; undefined
   * if it shows no creation.
   */
  async #idsOf(entry: JournalEntry, isLast: boolean): Promise<readonly string[] | undefined> {
    const { journal } = this.run;
    const sent = await journal.sentOf(entry, {});
    const proven = provenBy(await this.#view(sent.sentAt), sent);
    if (proven.status === "conflict" || proven.status === "unclear")
      return isLast || "isMade" in proven ? [] : undefined;
    // What the resource has adopted since, the state has.
    const unknown = proven.status === "made" ? proven.ids.filter((id) => !isAdopted(entry, id)) : [];
    if (unknown.length > 0) return unknown;
    await journal.close(entry);
    return undefined;
  }
}

/** The key may not read the audit log, or there is none. */
function isNoLog(error: unknown): error is ForbiddenError | NotFoundError {
  return error instanceof ForbiddenError || error instanceof NotFoundError;
}

function unreadAttemptsText(entries: readonly JournalEntry[]): string {
  const twins = entries.map(
    ({ noun, lastMadeId, ...entry }) => `${noun} ${shownName(entry)} (the stack has ${lastMadeId ?? ""})`,
  );
  return (
    "The API refused creations, and the provider sent them again. Each refusal may have been the answer to a second delivery. Without the audit " +
    `log (audit_log:read), no run sees if the first one made an object. Look for a second ${listed(twins)}, and delete it.`
  );
}
