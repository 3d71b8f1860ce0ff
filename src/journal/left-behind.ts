import { urnParts } from "../urn";
import type { JournalEntry } from "./journal";

const MOST_NAMED = 10;

/** What interrupted creations may have left and what to do about it, in one warning. */
export function leftBehindText(entries: readonly JournalEntry[]): string {
  // First what the API has not answered: of the rest the state may well know.
  const named = [...entries].sort((a, b) => Number(a.id !== undefined) - Number(b.id !== undefined)).map(objectText);
  const rest = named.length - MOST_NAMED;
  const list =
    named.slice(0, MOST_NAMED).join("; ") + (rest > 0 ? `; and ${rest} more, which \`cloudinfra doctor\` lists` : "");
  return `An earlier run was interrupted, and the state may not know what it was creating: ${list}. ${LEFT_BEHIND_ADVICE}`;
}

/** What to do about open entries. */
export const LEFT_BEHIND_ADVICE =
  "A run that creates one of these resources looks for its object first. What your program has no more, look for at the API, " +
  'and delete it or take it over with adopt: "<its id>".';

/** One of them: which resource, and by what its object is found. */
export function objectText({ noun, name, id, urn }: JournalEntry): string {
  return `${noun} "${urnParts(urn).name}" (${id === undefined ? `if made, it is named "${name}"` : `${id}, named "${name}"`})`;
}

/** Whether the process that sent the creation is still there to see it through. */
export function isUnderWay({ pid }: JournalEntry): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0); // sends nothing, asks only
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // it is there, and somebody else's
  }
}
