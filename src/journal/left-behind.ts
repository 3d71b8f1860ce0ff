import { urnParts } from "../urn";
import type { JournalEntry, UnreadableEntry } from "./journal";

const MOST_NAMED = 10;

/** What interrupted creations may have left and what to do about it, in one warning. */
export function leftBehindText(entries: readonly JournalEntry[]): string {
  // First what the API has not answered: of the rest the state may well know.
  const named = [...entries].sort((a, b) => Number(a.id !== undefined) - Number(b.id !== undefined)).map(objectText);
  return (
    `An earlier run was interrupted, and the state may not know what it was creating: ${listed(named)}. ` +
    LEFT_BEHIND_ADVICE
  );
}

/** What to do about open entries. */
export const LEFT_BEHIND_ADVICE =
  "A run that creates one of these resources looks for its object first. If your program no longer declares the resource, " +
  'find the object in the API, and delete it or adopt it with adopt: "<its id>".';

/** What in the journal cannot be understood, in one warning. */
export function unreadableText(entries: readonly UnreadableEntry[]): string {
  return (
    `The journal of creations has entries that cannot be read: ${listed(entries.map(({ path, why }) => `${path} ${why}`))}. ` +
    `Each may be about an object that an interrupted run made. Look for the object in the API, then delete the file.`
  );
}

/** One of them: which resource, and by what its object is found. */
export function objectText({ noun, name, id, urn }: JournalEntry): string {
  return `${noun} "${urnParts(urn).name}" (${id === undefined ? `if made, it is named "${name}"` : `${id}, named "${name}"`})`;
}

function listed(texts: readonly string[]): string {
  const rest = texts.length - MOST_NAMED;
  return (
    texts.slice(0, MOST_NAMED).join("; ") + (rest > 0 ? `; and ${rest} more, which \`cloudinfra doctor\` lists` : "")
  );
}
