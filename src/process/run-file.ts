import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { engineProcess } from "./cli-process";
import { isSameProcess, isSeenRunning, isThisProcess, thisProcess, type ProcessIdentity } from "./process-identity";
import { fileFault } from "../text/file-fault";
import { parseJson } from "../text/json";
import { runsFolder } from "./user-folders";

/** Files of killed runs are removed after this time. */
const OUTDATED_MS = 24 * 60 * 60_000;

/**
 * A line of the file. `from`: the process that wrote it. Its first line says which engine has started it, if that is
 * known.
 */
interface Line<Entry> {
  readonly from: ProcessIdentity;
  readonly engine?: ProcessIdentity | undefined;
  readonly entry?: Entry;
}

/** It begins with a line break, because another process may have been killed in the middle of its line. */
function lineOf(line: Line<unknown>): string {
  return `\n${JSON.stringify(line)}\n`;
}

/**
 * A file in which the processes of one run share entries, one in each line. Only this user can read it. It must have no
 * secrets. An entry that cannot be read is lost without an error. A killed run leaves its file, and a later engine may
 * have the same address. So an entry counts if the engine of this run has started the process that wrote it, even if
 * that process was killed since. If one of the engines is not known, the entry counts if its process still runs.
 */
export class RunFile<Entry> {
  #readBytes = 0;
  /** The first line of the file after this process's first write. If it differs later, the file has lost entries. */
  #beginning: string | undefined;
  /** The processes whose lines were read, by their identity as JSON. `isOfThisRun`: whether their lines count. */
  readonly #writers = new Map<string, { readonly from: ProcessIdentity; readonly isOfThisRun: boolean }>();

  /** `path`: undefined for a user without a home, and without PULUMI_HOME. Then nothing is written. */
  constructor(
    private readonly path: string | undefined,
    private readonly engine = engineProcess(),
  ) {}

  /** Returns why the entry could not be written. JSON has no BigInt, for example. */
  append(entry: Entry): string | undefined {
    return this.#try((path) => this.#write(path, lineOf({ from: thisProcess(), entry })));
  }

  /** Why entries cannot be shared: `permission denied: /home/…`. Undefined if they can. */
  fault(): string | undefined {
    return this.#try((path) => {
      if (this.#beginning !== undefined && this.#beginning !== beginningOf(path))
        return "its file was removed or cut off during the run";
      this.#write(path, "\n"); // nothing at all could be written to a full disk
      return undefined;
    });
  }

  #try(work: (path: string) => string | undefined): string | undefined {
    if (this.path === undefined) return "this user has no home folder";
    try {
      return work(this.path);
    } catch (error) {
      return `${fileFault(error)}: ${this.path}`;
    }
  }

  #write(path: string, text: string): undefined {
    const isFirst = this.#beginning === undefined;
    if (isFirst) prepare(dirname(path));
    // The first line only says that this process uses the file.
    const first = isFirst ? lineOf({ from: thisProcess(), engine: this.engine }) : "";
    appendFileSync(path, first + text, { mode: 0o600 });
    this.#beginning ??= beginningOf(path);
  }

  /** The entries since the last call. */
  readNew(): readonly Entry[] {
    if (this.path === undefined) return [];
    try {
      const { size } = statSync(this.path);
      if (size === this.#readBytes) return [];
      const text = bytesOf(this.path, this.#readBytes, size);
      const complete = text.subarray(0, text.lastIndexOf("\n") + 1);
      this.#readBytes += complete.length;
      const lines = complete.toString("utf8").split("\n").filter(Boolean);
      // A line may have been cut off.
      const parsed = lines.map((line) => parseJson(line) as Partial<Line<Entry>> | undefined);
      return parsed.flatMap((line) =>
        line?.from && this.#counts(line.from, line.engine) && line.entry !== undefined ? [line.entry] : [],
      );
    } catch {
      return []; // no process has written an entry, or this user may not read the file
    }
  }

  #counts(from: ProcessIdentity, engine: ProcessIdentity | undefined): boolean {
    const key = JSON.stringify(from);
    const known = this.#writers.get(key);
    if (known) return known.isOfThisRun;
    const isOfThisRun = this.engine && engine ? isSameProcess(engine, this.engine) : isSeenRunning(from);
    this.#writers.set(key, { from, isOfThisRun });
    return isOfThisRun;
  }

  /**
   * Called at the end of this process. The file stays if another process that has written to it still runs: the engine
   * ends an explicit provider when it has deleted it.
   */
  remove(): void {
    if (this.path !== undefined && !this.#isUsedBy((process) => !isThisProcess(process))) removeFile(this.path);
  }

  /** Removes the file unless a process that has written to it still runs. */
  removeIfLeft(): void {
    if (this.path !== undefined && !this.#isUsedBy(() => true)) removeFile(this.path);
  }

  #isUsedBy(isMeant: (process: ProcessIdentity) => boolean): boolean {
    this.readNew();
    return [...this.#writers.values()].some(({ from }) => isMeant(from) && isSeenRunning(from));
  }
}

/**
 * The file about a subject, for the run of the engine at this address, which no other engine has at the same time.
 * Undefined outside an engine.
 */
export function runFile<Entry>(
  engine: string | undefined,
  subject: "costs" | "announced" | "objects",
): RunFile<Entry> | undefined {
  const folder = runsFolder();
  if (engine === undefined) return undefined;
  return new RunFile(folder && join(folder, encodeURIComponent(`${hostname()}-${engine}-${subject}`)));
}

/** The first line of the file. Empty if there is none. Throws the system's error if the file cannot be read. */
function beginningOf(path: string): string {
  if (!existsSync(path)) return "";
  return bytesOf(path, 0, 512).toString("utf8").trimStart().split("\n")[0] ?? "";
}

function bytesOf(path: string, from: number, to: number): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(to - from);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}

function prepare(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (age > OUTDATED_MS) new RunFile(file).removeIfLeft(); // the clock may have jumped
  }
}

function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A later run removes it.
  }
}

export interface Announcement {
  readonly urn: string;
  /** The arguments. All are known, and none is secret. */
  readonly inputs: Readonly<Record<string, unknown>>;
}
