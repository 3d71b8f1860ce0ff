import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { ProcessIdentity, JournalEntry } from "./entry";

let own: ProcessIdentity | undefined;

export function thisProcess(): ProcessIdentity {
  return (own ??= { pid: process.pid, startedAt: startOf(process.pid), space: spaceOfThisProcess() });
}

/** Whether it is this process. */
export function isThisProcess({ pid, startedAt, space }: ProcessIdentity): boolean {
  const self = thisProcess();
  return pid === self.pid && startedAt === self.startedAt && space === self.space;
}

/** Whether it can be told from here if the process runs: its number means nothing in another container or on another machine. */
function isVisible({ space }: ProcessIdentity): boolean {
  return space === thisProcess().space;
}

/** Whether it is another process than this one, and runs now. For a visible one. */
export function runsElsewhere({ pid, startedAt }: ProcessIdentity): boolean {
  const self = thisProcess();
  if (pid === self.pid && (startedAt === undefined || startedAt === self.startedAt)) return false;
  return isThere(pid) && (startedAt === undefined || startedAt === startOf(pid));
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0); // sends nothing, asks only
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // it is there, and somebody else's
  }
}

/** The start of a process in ticks since the boot. Only Linux shows it. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, with any characters. The start is the 22nd field.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function spaceOfThisProcess(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/** How often a process touches the files of its entries, so that those who cannot see it know that it runs. */
export const TOUCHED_EVERY_MS = 15_000;
/** After this long without a touch, the process counts as ended. */
const SILENT_FOR_MS = 60_000;

/**
 * Whether another process is at it now, by this machine's time. Containers can share a home folder and not see each other's
 * processes: then the age of the entry's file tells. A negative age says nothing, because the clocks disagree. Clocks that nearly
 * agree differ by less than one touch.
 */
export function isUnderWay({ sender, isHandedOver, touchedAt }: JournalEntry, now: number): boolean {
  if (isVisible(sender)) return runsElsewhere(sender);
  if (isHandedOver === true || touchedAt === undefined) return false;
  const ageMs = now - Date.parse(touchedAt);
  return ageMs > -TOUCHED_EVERY_MS && ageMs < SILENT_FOR_MS;
}

/** Whether the process with this number is surely the one that sent it, so that a person can be told to end it. */
export function isProvenToRun(sender: ProcessIdentity): boolean {
  return isVisible(sender) && sender.startedAt !== undefined && runsElsewhere(sender);
}

/** A plugin whose engine was killed ends within seconds. */
const KILLED_ENDS_WITHIN_MS = 30_000;

/** How long others wait for the end of a process: until it is known whether it runs. */
export function waitedForMs(sender: ProcessIdentity): number {
  return isVisible(sender) ? KILLED_ENDS_WITHIN_MS : SILENT_FOR_MS + TOUCHED_EVERY_MS;
}
