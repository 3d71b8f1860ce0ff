import { readFileSync } from "node:fs";

const MOST_ANCESTORS = 4;

/** The ids of the processes of Pulumi's CLI above this one, the nearest first. Only Linux shows them. */
export function cliProcesses(): readonly number[] {
  const found: number[] = [];
  let pid = process.ppid;
  for (let nth = 0; nth < MOST_ANCESTORS && pid > 1; nth += 1) {
    try {
      if (readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "pulumi") found.push(pid);
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      pid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    } catch {
      break; // not Linux, or not for us to read
    }
  }
  return found;
}

/** Whether the CLI prints debug messages. False if this cannot be found out. */
export function printsDebugMessages(): boolean {
  return cliArguments().some(asksForDebugMessages);
}

/** Whether the CLI destroys a stack. False if this cannot be found out. */
export function runsDestroy(): boolean {
  return cliArguments().some((args) => args.includes("destroy"));
}

/** Whether the CLI changes the resources that it names, and not what depends on them. False if this cannot be found out. */
export function runsWithoutDependents(): boolean {
  return cliArguments().some(leavesDependents);
}

function cliArguments(): readonly (readonly string[])[] {
  return cliProcesses().flatMap((pid) => {
    try {
      return [readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")];
    } catch {
      return [];
    }
  });
}

/** `--debug`, or `-d` alone or among other letters without a value. */
export function asksForDebugMessages(args: readonly string[]): boolean {
  return args.some((arg) => /^(--debug(=true)?|-[fry]*d[fry]*)$/.test(arg));
}

/** `--target`, or `-t` alone or behind other letters without a value; and no `--target-dependents`. */
export function leavesDependents(args: readonly string[]): boolean {
  const isTargeted = args.some((arg) => /^(--target(=.*)?|-[dfry]*t.*)$/.test(arg));
  return isTargeted && !args.some((arg) => /^--target-dependents(=true)?$/.test(arg));
}
