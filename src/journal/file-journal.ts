import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Journal, JournalEntry, StackAddress } from "./journal";

const ENDING = ".json";

/**
 * A journal in a folder: a folder for each stack, a file for each entry, for the user's eyes only. Files are put in place by
 * renaming, and nobody writes another's, so that processes do not disturb each other.
 */
export class FileJournal implements Journal {
  constructor(private readonly folder: string) {}

  async write(entry: JournalEntry): Promise<void> {
    const folder = this.#folderOf(entry.stack);
    const path = this.pathOf(entry);
    const unfinished = `${path}.${process.pid}`;
    const file = await openIn(folder, unfinished);
    try {
      await file.writeFile(JSON.stringify(entry, undefined, 2) + "\n");
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
    await syncFolder(folder);
  }

  async remove(entry: JournalEntry): Promise<void> {
    await rm(this.pathOf(entry), { force: true });
  }

  removeNow(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      try {
        rmSync(this.pathOf(entry), { force: true });
      } catch {
        // It stays, and the next run sees for itself that the state has the object.
      }
    }
  }

  of(stack: StackAddress): Promise<readonly JournalEntry[]> {
    return entriesIn(this.#folderOf(stack));
  }

  /** The entries of all stacks, oldest first. */
  async all(): Promise<readonly JournalEntry[]> {
    const folders = await namesIn(this.folder);
    const entries = await Promise.all(folders.map((name) => entriesIn(join(this.folder, name))));
    return entries.flat().sort(byTime);
  }

  /** The file of an entry. */
  pathOf({ stack, key }: JournalEntry): string {
    return join(this.#folderOf(stack), key + ENDING);
  }

  #folderOf({ backend, baseUrl, project, stack }: StackAddress): string {
    const address = JSON.stringify([backend, baseUrl, project, stack]);
    return join(this.folder, createHash("sha256").update(address).digest("hex").slice(0, 16));
  }
}

async function entriesIn(folder: string): Promise<readonly JournalEntry[]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(ENDING));
  const entries = await Promise.all(names.map((name) => entryIn(join(folder, name))));
  return entries.filter((entry) => entry !== undefined).sort(byTime);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return []; // none yet, or not for us to read: then it cannot be written either, which is told there
  }
}

async function entryIn(path: string): Promise<JournalEntry | undefined> {
  try {
    const entry = JSON.parse(await readFile(path, "utf8")) as JournalEntry;
    return (entry.version as number) === 1 ? entry : undefined;
  } catch {
    return undefined; // gone in the meantime, or not one of ours
  }
}

function byTime(a: JournalEntry, b: JournalEntry): number {
  return a.sentAt < b.sentAt ? -1 : 1;
}

/** A new file for the user alone, and its folder where there is none: only the first entry of a stack has to make that. */
async function openIn(folder: string, path: string): Promise<FileHandle> {
  try {
    return await open(path, "w", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return open(path, "w", 0o600);
  }
}

/** So that the new name outlasts a loss of power. Windows can't, and needs not. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
