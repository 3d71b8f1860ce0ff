import { addressOf, isSameStack } from "../../journal/address";
import { isAboutOthers, isOfCommand, type JournalEntry } from "../../journal/entry";
import type { UnreadableEntry } from "../../journal/journal";
import { leftBehindAdvice, objectText, stackText, unreadableAdvice } from "../../journal/left-behind";
import { isUnderWay } from "../../journal/sender";
import { isSameId } from "../../definition/same-id";
import type { CliIo } from "../io";
import { stackNameParts } from "../pulumi/run-pulumi";
import type { StateResource } from "../pulumi/stack";
import { journalOf } from "../command-journal";
import { fault, line, type DoctorLine } from "./doctor-report";

/** The stack whose state the doctor has read. */
interface ReadStack {
  /** Undefined without a project or a stack. */
  readonly project: string | undefined;
  readonly stack: string | undefined;
  readonly backend: string;
  /** An error if it cannot be read. */
  readonly state: readonly Pick<StateResource, "id" | "external">[] | Error;
}

/**
 * Lists the open creations of the project's stacks, and counts those of other projects. Lists all without a project, or
 * if `isComplete`. They are not faults of the settings, but an unreadable journal is one.
 */
export async function openCreations(
  { environment }: Pick<CliIo, "environment">,
  read: ReadStack,
  isComplete = false,
): Promise<readonly DoctorLine[]> {
  const { entries, unreadable } = await journalOf(environment).all();
  const ended = entries.filter((entry) => !isUnderWay(entry, Date.now()) && !isWatched(entry));
  const { project = read.project } = stackNameParts(read.stack ?? "");
  const isListed = (entry: JournalEntry): boolean =>
    isComplete || project === undefined || entry.stack.project === project || isOfCommand(entry);
  const listed = ended.filter(isListed);
  const open = listed.filter((entry) => !isSaved(entry));
  return [
    ...open.map((entry) => about([entry], openLine(entry, open))),
    ...waitingLines(
      listed.filter((entry) => isSaved(entry) && !isInState(entry, read)),
      read,
    ),
    ...otherProjectsLines(ended.filter((entry) => !isListed(entry))),
    ...unreadableLines(unreadable),
  ];
}

/**
 * True if runs of a stack look for other objects of a creation whose object is known, and have named none. A
 * command's key belongs to no stack.
 */
function isWatched(entry: JournalEntry): boolean {
  const isNamed = entry.warned?.some((warning) => warning.endsWith("-late")) === true;
  return isAboutOthers(entry) && !isOfCommand(entry) && !isNamed;
}

/** True if the read state manages the object of the entry. */
function isInState({ id }: JournalEntry, { state }: ReadStack): boolean {
  return !(state instanceof Error) && state.some((each) => each.external !== true && isSameId(each.id, id));
}

/** True if the next run of the stack only confirms the entry. */
function isSaved({ isSuperseded, isHandedOver }: JournalEntry): boolean {
  return isSuperseded !== true && isHandedOver === true;
}

function otherProjectsLines(entries: readonly JournalEntry[]): readonly DoctorLine[] {
  const count = new Set(entries.map(stackText)).size;
  if (count === 0) return [];
  const stacks = count === 1 ? "a stack of another project has" : `${count} stacks of other projects have`;
  const isAllSaved = entries.every(isSaved);
  const finding = `${stacks} entries${isAllSaved ? "" : ", some of interrupted runs"}`;
  const advice = "To list the objects of other projects, run `cloudinfra doctor --all`.";
  return [line(isAllSaved ? "ok" : "unknown", "journal", finding, [advice])];
}

/** Removes entries that a person has dealt with. No run looks for their objects any longer. */
export async function forgetCreations({ environment }: CliIo, keys: readonly string[]): Promise<readonly DoctorLine[]> {
  const journal = journalOf(environment);
  const { entries, unreadable } = await journal.all();
  const readable = unreadable.length === 0 ? "" : "readable ";
  const lines = await Promise.all(
    keys.map(async (key) => {
      const entry = entries.find((each) => each.key === key);
      if (entry === undefined) return fault("forgotten", `the journal has no ${readable}entry ${key}`);
      if (isUnderWay(entry, Date.now()))
        return fault("forgotten", `${objectText(entry)}: the run that makes it has not ended. Wait until it has`);
      await journal.remove(entry);
      return line("ok", "forgotten", `${stackText(entry)}: ${objectText(entry)}`);
    }),
  );
  const isAllFound = keys.every((key) => entries.some((entry) => entry.key === key));
  return isAllFound ? lines : [...lines, ...unreadableLines(unreadable)];
}

function unreadableLines(unreadable: readonly UnreadableEntry[]): readonly DoctorLine[] {
  return unreadable.map(({ path, reason }) => fault("journal", `${path} ${reason}`, [unreadableAdvice(unreadable)]));
}

function openLine(entry: JournalEntry, open: readonly JournalEntry[]): DoctorLine {
  const advice =
    `${leftBehindAdvice(open)} If you have dealt with an object by hand, remove its entry:\n` + forgetCommands(open);
  const { backend } = entry.stack;
  const state = backend === "" ? "" : `, with its state in ${backend}`;
  return line(
    "unknown",
    "interrupted",
    `${stackText(entry)}${state}, ${entry.sentAt}: ${objectText(entry)}${sinceText(entry)}`,
    [advice],
  );
}

function sinceText({ id, isSuperseded, madeIds: [known] = [] }: JournalEntry): string {
  if (known !== undefined) return `, and not ${known}, which another attempt made`;
  if (!isSuperseded) return "";
  return id === undefined ? ", refused or made again since" : ", which no run takes over";
}

const OTHER_STACKS =
  "To look for the objects of another stack in its state, run `cloudinfra doctor --stack <name>` in the folder of its project. To list them " +
  "and their entries, run `cloudinfra doctor --format json`.";

/**
 * The creations that the next run of a stack confirms. Those of the read stack are named if its state does not have
 * them, because no run would do that if the stack or the resource was renamed.
 */
function waitingLines(waiting: readonly JournalEntry[], read: ReadStack): readonly DoctorLine[] {
  const own = waiting.filter((entry) => isOf(entry, read));
  const others = waiting.filter((entry) => !own.includes(entry));
  return [
    ...[...Map.groupBy(own, stackText)].map(([stack, made]) => about(made, ownLine(stack, made, read))),
    ...[...Map.groupBy(others, stackText)].map(([stack, made]) => about(made, otherLine(stack, made))),
  ];
}

function ownLine(stack: string, made: readonly JournalEntry[], { state }: ReadStack): DoctorLine {
  const [them, entriesText] = made.length === 1 ? ["it", "entry"] : ["them", "entries"];
  const finding = `${stack}: an earlier run made or took over ${made.map(objectText).join("; ")}, and `;
  if (state instanceof Error) {
    const advice =
      `If ${stack} was renamed, look for ${them} with \`pulumi stack export --stack <present name>\`. If that state has ${them}, ` +
      `remove the ${entriesText}:\n${forgetCommands(made)}`;
    return line("unknown", "journal", `${finding}its state cannot be read, see below`, [state.message, advice]);
  }
  const advice =
    `If no stack manages ${them}, delete ${them} with \`cloudinfra doctor --delete <id>\`, which shows the object and asks. If ${stack} was ` +
    `renamed, the state of the stack may have ${them} under its new name: then remove the ${entriesText}:\n${forgetCommands(made)}`;
  return line("unknown", "journal", `${finding}no resource in the state manages ${them}`, [advice]);
}

function otherLine(stack: string, made: readonly JournalEntry[]): DoctorLine {
  const objects = made.length === 1 ? "object" : `${made.length} objects`;
  const finding = made.every(isOfCommand)
    ? `${stack}: resources have adopted ${made.map(objectText).join("; ")}, and the next runs of their stacks check that`
    : `${stack}: the next run of this stack checks that the state has the ${objects} of the last run`;
  return line("ok", "journal", finding, [OTHER_STACKS]);
}

function about(entries: readonly JournalEntry[], found: DoctorLine): DoctorLine {
  return { ...found, entries: entries.map((entry) => ({ object: objectText(entry), key: entry.key })) };
}

function isOf(entry: JournalEntry, read: ReadStack): boolean {
  const address = addressOf(entry.stack);
  const { organization, project = read.project ?? "", stack } = stackNameParts(read.stack ?? "");
  return isSameStack(address, { ...address, backend: read.backend, organization, project, stack });
}

function forgetCommands(entries: readonly JournalEntry[]): string {
  return entries.map(({ key }) => `  cloudinfra doctor --forget ${key}`).join("\n");
}
