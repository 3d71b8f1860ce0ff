import { lstat, mkdir, open, readdir, readFile, rename, rm, unlink, utimes, writeFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { parseEntry, processIdentity, type JournalEntry, type Worker } from "./entry";
import { isOtherRunning } from "./sender";
import { idKey } from "../definition/same-id";
import { fileFault } from "../text/file-fault";
import { parseJson } from "../text/json";
import { isThisProcess, isVisible, thisProcess } from "../process/process-identity";
import { ALL_OBJECTS, withAdoptions } from "./journal";
import type { AdoptedObject, Journal, JournalContents, UnreadableEntry } from "./journal";

const ENDING = ".json";
/** The ending of an empty file, which records that a reader was warned of an entry. */
const WARNED = ".warned";
/** The ending of an empty file, which records an object: see `recordAdoption`. `<object>.<type>.adopted` */
const ADOPTED = ".adopted";
const ADOPTED_NAME = new RegExp(`^((?:[0-9a-f]{2})+)\\.(\\w+)\\${ADOPTED}$`);
/** The ending of a file with a process that locks an object: `<object>.<a random mark>.lock`. */
const LOCK = ".lock";
/** An entry has about one kilobyte. */
const MAX_BYTES = 64 * 1024;

type ReadEntry = { readonly entry: JournalEntry } | { readonly unreadable: UnreadableEntry };

/**
 * A journal in a folder, with a file for each entry that only the user can read. A file is written under another name
 * and then renamed. The folder has the entries of all stacks, because a stack can be renamed.
 */
export class FileJournal implements Journal {
  /** The files that this process has written and not removed. */
  readonly #written = new Set<string>();
  readonly #mark = randomBytes(8).toString("hex");

  constructor(private readonly folder: string) {}

  async write(entry: JournalEntry): Promise<void> {
    const path = this.pathOf(entry);
    const unfinished = `${path}.${process.pid}`;
    await this.#writeNew(unfinished, fileTextOf(entry), { flush: true });
    await this.#keepTouched(entry, unfinished, path);
    await rename(unfinished, path);
    await syncFolder(this.folder);
  }

  /** Touches the files of this process, so that processes in other containers know that it runs. */
  async touch(): Promise<void> {
    const now = new Date();
    await Promise.all([...this.#written].map((path) => utimes(path, now, now).catch(() => undefined)));
  }

  async recordWarning({ key }: JournalEntry, reader: string): Promise<void> {
    await writeFile(join(this.folder, `${key}.${reader}${WARNED}`), "", { mode: 0o600 });
  }

  async recordAdoption({ type, id }: AdoptedObject): Promise<void> {
    await writeFile(join(this.folder, `${fileNameOf(id)}.${type}${ADOPTED}`), "", { mode: 0o600 });
    await syncFolder(this.folder);
  }

  /**
   * Each process makes its own lock file first, and then looks for the files of others. So two processes never hold the
   * lock at the same time, and no process deletes the file of a running one.
   */
  async lock(id: string, now: number): Promise<Worker | undefined> {
    const path = this.#lockOf(id);
    if (this.#written.has(path)) return undefined;
    const before = await this.#otherLocking(id, now);
    if (before) return before;
    await this.#writeNew(path, JSON.stringify(thisProcess()));
    this.#written.add(path);
    const meanwhile = await this.#otherLocking(id, now);
    if (meanwhile) await this.unlock(id);
    return meanwhile;
  }

  async unlock(id: string): Promise<void> {
    const path = this.#lockOf(id);
    if (this.#written.delete(path)) await rm(path, { force: true });
  }

  async remove(entry: JournalEntry): Promise<void> {
    const path = this.pathOf(entry);
    this.#written.delete(path);
    await rm(path, { force: true });
    const { names } = await namesIn(this.folder);
    const isLast = !names.some((name) => name.endsWith(ENDING));
    const isNote = (name: string): boolean =>
      (name.endsWith(WARNED) && name.startsWith(`${entry.key}.`)) || (isLast && adoptedObjectOf(name).length > 0);
    // It may be a folder of somebody else.
    for (const name of names.filter(isNote)) await unlink(join(this.folder, name)).catch(() => undefined);
  }

  async all(): Promise<JournalContents> {
    const { names, unreadable } = await namesIn(this.folder);
    const files = names.filter((file) => file.endsWith(ENDING));
    const read: (ReadEntry | undefined)[] = [];
    // One after the other, because a process may open only so many files.
    for (const file of files) read.push(await readEntry(join(this.folder, file), file.slice(0, -ENDING.length)));
    const readersOf = ({ key }: JournalEntry): readonly string[] =>
      names.flatMap((name) =>
        name.startsWith(`${key}.`) && name.endsWith(WARNED) ? [name.slice(key.length + 1, -WARNED.length)] : [],
      );
    const entries = read.flatMap((each) =>
      each && "entry" in each ? [{ ...each.entry, warned: readersOf(each.entry) }] : [],
    );
    const adopted = names.flatMap(adoptedObjectOf);
    return {
      entries: withAdoptions(entries.sort(byTime), adopted),
      adopted,
      unreadable: [...unreadable, ...read.flatMap((each) => (each && "unreadable" in each ? [each.unreadable] : []))],
    };
  }

  pathOf({ key }: JournalEntry): string {
    return join(this.folder, key + ENDING);
  }

  #lockOf(id: string): string {
    return join(this.folder, `${fileNameOf(id)}.${this.#mark}${LOCK}`);
  }

  /** Another running process that has locked the object. Removes the files of processes that have visibly ended. */
  async #otherLocking(id: string, now: number): Promise<Worker | undefined> {
    const { names } = await namesIn(this.folder);
    const excludes = (name: string): boolean =>
      id === ALL_OBJECTS || [id, ALL_OBJECTS].some((each) => name.startsWith(`${fileNameOf(each)}.`));
    let running: Worker | undefined;
    for (const name of names.filter((each) => each.endsWith(LOCK) && excludes(each))) {
      const worker = await readWorker(join(this.folder, name));
      if (worker && isOtherRunning(worker, now)) running ??= worker;
      else if (worker?.process && isVisible(worker.process) && !isThisProcess(worker.process))
        await rm(join(this.folder, name), { force: true });
    }
    return running;
  }

  /**
   * Writes a file that only the user can read. `flush`: when this resolves, it is on disk. Makes the folder for the
   * first one.
   */
  async #writeNew(path: string, text: string, { flush = false } = {}): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    try {
      await writeFile(path, text, { mode: 0o600, flush });
    } catch (error) {
      await rm(path, { force: true }); // on a full disk, an empty file may be left
      throw error;
    }
  }

  /** Keeps the time of another process's file, because rewriting it does not mean that its process runs. */
  async #keepTouched({ sender, touchedAt }: JournalEntry, unfinished: string, path: string): Promise<void> {
    if (isThisProcess(sender)) this.#written.add(path);
    else if (touchedAt !== undefined) await utimes(unfinished, new Date(touchedAt), new Date(touchedAt));
  }
}

/** Undefined if the file no longer exists. A process that cannot be read counts as running for a while. */
async function readWorker(path: string): Promise<Worker | undefined> {
  const stat = await lstat(path).catch(() => undefined);
  if (!stat) return undefined;
  const isReadable = stat.isFile() && stat.size < MAX_BYTES;
  const text = isReadable ? await readFile(path, "utf8").catch(() => "") : "";
  return { process: processIdentity.safeParse(parseJson(text)).data, touchedAt: stat.mtime.toISOString() };
}

async function namesIn(folder: string): Promise<{ names: readonly string[]; unreadable: readonly UnreadableEntry[] }> {
  try {
    return { names: await readdir(folder), unreadable: [] };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { names: [], unreadable: [] }; // nothing was ever created

    return {
      names: [],
      unreadable: [{ path: folder, isJournal: true, reason: `cannot be read: ${fileFault(error)}` }],
    };
  }
}

/** Undefined if the file no longer exists. Opens only small regular files, because reading a pipe would never end. */
async function readEntry(path: string, key: string): Promise<ReadEntry | undefined> {
  const unreadable = (reason: string): ReadEntry => ({ unreadable: { path, reason } });
  try {
    const stat = await lstat(path);
    if (!stat.isFile()) return unreadable("is not a file");
    if (stat.size > MAX_BYTES) return unreadable(`is larger than an entry can be (${stat.size} bytes)`);
    const entry = parseEntry(await readFile(path, "utf8"));
    return entry.key === key ? { entry: { ...entry, touchedAt: stat.mtime.toISOString() } } : unreadable("was renamed");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    return unreadable(code === undefined ? message : `cannot be read (${code})`);
  }
}

/** The text of an entry's file. It leaves out what other files and the file's own time say. */
function fileTextOf(entry: JournalEntry): string {
  const elsewhere = { touchedAt: undefined, warned: undefined, isUnwritten: undefined };
  return `${JSON.stringify({ ...entry, ...elsewhere }, undefined, 2)}\n`;
}

function fileNameOf(id: string): string {
  return Buffer.from(idKey(id)).toString("hex");
}

/** Empty for a file that records no adoption. */
function adoptedObjectOf(fileName: string): readonly AdoptedObject[] {
  const [, id = "", type = ""] = ADOPTED_NAME.exec(fileName) ?? [];
  return id === "" ? [] : [{ type, id: Buffer.from(id, "hex").toString() }];
}

function byTime(a: JournalEntry, b: JournalEntry): number {
  return Date.parse(a.sentAt) - Date.parse(b.sentAt);
}

/** Makes a new file name survive a loss of power. Windows cannot do that, and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
