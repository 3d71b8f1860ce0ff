import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { ProcessIdentity, JournalEntry } from "./entry";

let own: ProcessIdentity | undefined;

export function thisProcess(): ProcessIdentity {
  return (own ??= { pid: process.pid, startedAt: startOf(process.pid), space: spaceOfThisProcess() });
}

export function isThisProcess({ pid, startedAt, space }: ProcessIdentity): boolean {
  const self = thisProcess();
  return pid === self.pid && startedAt === self.startedAt && space === self.space;
}

/** True if this process can see whether that one runs. A process id means nothing in another container or on another machine. */
function isVisible({ space }: ProcessIdentity): boolean {
  return space === thisProcess().space;
}

/** True if another process runs with this identity. Ask only for a process that this one can see. */
export function runsElsewhere(sender: ProcessIdentity): boolean {
  const { pid, startedAt } = sender;
  return !isThisProcess(sender) && isThere(pid) && (startedAt === undefined || startedAt === startOf(pid));
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0); // signal 0 only asks if the process exists
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // it exists, and belongs to another user
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

/** How often a process touches the files of its entries, for processes that cannot see it. */
export const TOUCHED_EVERY_MS = 15_000;
/** After this long without a touch, the process counts as dead. */
const SILENT_FOR_MS = 60_000;

/**
 * True if another process is still working on the creation. `now` is this machine's time. Containers can share a home folder and not
 * see each other's processes. Then the age of the entry's file decides. A negative age below `-TOUCHED_EVERY_MS` says nothing, because
 * the clocks disagree.
 */
export function isUnderWay({ sender, isHandedOver, touchedAt }: JournalEntry, now: number): boolean {
  if (isVisible(sender)) return runsElsewhere(sender);
  if (isHandedOver === true || touchedAt === undefined) return false;
  const ageMs = now - Date.parse(touchedAt);
  return ageMs > -TOUCHED_EVERY_MS && ageMs < SILENT_FOR_MS;
}

/** True if the process with this id is certainly the one that sent the request, so that a message may advise to end it. */
export function isProvenToRun(sender: ProcessIdentity): boolean {
  return isVisible(sender) && sender.startedAt !== undefined && runsElsewhere(sender);
}

/** A plugin whose engine was killed ends within seconds. */
const KILLED_ENDS_WITHIN_MS = 30_000;

/** How long to wait for the end of a process. After that it is known whether it still runs. */
export function waitedForMs(sender: ProcessIdentity): number {
  return isVisible(sender) ? KILLED_ENDS_WITHIN_MS : SILENT_FOR_MS + TOUCHED_EVERY_MS;
}
