import { FileJournal } from "../../journal/file-journal";
import { isRefusedAttempt, type JournalEntry } from "../../journal/entry";
import { leftBehindAdvice, objectText } from "../../journal/left-behind";
import { isUnderWay } from "../../journal/process-identity";
import { journalFolder } from "../../process/user-folders";
import type { CliIo } from "../io";
import type { Line, Report } from "./report";

/** The open creations of all stacks on this machine. They are no fault of the settings. */
export async function openCreations({ environment }: Pick<CliIo, "environment">): Promise<Report> {
  const folder = journalFolder(environment);
  if (folder === undefined) return { lines: [], advice: [] };
  const journal = new FileJournal(folder);
  const { entries, unreadable } = await journal.all();
  const ended = entries.filter((entry) => !isUnderWay(entry, Date.now()));
  const isSaved = (entry: JournalEntry): boolean =>
    entry.isSuperseded ? entry.id === undefined && isRefusedAttempt(entry) : entry.isHandedOver === true;
  const open = ended.filter((entry) => !isSaved(entry));
  const damaged = unreadable.map(({ path, why }) => ({
    verdict: "no" as const,
    subject: "journal",
    finding: `${path} ${why}: it may be about an object that an interrupted run made`,
  }));
  return {
    lines: [...open.map(openLine), ...waitingLines(ended.filter(isSaved)), ...damaged],
    advice:
      open.length === 0
        ? []
        : [
            `${leftBehindAdvice(open)} If you have dealt with an object by hand, remove its entry:\n` +
              open.map(({ key }) => `  cloudinfra doctor --forget ${key}`).join("\n"),
          ],
  };
}

/** Ends entries that a person has dealt with. No run looks for their objects any longer. */
export async function forgetCreations({ environment }: CliIo, keys: readonly string[]): Promise<Report> {
  const folder = journalFolder(environment);
  const journal = folder === undefined ? undefined : new FileJournal(folder);
  const entries = keys.length === 0 ? [] : ((await journal?.all())?.entries ?? []);
  const lines: Line[] = [];
  for (const key of keys) {
    const entry = entries.find((each) => each.key === key);
    if (entry) await journal?.remove(entry);
    lines.push({
      verdict: entry ? "ok" : "no",
      subject: "forgotten",
      finding: entry ? `stack ${stackOf(entry)}: ${objectText(entry)}` : `the journal has no entry ${key}`,
    });
  }
  return { lines, advice: [] };
}

function openLine(entry: JournalEntry): Line {
  const made = entry.isSuperseded ? ", refused or made again since" : "";
  return {
    verdict: "no",
    subject: "interrupted",
    finding: `stack ${stackOf(entry)}, ${entry.sentAt}: ${objectText(entry)}${made}`,
  };
}

/** The creations that the next run of a stack confirms. It names them, because no run does if the stack or resource has another name. */
function waitingLines(entries: readonly JournalEntry[]): readonly Line[] {
  return [...new Set(entries.map(stackOf))].map((stack) => {
    const created = entries.filter((entry) => stackOf(entry) === stack).map(objectText);
    const finding = `stack ${stack}: its next run confirms that the state has what the last one created: ${created.join("; ")}`;
    return { verdict: "ok", subject: "journal", finding };
  });
}

function stackOf({ stack }: JournalEntry): string {
  return `${stack.project}/${stack.stack}`;
}
