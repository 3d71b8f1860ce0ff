import { DAY_MS } from "../../time/utc";
import { CloudinfraError } from "../../api/errors";
import { isAboutOthers, type JournalEntry } from "../../journal/entry";
import { isUnderWay } from "../../journal/sender";
import { objectText, stackText } from "../../journal/left-behind";
import { STACK } from "../../engine/row-log";
import { twinOf } from "./journal-entry";
import { sentOf, provenBy } from "./ownership";
import type { RecoveryRun } from "./recovery-call";

/**
 * After this time, a run looks a last time for an entry that no log has explained. If the log still explains nothing,
 * the run names the entry, and from then on only the doctor shows it. An entry about other attempts of a creation is
 * closed after the last look.
 */
const SEARCH_WINDOW_MS = DAY_MS;

/** The engine's call. `kept`: the diff of a resource that keeps its object. */
type LateCall = "create" | "diff" | "kept" | "other";

/**
 * Looks again for the objects of creations that seemed to have made nothing. If the audit log now shows one, a warning
 * names it, by its name if the log does not show the id. No run changes such an object, because somebody may have
 * adopted it. The creations of other stacks count too, because one of those may be this stack under an earlier name.
 */
export class LateCreations {
  readonly #looked = new Set<string>();

  constructor(private readonly run: RecoveryRun & { apiTime(urn: string): Promise<number> }) {}

  /**
   * Looks at each entry once in a run. After a failure, the next run does it. It leaves out an entry if a creation of
   * this run looks at it. So `create` leaves out the entries of its own resource. A diff leaves out those of the
   * stack's other resources, because these may still be created. With `kept`, the resource itself is not created, so
   * its own open entries count too.
   */
  async warn(urn: string, call: LateCall): Promise<void> {
    await this.#warn(urn, call).catch((error: unknown) => {
      if (!(error instanceof CloudinfraError)) throw error;
    });
  }

  async #warn(urn: string, call: LateCall): Promise<void> {
    const { journal, api, clock } = this.run;
    const isOld = ({ sentAt }: JournalEntry): boolean => Date.parse(sentAt) <= api.now() - SEARCH_WINDOW_MS;
    const all = (await journal.earlier(urn)).filter((entry) => {
      const isOwn = journal.isOwn(entry, urn);
      const isLeft = call === "kept" && isOwn && !entry.isHandedOver && !isUnderWay(entry, clock.timeOfDay());
      if (!(entry.isSuperseded || isLeft) || entry.id !== undefined || this.#looked.has(entry.key)) return false;
      // Already named, and a later look will find nothing new.
      if (isOld(entry) && !isAboutOthers(entry) && journal.hasWarned(entry, urn, "late")) return false;
      // The creation of that resource looks.
      if (!isOwn && journal.isOfStack(entry, urn) && this.run.memory.isNew(entry.urn)) return false;
      if (call === "diff" || call === "kept") return isOwn || !journal.isOfStack(entry, urn);
      return call === "other" || !isOwn;
    });
    if (all.length === 0) return;
    for (const { key } of all) this.#looked.add(key);
    await this.run.apiTime(urn);
    const found = new Map<JournalEntry, readonly string[]>();
    for (const entry of all) {
      const ids = await this.#idsOf(entry, isOld(entry));
      if (!ids) continue;
      const [isFound, isOwn] = [ids.length > 0, journal.isOfStack(entry, urn)];
      // Another stack's key may be of another account, and the object of the creation is known.
      const isForeign = isAboutOthers(entry) && !isFound && !isOwn;
      if (!isForeign && ((isFound && isOwn) || !journal.hasWarned(entry, urn, "late"))) found.set(entry, ids);
    }
    if (found.size > 0) await this.#name(found, urn);
    for (const entry of all)
      if (isAboutOthers(entry) && isOld(entry) && journal.isOfStack(entry, urn)) await journal.close(entry);
  }

  async #name(found: ReadonlyMap<JournalEntry, readonly string[]>, urn: string): Promise<void> {
    const { journal, rows } = this.run;
    const named = Array.from(found, ([entry, ids]) => {
      return `${objectText(entry)} in ${stackText(entry)}${ids.length > 0 ? ` is ${ids.join(" and ")}` : unidentifiedText(entry)}`;
    });
    await rows.line(
      STACK,
      "warning",
      `Earlier creations may have made objects that no state has: ${named.join("; ")}. ` +
        `Delete what you do not use, or adopt it under another name with adopt: "<its id>".`,
    );
    await journal.readAgain(urn);
    const open = new Set((await journal.earlier(urn)).map(({ key }) => key));
    for (const [entry, ids] of found) {
      await journal.recordWarning(entry, urn, "late");
      if (open.has(entry.key) && journal.isOfStack(entry, urn)) await journal.supersede(entry, ids);
    }
  }

  /**
   * The ids of an entry's objects. Empty if the log shows an object without its id, or if this is the last look and the
   * log explains nothing. Undefined if there is nothing to report.
   */
  async #idsOf(entry: JournalEntry, isLast: boolean): Promise<readonly string[] | undefined> {
    const { journal, audit, memory } = this.run;
    const { objects } = memory;
    const sent = await sentOf(this.run, entry);
    const proven = provenBy(await audit.read(sent.sentAt, SEARCH_WINDOW_MS), sent);
    if (proven.status === "unclear") return isLast || !proven.mayShowLater ? [] : undefined;
    if (proven.status === "conflict") return isLast ? [] : undefined;
    const ids = proven.status === "made" ? proven.ids : [];
    const has = (id: string): boolean => journal.adoptions.has(id) || objects.isInState(id);
    const [left, taken] = [ids.filter((id) => !has(id)), ids.filter(has)];
    // The state may lack an adopted object if the adopting process was killed, so it has its own entry.
    for (const id of taken)
      if (!objects.isInState(id))
        await journal.amend(twinOf(entry, id), { isHandedOver: true, isSuperseded: undefined });
    if (left.length === 0) await journal.close(entry, ids);
    // The others are known to this run: a reference (`get`), an import or a refresh has read them.
    const unknown = left.filter((id) => !objects.isKnown(id));
    return unknown.length > 0 ? unknown : undefined;
  }
}

function unidentifiedText({ madeIds = [] }: JournalEntry): string {
  return `: the audit log does not identify it${madeIds.length === 0 ? "" : `, and it is not ${madeIds.join(" or ")}`}`;
}
