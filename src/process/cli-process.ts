import { readFileSync } from "node:fs";
import { identityOf, type ProcessIdentity } from "./process-identity";

const MOST_ANCESTORS = 4;

/** The ids of the processes of Pulumi's CLI above this one, the nearest first. In a container it may be 1. Only Linux shows them. */
export function cliProcesses(): readonly number[] {
  const found: number[] = [];
  let pid = process.ppid;
  for (let nth = 0; nth < MOST_ANCESTORS && pid > 0; nth += 1) {
    try {
      if (readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "pulumi") found.push(pid);
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      pid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    } catch {
      break; // not Linux, or another user's process
    }
  }
  return found;
}

/** The process of the engine that has started this one. Undefined if that is not known. */
export function engineProcess(): ProcessIdentity | undefined {
  const [pid] = cliProcesses();
  return pid === undefined ? undefined : identityOf(pid);
}

/** True if the CLI prints debug messages. False if that is not known. */
export function printsDebugMessages(): boolean {
  return cliArguments().some(asksForDebugMessages);
}

/** True if the CLI destroys a stack. False if that is not known. */
export function runsDestroy(): boolean {
  return cliArguments().some((args) => args.includes("destroy"));
}

/** True if the CLI only previews. False if that is not known. */
export function runsPreview(): boolean {
  return cliArguments().some(isPreview);
}

/** True if the CLI has `--target` without `--target-dependents`. False if that is not known. */
export function runsWithoutDependents(): boolean {
  return cliArguments().some(leavesDependents);
}

/** True if `--target` or `--exclude` leaves the resource out of this run. False if that is not known. */
export function runsWithout(urn: string): boolean {
  return cliArguments().some((args) => leavesOut(args, urn));
}

/** True if the CLI replaces the resources that it names, which the engine then shows as new. False if that is not known. */
export function runsForcedReplacement(): boolean {
  return cliArguments().some(forcesReplacement);
}

/** True if the CLI names this resource to be replaced. False if that is not known. */
export function runsReplacementOf(urn: string): boolean {
  return cliArguments().some((args) => replaces(args, urn));
}

let known: readonly (readonly string[])[] | undefined;

/** Read once, because check asks for each new resource, and a process does not change its CLI. */
function cliArguments(): readonly (readonly string[])[] {
  return (known ??= cliProcesses().flatMap((pid) => {
    try {
      return [readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")];
    } catch {
      return [];
    }
  }));
}

/** True if the first argument is the command, because a stack can also have that name. False if flags come first. */
export function isPreview([, command]: readonly string[]): boolean {
  return command === "preview" || command === "pre";
}

/** True for `--debug`, and for `-d` alone or among other short flags without a value. */
export function asksForDebugMessages(args: readonly string[]): boolean {
  return args.some((arg) => /^(--debug(=true)?|-[fry]*d[fry]*)$/.test(arg));
}

/** True for `--target`, unless `--target-dependents` is given. */
export function leavesDependents(args: readonly string[]): boolean {
  return valuesOf(args, TARGET).length > 0 && !args.some((arg) => /^--target-dependents(=true)?$/.test(arg));
}

/** True if the CLI has targets, and the resource is none of them, or if the CLI excludes the resource. */
export function leavesOut(args: readonly string[], urn: string): boolean {
  const isNamed = (patterns: readonly string[]): boolean => patterns.some((each) => isMatch(each, urn));
  const targets = [...valuesOf(args, TARGET), ...valuesOf(args, TARGET_REPLACE)];
  return (targets.length > 0 && !isNamed(targets)) || isNamed(valuesOf(args, EXCLUDE));
}

/** `-t` may follow other short flags in the same argument, such as `-yt`. */
const TARGET = /^(?:--target(?:=|$)|-[dfry]*t)(.*)$/;
const REPLACE = /^--replace(?:=|$)(.*)$/;
const TARGET_REPLACE = /^--target-replace(?:=|$)(.*)$/;
const EXCLUDE = /^--exclude(?:=|$)(.*)$/;

/** The values of a flag, which stand behind it or in the next argument. */
function valuesOf(args: readonly string[], flag: RegExp): readonly string[] {
  return args.flatMap((arg, index) => {
    const [, value] = flag.exec(arg) ?? [];
    return value === undefined ? [] : [value || (args[index + 1] ?? "")];
  });
}

/** True if `--replace` or `--target-replace` names the resource. */
export function replaces(args: readonly string[], urn: string): boolean {
  return replacedIn(args).some((each) => isMatch(each, urn));
}

/** The patterns of `--replace` and `--target-replace`. */
function replacedIn(args: readonly string[]): readonly string[] {
  return [...valuesOf(args, REPLACE), ...valuesOf(args, TARGET_REPLACE)];
}

/** As Pulumi compares: `**` is any text, and `*` any text without a colon. */
function isMatch(pattern: string, urn: string): boolean {
  const source = pattern.replaceAll(/\*\*|\*|\W/g, (text) =>
    text === "**" ? ".*" : text === "*" ? "[^:]*" : `\\${text}`,
  );
  return new RegExp(`^${source}$`).test(urn);
}

/** True for `--replace` and `--target-replace`. */
export function forcesReplacement(args: readonly string[]): boolean {
  return replacedIn(args).length > 0;
}
