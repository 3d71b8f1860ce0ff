import type { JournalEntry } from "../../journal/entry";
import { leftBehindAdvice, objectText, stackText } from "../../journal/left-behind";
import { isUnderWay } from "../../journal/sender";
import type { CliIo } from "../io";
import { journalOf } from "../command-journal";
import { fault, line, type DoctorLine } from "./doctor-report";

/** Lists the open creations of all stacks on this machine. They are not faults of the settings. */
export async function openCreations({ environment }: Pick<CliIo, "environment">): Promise<readonly DoctorLine[]> {
  const { entries, unreadable } = await journalOf(environment).all();
  const ended = entries.filter((entry) => !isUnderWay(entry, Date.now()));
  const isSaved = (entry: JournalEntry): boolean =>
    entry.isSuperseded ? entry.id === undefined && entry.lastMadeId !== undefined : entry.isHandedOver === true;
  const open = ended.filter((entry) => !isSaved(entry));
  return [
    ...open.map((entry) => openLine(entry, open)),
    ...waitingLines(ended.filter(isSaved)),
    ...unreadable.map(({ path, reason }) =>
      line("no", "journal", `${path} ${reason}: it may be about an object that an interrupted run made`),
    ),
  ];
}

/** Removes entries that a person has dealt with. No run looks for their objects any longer. */
export async function forgetCreations({ environment }: CliIo, keys: readonly string[]): Promise<readonly DoctorLine[]> {
  const journal = journalOf(environment);
  const entries = keys.length === 0 ? [] : (await journal.all()).entries;
  return Promise.all(
    keys.map(async (key) => {
      const entry = entries.find((each) => each.key === key);
      if (entry === undefined) return fault("forgotten", `the journal has no entry ${key}`);
      if (isUnderWay(entry, Date.now()))
        return fault("forgotten", `${objectText(entry)}: the run that makes it has not ended. Wait until it has`);
      await journal.remove(entry);
      return line("ok", "forgotten", `${stackText(entry)}: ${objectText(entry)}`);
    }),
  );
}

function openLine(entry: JournalEntry, open: readonly JournalEntry[]): DoctorLine {
  const since = entry.id === undefined ? "refused or made again since" : "which no run takes over";
  const made = entry.isSuperseded ? `, ${since}` : "";
  const advice =
    `${leftBehindAdvice(open)} If you have dealt with an object by hand, remove its entry:\n` + forgetCommands(open);
  const { backend } = entry.stack;
  const state = backend === "" ? "" : `, with its state in ${backend}`;
  return line("unknown", "interrupted", `${stackText(entry)}${state}, ${entry.sentAt}: ${objectText(entry)}${made}`, [
    advice,
  ]);
}

/**
 * The creations that the next run of a stack should confirm. They are named, because no run would do that if the stack or the resource
 * was renamed.
 */
function waitingLines(entries: readonly JournalEntry[]): readonly DoctorLine[] {
  return [...new Set(entries.map(stackText))].map((stack) => {
    const made = entries.filter((entry) => stackText(entry) === stack);
    const them = made.length === 1 ? "it" : "them";
    const finding =
      `${stack}: the last run made or took over ${made.map(objectText).join("; ")}. The next run of this stack checks that the state has ${them}. ` +
      `If it does not, a message names ${them}.`;
    const advice =
      `Only if ${stack} was renamed or removed, look for ${them} yourself, with \`pulumi stack export\`, and then remove ` +
      `${made.length === 1 ? "its entry" : "their entries"}:\n${forgetCommands(made)}`;
    return line("ok", "journal", finding, [advice]);
  });
}

function forgetCommands(entries: readonly JournalEntry[]): string {
  return entries.map(({ key }) => `  cloudinfra doctor --forget ${key}`).join("\n");
}
