import { urnParts } from "../urn";
import type { JournalEntry, UnreadableEntry } from "./journal";

const MOST_NAMED = 10;

/** One warning: what the state may not have of earlier creations and take-overs, and what to do about it. */
export function leftBehindText(entries: readonly JournalEntry[]): string {
  // Creations without an answer come first. The state may have the others.
  const byAnswer = [...entries].sort((a, b) => Number(a.id !== undefined) - Number(b.id !== undefined));
  const isFinished = ({ isHandedOver, isCancelled }: JournalEntry): boolean => isHandedOver === true && !isCancelled;
  const creations = byAnswer.filter((entry) => !isTakeOver(entry));
  const interrupted = creations.filter((entry) => !isFinished(entry)).map(objectText);
  const finished = creations.filter(isFinished).map(objectText);
  const takenOver = byAnswer.filter(isTakeOver).map(objectText);
  const begins = [
    interrupted.length > 0 &&
      `An earlier run was interrupted, and the state may not know what it was creating: ${listed(interrupted)}.`,
    finished.length > 0 &&
      `No update since its creation has shown that the state has ${listed(finished)}: the updates left it out, as with --target ` +
        `or after an error, or the state is another one.`,
    takenOver.length > 0 && `The state may not know that an earlier run took over ${listed(takenOver)}.`,
  ];
  return [...begins.filter((text) => text !== false), leftBehindAdvice(entries)].join(" ");
}

/** The advice on open entries. */
export function leftBehindAdvice(entries: readonly JournalEntry[]): string {
  const advice = [
    entries.every(isTakeOver) ||
      "A run that creates one of these resources looks for its object first. If your program no longer declares the resource, " +
        'find the object in the API, and delete it or adopt it with adopt: "<its id>".',
    entries.some(isTakeOver) &&
      "A run that takes it over again knows how it was found. If your program no longer has that object, set it back to that.",
  ];
  return advice.filter((text) => typeof text === "string").join(" ");
}

function isTakeOver({ foundAs }: JournalEntry): boolean {
  return foundAs !== undefined;
}

/** One warning about files in the journal that cannot be read. */
export function unreadableText(entries: readonly UnreadableEntry[]): string {
  return (
    `The journal of creations has entries that cannot be read: ${listed(entries.map(({ path, why }) => `${path} ${why}`))}. ` +
    `Each may be about an object that an interrupted run made. Look for the object in the API, then delete the file.`
  );
}

/** An entry in words: the resource, and how to find its object. */
export function objectText({ noun, name, id, urn, foundAs }: JournalEntry): string {
  const found = Object.entries(foundAs ?? {}).map(([field, value]) => `${field}: ${String(value)}`);
  if (foundAs) return `${noun} "${urnParts(urn).name}" (${id}, found with ${found.join(", ")})`;
  return `${noun} "${urnParts(urn).name}" (${id === undefined ? `if made, it is named "${name}"` : `${id}, named "${name}"`})`;
}

function listed(texts: readonly string[]): string {
  const rest = texts.length - MOST_NAMED;
  return (
    texts.slice(0, MOST_NAMED).join("; ") + (rest > 0 ? `; and ${rest} more, which \`cloudinfra doctor\` lists` : "")
  );
}
