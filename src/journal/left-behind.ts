import { urnParts } from "../engine/urn";
import { isOfCommand, shownName, type JournalEntry } from "./entry";
import type { UnreadableEntry } from "./journal";

const MAX_NAMED = 10;

/** The warnings of a run about open entries. `isOwn`: whether an entry belongs to the run's stack. */
export function leftBehindTexts(
  open: readonly JournalEntry[],
  isOwn: (entry: JournalEntry) => boolean,
  baseUrl: string,
): readonly string[] {
  const ofCommands = open.filter(isOfCommand);
  const ofRuns = open.filter((entry) => !isOfCommand(entry));
  const own = ofRuns.filter(isOwn);
  const elsewhere = ofRuns.filter((entry) => !isOwn(entry));
  return [
    ...(ofCommands.length > 0 ? [leftByCommandsText(ofCommands)] : []),
    ...(own.length > 0 ? [leftBehindText(own)] : []),
    ...(elsewhere.length > 0 ? [leftElsewhereText(elsewhere, baseUrl)] : []),
  ];
}

/** Names earlier creations and take-overs of this stack that the state may not have, and says what to do. */
function leftBehindText(entries: readonly JournalEntry[]): string {
  return (
    `An earlier run failed or was interrupted, and the state may not know what it made or took over: ` +
    `${listedEntries(entries.map(objectText))}. ${leftBehindAdvice(entries)}`
  );
}

/**
 * Names the objects that interrupted runs of other stacks may have made. One of them may be this stack under an earlier
 * name or base URL.
 */
function leftElsewhereText(entries: readonly JournalEntry[], baseUrl: string): string {
  const at = ({ stack }: JournalEntry): string => (stack.baseUrl === baseUrl ? "" : ` at ${stack.baseUrl}`);
  const texts = entries.map((entry) => `${objectText(entry)} in ${stackText(entry)}${at(entry)}`);
  return (
    `An earlier run of another stack or provider, or at another base URL, failed or was interrupted: ${listedEntries(texts)}. If that is this one under ` +
    `an earlier name or address, find the object in the API, and delete it or adopt it with adopt: "<its id>". Otherwise the next run ` +
    `there looks for it.`
  );
}

/** Names the keys that commands made, and did not delete. */
function leftByCommandsText(entries: readonly JournalEntry[]): string {
  return `An earlier command was interrupted before it deleted ${listedEntries(entries.map(objectText))}. ${COMMANDS_ADVICE}`;
}

const COMMANDS_ADVICE = "No run deletes a command's key: delete it with `cloudinfra doctor --delete <id>`.";

/**
 * Names the objects that earlier runs reported to Pulumi, and that the state may lack. That is not proven, so the text
 * only advises to look.
 */
export function notPresentedText(entries: readonly JournalEntry[], isOwn: (entry: JournalEntry) => boolean): string {
  const texts = entries.map((entry) => objectText(entry) + (isOwn(entry) ? "" : ` in ${stackText(entry)}`));
  return (
    `Earlier runs made or took over ${listedEntries(texts)}, but this run did not find that in the state. That is normal after a failed or cancelled run, ` +
    `in a run with --target, and for objects that \`retainOnDelete\` keeps. Otherwise look for their ids in \`pulumi stack export\`.`
  );
}

/** The stack or the command of an entry, in words. */
export function stackText(entry: JournalEntry): string {
  const { project, stack, provider } = entry.stack;
  if (isOfCommand(entry)) return `command cloudinfra ${stack}`;
  return `stack ${project}/${stack}${provider === undefined ? "" : `, provider "${provider}"`}`;
}

export function leftBehindAdvice(entries: readonly JournalEntry[]): string {
  const advice = [
    entries.every((entry) => isTakeOver(entry) || isOfCommand(entry)) ||
      "A run that creates one of these resources looks for its object first. If your program no longer declares the resource, " +
        'find the object in the API. Then adopt it with adopt: "<its id>", or delete it with `cloudinfra doctor --delete <its id>`.',
    entries.some(isTakeOver) &&
      "A run that takes it over again knows how it was found. If your program no longer has the object, set it back to that in the API.",
    entries.some(isOfCommand) && COMMANDS_ADVICE,
  ];
  return advice.filter((text) => typeof text === "string").join(" ");
}

function isTakeOver({ foundAs }: JournalEntry): boolean {
  return foundAs !== undefined;
}

/** What to do if files in the journal, or the whole journal, cannot be read. */
export function unreadableAdvice(entries: readonly UnreadableEntry[]): string {
  return entries.some(({ isJournal }) => isJournal)
    ? "Make the journal a folder that you can read and write: runs keep there what they have not finished."
    : "Each may be about an object that an interrupted run made. Look for the object in the API, then delete the file.";
}

/** Names the files in the journal that cannot be read. */
export function unreadableText(entries: readonly UnreadableEntry[]): string {
  return (
    `The journal of creations cannot be read completely: ${listedEntries(entries.map(({ path, reason }) => `${path} ${reason}`))}. ` +
    unreadableAdvice(entries)
  );
}

/** The resource of an entry, and how to find its object, in words. */
export function objectText(entry: JournalEntry): string {
  const { noun, id, urn, foundAs } = entry;
  if (foundAs) return `${noun} "${urnParts(urn).name}" (${id}, found with ${foundText(foundAs)})`;
  const named = `named ${shownName(entry)}`;
  return `${noun} "${urnParts(urn).name}" (${id === undefined ? `if made, it is ${named}` : `${id}, ${named}`})`;
}

/** The former values of an object in words: `publicIpEnabled: false`. */
export function foundText(foundAs: NonNullable<JournalEntry["foundAs"]>): string {
  return Object.entries(foundAs)
    .map(([field, value]) => `${field}: ${String(value)}`)
    .join(", ");
}

/** The first ten of a list. */
function listedEntries(texts: readonly string[]): string {
  const rest = texts.length - MAX_NAMED;
  return (
    texts.slice(0, MAX_NAMED).join("; ") +
    (rest > 0 ? `; and ${rest} more, which \`cloudinfra doctor --all\` lists` : "")
  );
}
