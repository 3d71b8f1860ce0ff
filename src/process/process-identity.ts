import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** The identity of a process. The process id alone is not enough, because the system uses ids again. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, in the system's units. Undefined if the system does not say it. */
  readonly startedAt?: string | undefined;
  /**
   * The scope of the process id: the boot of the machine and the namespace of processes on Linux, otherwise the host
   * name.
   */
  readonly space: string;
}

let own: ProcessIdentity | undefined;
let ownSpace: string | undefined;

export function thisProcess(): ProcessIdentity {
  return (own ??= identityOf(process.pid));
}

/** The identity of a process that this one can see. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, startedAt: startOf(pid), space: (ownSpace ??= spaceOfThisProcess()) };
}

export function isSameProcess(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.pid === other.pid && one.startedAt === other.startedAt && one.space === other.space;
}

export function isThisProcess(identity: ProcessIdentity): boolean {
  return isSameProcess(identity, thisProcess());
}

/**
 * True if this process can see whether that one runs. A process id means nothing in another container or on another
 * machine.
 */
export function isVisible({ space }: ProcessIdentity): boolean {
  return space === thisProcess().space;
}

/** True if this is the identity of this process, or of another one that it can see and that runs. */
export function isSeenRunning(identity: ProcessIdentity): boolean {
  return isThisProcess(identity) || (isVisible(identity) && runsElsewhere(identity));
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

/** The status of a process, its parent, and so on: the fields in Linux's /proc, from the third on. Throws elsewhere. */
export function statusOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the program's name in parentheses, with any characters.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/**
 * The start of a process in ticks since the boot. Only Linux shows it. Undefined for a process that has ended and whose
 * parent has not asked for its result: in a container, that can last as long as the container.
 */
function startOf(pid: number): string | undefined {
  try {
    const fields = statusOf(pid); // from the third one on; the start is the 22nd
    return fields[0] === "Z" ? undefined : fields[19];
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
