import { readFileSync } from "node:fs";
import { identityOf, statusOf, type ProcessIdentity } from "./process-identity";
import type { Environment } from "./user-folders";

const MAX_ANCESTORS = 4;

/**
 * The ids of the processes of Pulumi's CLI above this one, the nearest first. In a container it may be 1. Only Linux
 * shows them.
 */
export function cliProcesses(): readonly number[] {
  const found: number[] = [];
  let pid = process.ppid;
  for (let nth = 0; nth < MAX_ANCESTORS && pid > 0; nth += 1) {
    try {
      if (readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "pulumi") found.push(pid);
      pid = Number(statusOf(pid)[1]);
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

/**
 * The arguments of each process of the CLI, with the program's name. If there is no CLI, the functions below return
 * false.
 */
type CommandLines = readonly (readonly string[])[];

let known: CommandLines | undefined;

/** Read once, because check asks for each new resource, and a process does not change its CLI. */
function ownCommandLines(): CommandLines {
  return (known ??= cliProcesses().flatMap((pid) => {
    try {
      const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return [[...args, ...flagsOf(process.env, args)]];
    } catch {
      return [];
    }
  }));
}

const SWITCHES = ["debug", "target-dependents"];
const LISTS = ["target", "replace", "target-replace", "exclude"];

/**
 * The flags that variables give the CLI, in addition to its arguments: `PULUMI_OPTION_TARGET`. A switch among the
 * arguments beats its variable. The values of a list are added.
 */
export function flagsOf(environment: Environment, args: readonly string[] = []): readonly string[] {
  const isGiven = (flag: string): boolean => args.some((arg) => arg.split("=")[0] === `--${flag}`);
  const valueOf = (flag: string): string =>
    environment[`PULUMI_OPTION_${flag.toUpperCase().replaceAll("-", "_")}`] ?? "";
  return [
    ...SWITCHES.filter((flag) => /^(true|1)$/i.test(valueOf(flag)) && !isGiven(flag)).map((flag) => `--${flag}`),
    ...LISTS.flatMap((flag) => valuesInCsv(valueOf(flag)).map((value) => `--${flag}=${value}`)),
  ];
}

function valuesInCsv(line: string): readonly string[] {
  const values = line.match(/"(?:[^"]|"")*"|[^,]+/g) ?? [];
  return values.map((value) => (value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value));
}

/** True if the CLI prints debug messages: with `--debug`, and `-d` alone or among other short flags without a value. */
export function printsDebugMessages(lines = ownCommandLines()): boolean {
  return lines.some((args) => args.some((arg) => /^(--debug(=true)?|-[fry]*d[fry]*)$/.test(arg)));
}

/** True if the CLI destroys a stack. */
export function runsDestroy(lines = ownCommandLines()): boolean {
  return lines.some((args) => ["destroy", "down", "dn"].includes(commandOf(args)));
}

/** True if the CLI only previews. */
export function runsPreview(lines = ownCommandLines()): boolean {
  return lines.some((args) => ["preview", "pre"].includes(commandOf(args)));
}

/** Pulumi's global flags without a value. */
const SWITCH =
  /^(--(disable-integrity-checking|emoji|fully-qualify-stack-names|help|logflow|logtostderr|non-interactive)|-[eQh])$/;

/** The first argument that is neither a flag nor a value. Any other flag takes its value from the next argument. */
function commandOf([, ...args]: readonly string[]): string {
  const hasValue = (flag = ""): boolean => /^(--[^=]+|-[^-=])$/.test(flag) && !SWITCH.test(flag);
  return args.find((arg, index) => !arg.startsWith("-") && !hasValue(args[index - 1])) ?? "";
}

/** True if the CLI has `--target` without `--target-dependents`. */
export function runsWithoutDependents(lines = ownCommandLines()): boolean {
  return lines.some((args) => valuesOf(args, TARGET).length > 0 && !hasDependents(args));
}

/**
 * True if `runsWithout` holds for a resource that depends on another one of this run, and no `--target-dependents`
 * includes it.
 */
export function runsWithoutDependent(urn: string, lines = ownCommandLines()): boolean {
  return runsWithout(urn, lines) && !lines.some(hasDependents);
}

function hasDependents(args: readonly string[]): boolean {
  return args.some((arg) => /^--target-dependents(=true)?$/.test(arg));
}

/** True if the CLI has targets, and the resource is none of them, or if the CLI excludes the resource. */
export function runsWithout(urn: string, lines = ownCommandLines()): boolean {
  const isNamed = (patterns: readonly string[]): boolean => patterns.some((each) => isMatch(each, urn));
  return lines.some((args) => {
    const targets = [...valuesOf(args, TARGET), ...valuesOf(args, TARGET_REPLACE)];
    return (targets.length > 0 && !isNamed(targets)) || isNamed(valuesOf(args, EXCLUDE));
  });
}

/** True if the CLI names this resource to be replaced. */
export function runsReplacementOf(urn: string, lines = ownCommandLines()): boolean {
  return replacedIn(lines).some((each) => isMatch(each, urn));
}

/** `-t` and `-x` may follow other short flags in the same argument, such as `-yt`. */
const TARGET = /^(?:--target(?:=|$)|-[dfry]*t)(.*)$/;
const REPLACE = /^--replace(?:=|$)(.*)$/;
const TARGET_REPLACE = /^--target-replace(?:=|$)(.*)$/;
const EXCLUDE = /^(?:--exclude(?:=|$)|-[dfry]*x)(.*)$/;

/** The values of a flag, which stand behind it or in the next argument. */
function valuesOf(args: readonly string[], flag: RegExp): readonly string[] {
  return args.flatMap((arg, index) => {
    const [, value] = flag.exec(arg) ?? [];
    return value === undefined ? [] : [value || (args[index + 1] ?? "")];
  });
}

/** The patterns of `--replace` and `--target-replace`. */
function replacedIn(lines: CommandLines): readonly string[] {
  return lines.flatMap((args) => [...valuesOf(args, REPLACE), ...valuesOf(args, TARGET_REPLACE)]);
}

/** As Pulumi compares: `**` is any text, and `*` any text without a colon. */
function isMatch(pattern: string, urn: string): boolean {
  const source = pattern.replaceAll(/\*\*|\*|\W/g, (text) =>
    text === "**" ? ".*" : text === "*" ? "[^:]*" : `\\${text}`,
  );
  return new RegExp(`^${source}$`).test(urn);
}
