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
import { parseEntry } from "./entry";
import { isThisProcess } from "../process/process-identity";
import type { JournalEntry } from "./entry";
import type { Journal, JournalContents, UnreadableEntry } from "./journal";

const ENDING = ".json";
/** The ending of an empty file, which notes that a reader was warned of an entry. */
const WARNED = ".warned";
/** An entry has about one kilobyte. */
const MOST_BYTES = 64 * 1024;

type Read = { readonly entry: JournalEntry } | { readonly unreadable: UnreadableEntry };

/**
 * A journal in a folder, with a file for each entry that only the user can read. A file is written under another name and then
 * renamed, and no process writes a file of another running process. So processes do not disturb each other. The folder has the entries
 * of all stacks, because a stack can be renamed.
 */
export class FileJournal implements Journal {
  /** The files that this process has written and not removed. */
  readonly #written = new Set<string>();

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

  async remove(entry: JournalEntry): Promise<void> {
    const path = this.pathOf(entry);
    this.#written.delete(path);
    const { names } = await namesIn(this.folder);
    const warned = names.filter((name) => name.startsWith(`${entry.key}.`) && name.endsWith(WARNED));
    await Promise.all(
      [path, ...warned.map((name) => join(this.folder, name))].map((each) => rm(each, { force: true })),
    );
  }

  async all(): Promise<JournalContents> {
    const { names, unreadable } = await namesIn(this.folder);
    const files = names.filter((file) => file.endsWith(ENDING));
    const read = await Promise.all(
      files.map((file) => readEntry(join(this.folder, file), file.slice(0, -ENDING.length))),
    );
    const warned = names.filter((name) => name.endsWith(WARNED)).map((name) => name.split("."));
    const withReaders = (entry: JournalEntry): JournalEntry => ({
      ...entry,
      warned: warned.flatMap(([key, reader = ""]) => (key === entry.key ? [reader] : [])),
    });
    return {
      entries: read.flatMap((each) => (each && "entry" in each ? [withReaders(each.entry)] : [])).sort(byTime),
      unreadable: [...unreadable, ...read.flatMap((each) => (each && "unreadable" in each ? [each.unreadable] : []))],
    };
  }

  pathOf({ key }: JournalEntry): string {
    return join(this.folder, key + ENDING);
  }

  /** Keeps the time of another process's file, because rewriting it does not mean that its process runs. */
  async #keepTouched(
    { sender, worker = sender, touchedAt }: JournalEntry,
    unfinished: string,
    path: string,
  ): Promise<void> {
    if (isThisProcess(worker)) this.#written.add(path);
    else if (touchedAt !== undefined) await utimes(unfinished, new Date(touchedAt), new Date(touchedAt));
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
  return `${JSON.stringify({ ...entry, touchedAt: undefined, warned: undefined, isUnwritten: undefined }, undefined, 2)}\n`;
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
