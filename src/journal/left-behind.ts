import { urnParts } from "../urn";
import type { JournalEntry, UnreadableEntry } from "./journal";

const MOST_NAMED = 10;

/** One warning: what the state may not have of earlier creations, and what to do about it. */
export function leftBehindText(entries: readonly JournalEntry[]): string {
  // Creations without an answer come first. The state may have the others.
  const byAnswer = [...entries].sort((a, b) => Number(a.id !== undefined) - Number(b.id !== undefined));
  const isFinished = ({ isHandedOver, isCancelled }: JournalEntry): boolean => isHandedOver === true && !isCancelled;
  const interrupted = byAnswer.filter((entry) => !isFinished(entry)).map(objectText);
  const finished = byAnswer.filter(isFinished).map(objectText);
  const begins = [
    interrupted.length > 0 &&
      `An earlier run was interrupted, and the state may not know what it was creating: ${listed(interrupted)}.`,
    finished.length > 0 &&
      `No update since its creation has shown that the state has ${listed(finished)}: the updates left it out, as with --target ` +
        `or after an error, or the state is another one.`,
  ];
  return [...begins.filter((text) => text !== false), LEFT_BEHIND_ADVICE].join(" ");
}

/** The advice on open entries. */
export const LEFT_BEHIND_ADVICE =
  "A run that creates one of these resources looks for its object first. If your program no longer declares the resource, " +
  'find the object in the API, and delete it or adopt it with adopt: "<its id>".';

/** One warning about files in the journal that cannot be read. */
export function unreadableText(entries: readonly UnreadableEntry[]): string {
  return (
    `The journal of creations has entries that cannot be read: ${listed(entries.map(({ path, why }) => `${path} ${why}`))}. ` +
    `Each may be about an object that an interrupted run made. Look for the object in the API, then delete the file.`
  );
}

/** An entry in words: the resource, and how to find its object. */
export function objectText({ noun, name, id, urn }: JournalEntry): string {
  return `${noun} "${urnParts(urn).name}" (${id === undefined ? `if made, it is named "${name}"` : `${id}, named "${name}"`})`;
}

function listed(texts: readonly string[]): string {
  const rest = texts.length - MOST_NAMED;
  return (
    texts.slice(0, MOST_NAMED).join("; ") + (rest > 0 ? `; and ${rest} more, which \`cloudinfra doctor\` lists` : "")
  );
}
