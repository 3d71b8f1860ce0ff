import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Which process it was: a number alone is given to another process sooner or later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it was started, in the system's own units; absent if the system does not tell. */
  readonly startedAt?: string | undefined;
  /** Where the number counts: a boot of a machine and, on Linux, a namespace of processes. Absent in entries of release 0.1.0. */
  readonly space?: string | undefined;
}

let own: ProcessIdentity | undefined;

/** This process. */
export function thisProcess(): ProcessIdentity {
  return (own ??= { pid: process.pid, startedAt: startOf(process.pid), space: spaceOfThisProcess() });
}

/** Whether it is another process than this one, and runs now. One of another machine or boot counts as ended. */
export function runsElsewhere({ pid, startedAt, space }: ProcessIdentity): boolean {
  const self = thisProcess();
  if (pid === self.pid && (startedAt === undefined || startedAt === self.startedAt)) return false;
  if (space !== undefined && space !== self.space) return false;
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

/** The time of a process's start in ticks since the boot, which Linux alone tells. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, with whatever is in it; the start is the 22nd.
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
