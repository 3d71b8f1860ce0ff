import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { ProcessIdentity } from "./entry";

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
export function isVisible({ space }: ProcessIdentity): boolean {
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
