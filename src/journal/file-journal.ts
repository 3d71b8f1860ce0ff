import { createHash } from "node:crypto";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, rename, rm, rmdir, utimes, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { addressOf, isSameStack } from "./address";
import { parseEntry } from "./entry";
import { isThisProcess } from "./process-identity";
import type { Journal, JournalContents, JournalEntry, StackAddress, UnreadableEntry } from "./journal";

const ENDING = ".json";
/** An entry has about one kilobyte. */
const MOST_BYTES = 64 * 1024;
/**
 * Release 0.1.0 named a stack's folder by the spelling of its address. So the journal reads these folders too, with any name.
 */
const FOLDER_OF_FIRST_RELEASE = /^[0-9a-f]{16}$/;

type Read = { readonly entry: JournalEntry } | { readonly unreadable: UnreadableEntry };

/**
 * A journal in a folder: a folder for each stack, a file for each entry, readable by the user only. Files appear by renaming,
 * and no process writes a file of another, so processes do not disturb each other.
 */
export class FileJournal implements Journal {
  /** The folders of entries that an older release wrote to another place. */
  readonly #paths = new Map<string, string>();
  /** Files that this process has written, and that are still there. */
  readonly #written = new Set<string>();

  constructor(private readonly folder: string) {}

  async write(entry: JournalEntry): Promise<void> {
    const path = this.pathOf(entry);
    const folder = dirname(path);
    const unfinished = `${path}.${process.pid}`;
    const file = await openIn(folder, unfinished);
    try {
      await file.writeFile(textOf(entry));
      await file.sync();
    } finally {
      await file.close();
    }
    await this.#keepTouched(entry, unfinished, path);
    await rename(unfinished, path);
    await syncFolder(folder);
  }

  /** Shows processes that cannot see this one that it runs. */
  async touch(): Promise<void> {
    const now = new Date();
    await Promise.all([...this.#written].map((path) => utimes(path, now, now).catch(() => undefined)));
  }

  writeNow(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      const path = this.pathOf(entry);
      try {
        if (!existsSync(path)) continue;
        // Not the name that `write` uses: one may be under way, and the file would have parts of both.
        const unfinished = `${path}.${process.pid}.last`;
        writeFileSync(unfinished, textOf(entry), { mode: 0o600 });
        renameSync(unfinished, path);
      } catch {
        // The older version stays: it says less, and nothing wrong.
      }
    }
  }

  async remove(entry: JournalEntry): Promise<void> {
    const path = this.pathOf(entry);
    this.#written.delete(path);
    await rm(path, { force: true });
    // Removes the folder of a stack, so that old stacks leave nothing. It stays if it has a file.
    await rmdir(dirname(path)).catch(() => undefined);
  }

  async of(stack: StackAddress): Promise<JournalContents> {
    const { names, unreadable } = await namesIn(this.folder);
    const folders = new Set([this.#folderOf(stack), ...names.filter((name) => FOLDER_OF_FIRST_RELEASE.test(name))]);
    const read = await Promise.all([...folders].map((name) => this.#readFolder(name)));
    const contents = contentsOf(read.flat(), unreadable);
    return { ...contents, entries: contents.entries.filter((entry) => isSameStack(entry.stack, addressOf(stack))) };
  }

  /** The content of the journals of all stacks. */
  async all(): Promise<JournalContents> {
    const { names, unreadable } = await namesIn(this.folder);
    const read = await Promise.all(names.map((name) => this.#readFolder(name)));
    return contentsOf(read.flat(), unreadable);
  }

  /** The file of an entry. */
  pathOf({ stack, key }: JournalEntry): string {
    return this.#paths.get(key) ?? join(this.folder, this.#folderOf(stack), key + ENDING);
  }

  /** What is written of another process's entry is no sign that that process runs. */
  async #keepTouched({ sender, touchedAt }: JournalEntry, unfinished: string, path: string): Promise<void> {
    if (isThisProcess(sender)) this.#written.add(path);
    else if (touchedAt !== undefined) await utimes(unfinished, new Date(touchedAt), new Date(touchedAt));
  }

  #folderOf(stack: StackAddress): string {
    const { backend, baseUrl, project, stack: name } = addressOf(stack);
    const address = JSON.stringify([backend, baseUrl, project, name]);
    return `stack-${createHash("sha256").update(address).digest("hex").slice(0, 16)}`;
  }

  async #readFolder(name: string): Promise<Read[]> {
    const folder = join(this.folder, name);
    const { names, unreadable } = await namesIn(folder);
    const files = names.filter((file) => file.endsWith(ENDING));
    const read = await Promise.all(files.map((file) => readEntry(join(folder, file), file.slice(0, -ENDING.length))));
    const known = read.filter((each) => each !== undefined);
    for (const each of known) {
      if (!("entry" in each)) continue;
      const path = join(folder, each.entry.key + ENDING);
      if (path !== this.pathOf(each.entry)) this.#paths.set(each.entry.key, path);
    }
    return [...known, ...unreadable.map((each) => ({ unreadable: each }))];
  }
}

function contentsOf(read: readonly Read[], others: readonly UnreadableEntry[]): JournalContents {
  return {
    entries: read.flatMap((each) => ("entry" in each ? [each.entry] : [])).sort(byTime),
    unreadable: [...others, ...read.flatMap((each) => ("unreadable" in each ? [each.unreadable] : []))],
  };
}

async function namesIn(folder: string): Promise<{ names: readonly string[]; unreadable: readonly UnreadableEntry[] }> {
  try {
    return { names: await readdir(folder), unreadable: [] };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // No folder yet, or no longer; or a file among the folders, which is no stack's.
    if (code === "ENOENT" || code === "ENOTDIR") return { names: [], unreadable: [] };
    return { names: [], unreadable: [{ path: folder, why: `cannot be read (${code ?? "for an unknown reason"})` }] };
  }
}

/** Undefined if the file is gone. Opens only small regular files, because reading a pipe would never end. */
async function readEntry(path: string, key: string): Promise<Read | undefined> {
  const unreadable = (why: string): Read => ({ unreadable: { path, why } });
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

/** When it was touched, the file itself says. */
function textOf(entry: JournalEntry): string {
  return `${JSON.stringify({ ...entry, touchedAt: undefined }, undefined, 2)}\n`;
}

function byTime(a: JournalEntry, b: JournalEntry): number {
  return Date.parse(a.sentAt) - Date.parse(b.sentAt);
}

/** Writes a new file for the user only. Makes its folder if there is none, which only the first entry of a stack needs. */
async function openIn(folder: string, path: string): Promise<FileHandle> {
  try {
    return await open(path, "w", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return open(path, "w", 0o600);
  }
}

/** Makes the new name survive a loss of power. Windows cannot do that, and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
