import {
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  utimes,
  writeFile,
  type FileHandle,
} from "node:fs/promises";
import { join } from "node:path";
import { parseEntry, processIdentity, type JournalEntry, type Worker } from "./entry";
import { isOtherRunning } from "./sender";
import { parseJson } from "../text/json";
import { isThisProcess, thisProcess } from "../process/process-identity";
import type { Journal, JournalContents, UnreadableEntry } from "./journal";

const ENDING = ".json";
/** The ending of an empty file, which notes that a reader was warned of an entry. */
const WARNED = ".warned";
/** The ending of a file with the process that has locked an entry: `<key>.3.lock`. Of several, that with the highest number counts. */
const LOCK = ".lock";
/** An entry has about one kilobyte. */
const MOST_BYTES = 64 * 1024;

type Read = { readonly entry: JournalEntry } | { readonly unreadable: UnreadableEntry };

/**
 * A journal in a folder, with a file for each entry that only the user can read. A file is written under another name and then
 * renamed. The folder has the entries of all stacks, because a stack can be renamed.
 */
export class FileJournal implements Journal {
  /** The files that this process has written and not removed. */
  readonly #written = new Set<string>();
  /** The paths of the locks of this process, by the keys of their entries. */
  readonly #locks = new Map<string, string>();

  constructor(private readonly folder: string) {}

  async write(entry: JournalEntry): Promise<void> {
    const path = this.pathOf(entry);
    const unfinished = `${path}.${process.pid}`;
    const file = await openIn(this.folder, unfinished);
    const write = file.writeFile(textOf(entry)).then(() => file.sync());
    await write
      .finally(() => file.close())
      .catch(async (error: unknown) => {
        await rm(unfinished, { force: true }); // on a full disk, an empty file may be left
        throw error;
      });
    await this.#keepTouched(entry, unfinished, path);
    await rename(unfinished, path);
    await syncFolder(this.folder);
  }

  /** Touches the files of this process, so that processes in other containers know that it runs. */
  async touch(): Promise<void> {
    const now = new Date();
    await Promise.all([...this.#written].map((path) => utimes(path, now, now).catch(() => undefined)));
  }

  async noteWarned({ key }: JournalEntry, reader: string): Promise<void> {
    await writeFile(join(this.folder, `${key}.${reader}${WARNED}`), "", { mode: 0o600 });
  }

  /** A lock of a process that has ended stays, and the next lock has a higher number. So no process deletes the lock of another one. */
  async lock(entry: JournalEntry, now: number): Promise<boolean> {
    const [number, lockedBy] = await this.#latestLock(entry, (await namesIn(this.folder)).names);
    if (lockedBy?.process && isThisProcess(lockedBy.process)) return true;
    if (lockedBy && isOtherRunning(lockedBy, now)) return false;
    if (!(await this.#makeLock(entry, join(this.folder, `${entry.key}.${number + 1}${LOCK}`)))) return false;
    const [latest] = await this.#latestLock(entry, (await namesIn(this.folder)).names);
    if (latest === number + 1) return true;
    await this.unlock(entry); // another process has seen a lock that has gone since
    return false;
  }

  async unlock({ key }: JournalEntry): Promise<void> {
    const path = this.#locks.get(key);
    if (path === undefined) return;
    this.#locks.delete(key);
    this.#written.delete(path);
    await rm(path, { force: true });
  }

  async remove(entry: JournalEntry): Promise<void> {
    const { names } = await namesIn(this.folder);
    const noted = names.filter((name) => name.startsWith(`${entry.key}.`) && /\.(warned|lock)$/.test(name));
    for (const path of [this.pathOf(entry), ...noted.map((name) => join(this.folder, name))]) {
      this.#written.delete(path);
      await rm(path, { force: true });
    }
    this.#locks.delete(entry.key);
  }

  async all(): Promise<JournalContents> {
    const { names, unreadable } = await namesIn(this.folder);
    const files = names.filter((file) => file.endsWith(ENDING));
    const read = await Promise.all(
      files.map((file) => readEntry(join(this.folder, file), file.slice(0, -ENDING.length))),
    );
    const warned = names.filter((name) => name.endsWith(WARNED)).map((name) => name.split("."));
    const withNotes = async (entry: JournalEntry): Promise<JournalEntry> => ({
      ...entry,
      warned: warned.flatMap(([key, reader = ""]) => (key === entry.key ? [reader] : [])),
      lockedBy: (await this.#latestLock(entry, names))[1],
    });
    const entries = await Promise.all(read.flatMap((each) => (each && "entry" in each ? [withNotes(each.entry)] : [])));
    return {
      entries: entries.sort(byTime),
      unreadable: [...unreadable, ...read.flatMap((each) => (each && "unreadable" in each ? [each.unreadable] : []))],
    };
  }

  pathOf({ key }: JournalEntry): string {
    return join(this.folder, key + ENDING);
  }

  /** The lock with the highest number. Its process is undefined if there is none. */
  async #latestLock({ key }: JournalEntry, names: readonly string[]): Promise<[number, Worker | undefined]> {
    const locks = names.filter((name) => name.startsWith(`${key}.`) && name.endsWith(LOCK));
    const latest = Math.max(0, ...locks.map((name) => Number(name.slice(key.length + 1, -LOCK.length)) || 0));
    return [latest, latest === 0 ? undefined : await readWorker(join(this.folder, `${key}.${latest}${LOCK}`))];
  }

  /** Resolves with false if another process has made this lock in the meantime. */
  async #makeLock({ key }: JournalEntry, path: string): Promise<boolean> {
    try {
      await writeFile(path, JSON.stringify(thisProcess()), { flag: "wx", mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      await rm(path, { force: true }); // on a full disk, an empty file may be left
      throw error;
    }
    this.#written.add(path);
    this.#locks.set(key, path);
    return true;
  }

  /** Keeps the time of another process's file, because rewriting it does not mean that its process runs. */
  async #keepTouched({ sender, touchedAt }: JournalEntry, unfinished: string, path: string): Promise<void> {
    if (isThisProcess(sender)) this.#written.add(path);
    else if (touchedAt !== undefined) await utimes(unfinished, new Date(touchedAt), new Date(touchedAt));
  }
}

/** Undefined if the file no longer exists. A process that cannot be read counts as running for a while. */
async function readWorker(path: string): Promise<Worker | undefined> {
  try {
    const stat = await lstat(path);
    const text = stat.isFile() && stat.size < MOST_BYTES ? await readFile(path, "utf8") : "";
    return { process: processIdentity.safeParse(parseJson(text)).data, touchedAt: stat.mtime.toISOString() };
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code !== "ENOENT";
    return isThere ? { process: undefined, touchedAt: new Date().toISOString() } : undefined;
  }
}

async function namesIn(folder: string): Promise<{ names: readonly string[]; unreadable: readonly UnreadableEntry[] }> {
  try {
    return { names: await readdir(folder), unreadable: [] };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { names: [], unreadable: [] }; // nothing was ever created

    return { names: [], unreadable: [{ path: folder, reason: `cannot be read (${code ?? "for an unknown reason"})` }] };
  }
}

/** Undefined if the file no longer exists. Opens only small regular files, because reading a pipe would never end. */
async function readEntry(path: string, key: string): Promise<Read | undefined> {
  const unreadable = (reason: string): Read => ({ unreadable: { path, reason } });
  try {
    const stat = await lstat(path);
    if (!stat.isFile()) return unreadable("is not a file");
    if (stat.size > MOST_BYTES) return unreadable(`is larger than an entry can be (${stat.size} bytes)`);
    const entry = parseEntry(await readFile(path, "utf8"));
    return entry.key === key ? { entry: { ...entry, touchedAt: stat.mtime.toISOString() } } : unreadable("was renamed");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    return unreadable(code === undefined ? message : `cannot be read (${code})`);
  }
}

/** The text of an entry's file. It leaves out what other files and the file's own time say. */
function textOf(entry: JournalEntry): string {
  const noted = { touchedAt: undefined, warned: undefined, lockedBy: undefined, isUnwritten: undefined };
  return `${JSON.stringify({ ...entry, ...noted }, undefined, 2)}\n`;
}

function byTime(a: JournalEntry, b: JournalEntry): number {
  return Date.parse(a.sentAt) - Date.parse(b.sentAt);
}

/** Creates a file that only the user can read. Creates the folder if it is missing, as for the first entry. */
async function openIn(folder: string, path: string): Promise<FileHandle> {
  try {
    return await open(path, "w", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return open(path, "w", 0o600);
  }
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
