import type { JournalEntry } from "../../journal/entry";
import { isUnderWay, pidText, waitedForMs } from "../../journal/sender";
import { pollUntil } from "../../time/clock";
import type { ProcessIdentity } from "../../process/process-identity";
import { CreationUnderWayError } from "../errors";
import type { RecoveryCall } from "./recovery-call";

/** The pause between two looks whether another process has ended. */
const PAUSE_MS = 1_000;

/**
 * Locks an object, so that no other process deletes it or takes it. Waits while another process has it locked, and
 * rejects with CreationUnderWayError if that process goes on. After a wait (`hasWaited`), that process may have taken
 * or deleted the object. So the caller reads the object after this. `isWritable`: false if the journal cannot be
 * written, so that the object is not locked.
 */
export async function lockObject(
  call: RecoveryCall,
  id: string,
): Promise<{ readonly hasWaited: boolean; readonly isWritable: boolean }> {
  const { clock, journal } = call.run;
  let looks = 0;
  const { other, isWritable } = await waitFor(call, async () => {
    looks += 1;
    return journal.writer.lock(id, clock.timeOfDay());
  });
  if (other) throw underWay(call, other.process, `works on ${id}`);
  return { hasWaited: looks > 1, isWritable };
}

/**
 * Waits until the process of a creation no longer works on it, or `isOver`. Resolves with the entry as it is then, or
 * with undefined if it was closed. Rejects with CreationUnderWayError if that process goes on.
 */
export async function awaitSender(
  call: RecoveryCall,
  entry: JournalEntry,
  isOver: (now: JournalEntry) => boolean = () => false,
): Promise<JournalEntry | undefined> {
  const { clock, journal } = call.run;
  const { now, other } = await waitFor(call, async () => {
    await journal.readAgain(call.urn);
    const now = (await journal.earlier(call.urn)).find(({ key }) => key === entry.key);
    const isBusy = now && !isOver(now) && isUnderWay(now, clock.timeOfDay());
    return { now, other: isBusy ? { process: now.sender } : undefined };
  });
  if (other)
    throw underWay(call, other.process, `works on the ${call.kind.noun} that a run of ${entry.sentAt} began to create`);
  return now;
}

/** Looks until no other process works on an object, as long as it takes to know whether that process still runs. */
async function waitFor<T extends { readonly other: { readonly process: ProcessIdentity | undefined } | undefined }>(
  { run: { clock, rows }, urn, kind }: RecoveryCall,
  look: () => Promise<T>,
): Promise<T> {
  const startedAt = clock.now();
  let worker: ProcessIdentity | undefined;
  return pollUntil(
    clock,
    { firstPauseMs: PAUSE_MS, longestPauseMs: PAUSE_MS, leftMs: () => startedAt + waitedForMs(worker) - clock.now() },
    async () => {
      const seen = await look();
      worker = seen.other?.process;
      return seen;
    },
    ({ other }) => other === undefined,
    () => rows.status(urn, `waiting for another process, which works on this ${kind.noun}`),
  );
}

function underWay(call: RecoveryCall, worker: ProcessIdentity | undefined, does: string): CreationUnderWayError {
  const then =
    call.verb === "read"
      ? `${importAdvice(call.urn)} after that process has ended.`
      : "Wait until that process has ended, and run again.";
  return new CreationUnderWayError(
    `Another process${pidText(worker)} ${does}: a run, or \`cloudinfra doctor\`. Nothing was changed here. ${then}`,
  );
}

/**
 * Advice without its full stop. In an update, Pulumi has the resource in the state before the provider knows that it is
 * an import.
 */
export function importAdvice(urn: string): string {
  return `If the state has the import already, run \`pulumi state delete '${urn}'\`. Then run again`;
}
