import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import promises from "node:fs/promises";
import { dirname, join } from "node:path";
import { FileJournal } from "../../src/journal/file-journal";
import type { JournalEntry } from "../../src/journal/entry";
import { ALL_OBJECTS } from "../../src/journal/journal";
import { thisProcess } from "../../src/process/process-identity";
import { journalEntry } from "../support/journal-entry";

let folder: string;
let journal: FileJournal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudinfra-journal-"));
  journal = new FileJournal(join(folder, "state", "journal"));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const entry = journalEntry();

async function entriesOf(of: FileJournal): Promise<readonly JournalEntry[]> {
  const { entries, unreadable } = await of.all();
  expect(unreadable).toEqual([]);
  return entries.map((read) => ({ ...read, touchedAt: undefined, warned: undefined }));
}

/** When the files of entries were last modified, in minutes before now. */
async function agesOf(of: FileJournal): Promise<readonly number[]> {
  const { entries } = await of.all();
  return entries.map(({ touchedAt = "" }) => Math.round((Date.now() - Date.parse(touchedAt)) / 60_000));
}

it("writes entries that only this user's processes can read", async () => {
  await journal.write(entry);
  expect(await entriesOf(new FileJournal(join(folder, "state", "journal")))).toEqual([entry]);
  const path = journal.pathOf(entry);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(readdirSync(dirname(path))).toHaveLength(1); // nothing unfinished is left
});

it("records the readers warned of an entry", async () => {
  await journal.write(entry);
  await journal.recordWarning(entry, "0123456789abcdef");
  expect((await journal.all()).entries).toMatchObject([{ ...entry, warned: ["0123456789abcdef"] }]);
  await journal.remove(entry);
  expect(readdirSync(dirname(journal.pathOf(entry)))).toEqual([]);
});

it("replaces an entry that is written again", async () => {
  await journal.write(entry);
  await journal.write({ ...entry, id: "rule" });
  expect(await entriesOf(journal)).toEqual([{ ...entry, id: "rule" }]);
});

it("touches only the files of its own entries", async () => {
  const others = journalEntry({ key: "b", sentAt: "2026-06-15T13:00:00.000Z", sender: { pid: 1, space: "elsewhere" } });
  for (const written of [entry, others]) {
    await journal.write(written);
    const anHourAgo = new Date(Date.now() - 3_600_000);
    utimesSync(journal.pathOf(written), anHourAgo, anHourAgo);
  }
  expect(await agesOf(journal)).toEqual([60, 60]);
  for (const read of (await journal.all()).entries) await journal.write({ ...read, isSuperseded: true });
  expect(await agesOf(journal)).toEqual([0, 60]);
  const anHourAgo = new Date(Date.now() - 3_600_000);
  utimesSync(journal.pathOf(entry), anHourAgo, anHourAgo);
  await journal.touch();
  expect(await agesOf(journal)).toEqual([0, 60]);
  await journal.remove(entry);
  await journal.touch();
  expect(await agesOf(journal)).toEqual([60]);
});

it("removes one entry and no other", async () => {
  const second = journalEntry({ key: "b" });
  for (const written of [entry, second]) await journal.write(written);
  await journal.remove(entry);
  expect(await entriesOf(journal)).toEqual([second]);
  await journal.remove(entry); // gone already
  await journal.remove(second);
  expect(await entriesOf(journal)).toEqual([]);
});

const damages: Readonly<Record<string, (path: string) => void>> = {
  empty: (path) => writeFileSync(path, ""),
  "cut off": (path) => writeFileSync(path, '{"version": 1, "key'),
  zeros: (path) => writeFileSync(path, Buffer.alloc(4096)),
  null: (path) => writeFileSync(path, "null"),
  "of a newer version": (path) => writeFileSync(path, '{"version": 2}'),
  "without its members": (path) => writeFileSync(path, '{"version": 1}'),
  "without its stack": (path) => writeFileSync(path, JSON.stringify({ ...entry, key: "x", stack: undefined })),
  "without its token": (path) => writeFileSync(path, JSON.stringify({ ...entry, key: "x", token: undefined })),
  "of a bad time": (path) => writeFileSync(path, JSON.stringify({ ...entry, key: "x", sentAt: "yesterday" })),
  "of a wrong type": (path) => writeFileSync(path, JSON.stringify({ ...entry, key: "x", urn: 7 })),
  "of another name": (path) => writeFileSync(path, JSON.stringify(entry)),
  huge: (path) => writeFileSync(path, Buffer.alloc(1024 * 1024, " ")),
  "a folder": (path) => mkdirSync(path),
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "a link to itself": (path) => symlinkSync(path, path),
};

it.each(Object.keys(damages))("names and keeps a file that is %s", async (damage) => {
  await journal.write(entry);
  const path = join(dirname(journal.pathOf(entry)), "x.json");
  damages[damage]?.(path);
  const { entries, unreadable } = await journal.all();
  expect(entries).toMatchObject([entry]);
  expect(unreadable).toEqual([{ path, reason: expect.any(String) as string }]);
  expect(lstatSync(path)).toBeDefined();
});

it("ignores an incomplete file", async () => {
  await journal.write(entry);
  writeFileSync(`${journal.pathOf(entry)}.123`, "{");
  expect(await entriesOf(journal)).toEqual([entry]);
});

it("opens one entry at a time", async () => {
  for (const key of ["a", "b", "c"]) await journal.write({ ...entry, key });
  let [open, most] = [0, 0];
  const { readFile } = promises;
  jest.spyOn(promises, "readFile").mockImplementation(async (...args) => {
    most = Math.max(most, ++open);
    return readFile(...args).finally(() => (open -= 1));
  });
  expect(await entriesOf(journal)).toHaveLength(3);
  expect(most).toBe(1);
});

it("leaves no unfinished file on a full disk", async () => {
  await journal.write(entry);
  symlinkSync("/dev/full", `${journal.pathOf(entry)}.${process.pid}`);
  await expect(journal.write({ ...entry, id: "rule" })).rejects.toMatchObject({ code: "ENOSPC" });
  expect(readdirSync(dirname(journal.pathOf(entry)))).toHaveLength(1);
  expect(await entriesOf(journal)).toEqual([entry]);
});

it("has no entries without a folder", async () => {
  expect(await entriesOf(journal)).toEqual([]);
  writeFileSync(join(folder, "state"), "a file");
  await expect(journal.write(entry)).rejects.toMatchObject({ code: "ENOTDIR" });
});

describe("the lock of an object", () => {
  const now = Date.now();
  const id = "5A5A";
  const directory = (): string => dirname(journal.pathOf(entry));
  const files = (): string[] => readdirSync(directory()).filter((name) => name.endsWith(".lock"));
  const pathOf = (mark: string, object = "5a5a"): string =>
    join(directory(), `${Buffer.from(object).toString("hex")}.${mark}.lock`);
  /** Writes a lock of a process, which touched it at this time. */
  const lockFor = (process: object | "", touchedAt = new Date(), mark = "1", object = "5a5a"): void => {
    writeFileSync(pathOf(mark, object), process === "" ? "" : JSON.stringify(process));
    utimesSync(pathOf(mark, object), touchedAt, touchedAt);
  };
  const running = { pid: process.ppid, space: thisProcess().space };
  const ended = { ...running, startedAt: "1" };
  const elsewhere = { pid: 7, space: "elsewhere" };
  const anHourAgo = new Date(now - 3_600_000);
  beforeEach(() => journal.write(entry));

  it("keeps an object locked until it is unlocked", async () => {
    expect([await journal.lock(id, now), await journal.lock(id.toLowerCase(), now)]).toEqual([undefined, undefined]);
    await new FileJournal(directory()).unlock(id); // which has not locked it
    await journal.remove(entry);
    expect(files()).toHaveLength(1);
    await journal.unlock(id);
    expect(files()).toEqual([]);
  });

  it.each([
    ["of a running process", running, new Date(now), false],
    ["of a possibly reused process id", running, anHourAgo, true],
    ["of a process that has ended", ended, new Date(now), true],
    ["of an invisible process, touched now", elsewhere, new Date(now), false],
    ["of an invisible process, touched long ago", elsewhere, anHourAgo, true],
    ["without its process yet", "" as const, new Date(now), false],
    ["that was never written", "" as const, anHourAgo, true],
  ])("decides whether a lock counts: a lock %s", async (_title, worker, touchedAt, isFree) => {
    lockFor(worker, touchedAt);
    const by = await journal.lock(id, now);
    expect(by === undefined).toBe(isFree);
    if (worker !== "" && !isFree) expect(by?.process).toEqual(worker);
    expect(await journal.lock("another", now)).toBeUndefined();
    expect((await journal.lock(ALL_OBJECTS, now)) === undefined).toBe(isFree);
  });

  it("a lock on all objects also locks each object", async () => {
    lockFor(running, new Date(now), "1", ALL_OBJECTS);
    expect([await journal.lock(id, now), await journal.lock(ALL_OBJECTS, now)]).toMatchObject([
      { process: running },
      { process: running },
    ]);
    expect(files()).toHaveLength(1);
  });

  it("respects any running process's lock, and deletes none", async () => {
    lockFor(running, new Date(now), "1");
    lockFor(ended, new Date(now), "2");
    expect(await journal.lock(id, now)).toMatchObject({ process: running });
    expect(files()).toHaveLength(1);
    lockFor(ended, new Date(now), "1");
    expect(await journal.lock(id, now)).toBeUndefined();
    await journal.unlock(id);
    expect(files()).toEqual([]);
  });

  it("gives the lock back if another process locks at that moment", async () => {
    const locking = journal.lock(id, now); // which has read that there is no lock
    lockFor(running, new Date(now));
    expect(await locking).toMatchObject({ process: running });
    expect(files()).toHaveLength(1);
  });

  it("does not hang on a pipe in place of a lock", async () => {
    execFileSync("mkfifo", [pathOf("1")]);
    expect(await journal.lock(id, now)).toBeDefined();
  });

  it("touches a lock while its process runs", async () => {
    await journal.lock(id, now);
    const path = join(directory(), String(files()[0]));
    utimesSync(path, anHourAgo, anHourAgo);
    await journal.touch();
    expect(statSync(path).mtime.getTime()).toBeGreaterThan(anHourAgo.getTime() + 3_000_000);
  });
});

it("remembers adopted objects as long as it has entries", async () => {
  const adopted = { type: "Volume", id: "5a5a" };
  const another = { ...entry, key: "f".repeat(32) };
  for (const each of [entry, another]) await journal.write(each);
  await journal.recordAdoption(adopted);
  await journal.remove(another);
  expect((await journal.all()).adopted).toEqual([adopted]);
  await journal.remove(entry);
  expect(readdirSync(dirname(journal.pathOf(entry)))).toEqual([]);
});

it("ignores files that only resemble notes of adopted objects", async () => {
  const open = { ...entry, id: undefined };
  await journal.write(open);
  const directory = dirname(journal.pathOf(open));
  const foreign = [".adopted", "._3030.Volume.adopted", "3030.Volume.adopted.bak"];
  for (const name of foreign) writeFileSync(join(directory, name), "");
  mkdirSync(join(directory, "5b5b.Volume.adopted"));
  const { entries, adopted } = await journal.all();
  expect([entries[0]?.isHandedOver, adopted]).toEqual([undefined, [{ type: "Volume", id: "[[" }]]);
  await journal.remove(open);
  expect(readdirSync(directory).sort()).toEqual([...foreign, "5b5b.Volume.adopted"].sort());
});
