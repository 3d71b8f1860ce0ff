import { CloudinfraError } from "../../api/errors";
import type { JournalEntry } from "../../journal/entry";
import { objectText } from "../../journal/left-behind";
import { STACK } from "../../engine/row-log";
import { provenBy } from "./proof";
import type { RecoveryRun } from "./recovery-call";

/** If no log has explained an entry within a day, only the doctor shows it. */
const LOOKED_FOR_MS = 86_400_000;

/**
 * Creations that seemed to have made nothing, so their resources were made again. If the audit log later shows their objects,
 * a warning names them. They are not touched, because somebody may have adopted them.
 */
export class LateCreations {
  #warned: Promise<void> | undefined;

  constructor(private readonly run: RecoveryRun & { serviceTime(urn: string): Promise<number> }) {}

  /** Looks once in a run. If that is not possible, the next run looks. The creation of a resource looks for its own. */
  warn(urn: string, isCreation: boolean): Promise<void> {
    return (this.#warned ??= this.#warn(urn, isCreation).catch((error: unknown) => {
      if (!(error instanceof CloudinfraError)) throw error;
    }));
  }

  async #warn(urn: string, isCreation: boolean): Promise<void> {
    const { journal, api, rows } = this.run;
    const all = (await journal.earlier(urn)).filter(
      (entry) =>
        entry.isSuperseded &&
        entry.id === undefined &&
        journal.isOfStack(entry, urn) &&
        !(isCreation && journal.isOwn(entry, urn)),
    );
    if (all.length === 0) return;
    await this.run.serviceTime(urn);
    const entries = all.filter(({ sentAt }) => Date.parse(sentAt) > api.serverNow() - LOOKED_FOR_MS);
    const found = new Map<JournalEntry, readonly string[]>();
    for (const entry of entries) {
      const ids = await this.#idsOf(entry);
      if (ids.length > 0) found.set(entry, ids);
    }
    if (found.size === 0) return;
    const named = Array.from(found, ([entry, ids]) => `${objectText(entry)} is ${ids.join(" and ")}`).join("; ");
    await rows.line(
      STACK,
      "warning",
      `The API carried out creations of an interrupted run late, after their resources had been made again: ${named}. ` +
        `Delete what you do not use, or adopt it under another name with adopt: "<its id>".`,
    );
    for (const [entry, ids] of found) await journal.supersede(entry, ids);
  }

  /** The objects of an entry, if the log shows them now. If it surely made nothing, the entry ends. */
  async #idsOf(entry: JournalEntry): Promise<readonly string[]> {
    const { journal, audit } = this.run;
    const sent = await journal.sentOf(entry, {});
    const proven = provenBy(await audit.read(sent.sentAt, LOOKED_FOR_MS), sent);
    if (proven?.status === "nothing") await journal.close(entry);
    return proven?.status === "made" ? proven.ids : [];
  }
}
