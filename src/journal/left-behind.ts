import type { JournalEntry } from "./journal";

/** What an interrupted creation may have left, and what to do, in words for the run's warning and for the doctor. */
export function leftBehind({ noun, name, id, urn, stack, sentAt }: JournalEntry): string {
  const object = id === undefined ? `one named "${name}"` : `${id}, named "${name}"`;
  const made = id === undefined ? `may have made ${object}` : `made ${object}`;
  return (
    `A run of stack ${stack.project}/${stack.stack} was interrupted at ${sentAt} while it created ${noun} "${logicalName(urn)}": ` +
    `the API ${made}, and the state may not know it. The run that creates "${logicalName(urn)}" looks for it first. ` +
    `If your program has no such resource any more, look for it at the API and delete it, or take it over with adopt.`
  );
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

function logicalName(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}
