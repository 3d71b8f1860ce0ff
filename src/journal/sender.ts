import { isVisible, runsElsewhere, type ProcessIdentity } from "../process/process-identity";
import { isAboutOthers, type JournalEntry, type Worker } from "./entry";

/** How often a process touches the files of its entries, for processes that cannot see it. */
export const TOUCHED_EVERY_MS = 15_000;
/** After this long without a touch, the process counts as dead. */
const SILENT_FOR_MS = 60_000;

/** Touches the files of a journal until the timer is cleared. The timer keeps no process alive. */
export function touchRegularly(files: { touch(): Promise<void> }): NodeJS.Timeout {
  return setInterval(() => void files.touch(), TOUCHED_EVERY_MS).unref();
}

/**
 * True if another process is still working on the creation, and not only keeps an entry about its other attempts.
 * `now` is this machine's time of day.
 */
export function isUnderWay(entry: JournalEntry, now: number): boolean {
  const { sender, isHandedOver, touchedAt } = entry;
  if (isAboutOthers(entry)) return false;
  return isOtherRunning({ process: sender, touchedAt }, now) && (isHandedOver !== true || isVisible(sender));
}

/**
 * True if this is another process that runs. Containers can share a home folder and not see each other's processes.
 * Then the age of the file decides. It also decides if the system does not show when a process started, because another
 * process may have the same id. An age below `-TOUCHED_EVERY_MS` counts as silent, because the clocks disagree.
 */
export function isOtherRunning({ process, touchedAt }: Worker, now: number): boolean {
  const ageMs = touchedAt === undefined ? undefined : now - Date.parse(touchedAt);
  const isTouched = ageMs !== undefined && ageMs > -TOUCHED_EVERY_MS && ageMs < SILENT_FOR_MS;
  if (!process || !isVisible(process)) return isTouched;
  return runsElsewhere(process) && (process.startedAt !== undefined || ageMs === undefined || isTouched);
}

/** The process id for a message, after a space and in brackets. Empty if another process may have that id. */
export function pidText(process: ProcessIdentity | undefined): string {
  const isProven = process && isVisible(process) && process.startedAt !== undefined && runsElsewhere(process);
  return isProven ? ` (${process.pid})` : "";
}

/** A plugin whose engine was killed ends within seconds. */
const KILLED_ENDS_WITHIN_MS = 30_000;

/** How long to wait for the end of a process. After that it is known whether it still runs. */
export function waitedForMs(process: ProcessIdentity | undefined): number {
  return process && isVisible(process) ? KILLED_ENDS_WITHIN_MS : SILENT_FOR_MS + TOUCHED_EVERY_MS;
}
