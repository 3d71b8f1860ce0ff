import { execFileSync } from "node:child_process";
import {
  existsSync,
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
import { dirname, join } from "node:path";
import { FileJournal } from "../../src/journal/file-journal";
import type { JournalEntry } from "../../src/journal/journal";
import { journalEntry } from "../support/journal-entry";

let folder: string;
let journal: FileJournal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudinfra-journal-"));
  journal = new FileJournal(join(folder, "state", "journal"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const entry = journalEntry();

async function entriesOf(of: FileJournal): Promise<readonly JournalEntry[]> {
  const { entries, unreadable } = await of.of(entry.stack);
  expect(unreadable).toEqual([]);
  return entries.map((read) => ({ ...read, touchedAt: undefined }));
}

/** When the files of entries were last touched, in minutes before now. */
async function agesOf(of: FileJournal): Promise<readonly number[]> {
  const { entries } = await of.of(entry.stack);
  return entries.map(({ touchedAt = "" }) => Math.round((Date.now() - Date.parse(touchedAt)) / 60_000));
}

it("when the process ends while an entry is being written, the file has the one or the other, and never parts of both", async () => {
  await journal.write(entry);
  const longer = { ...entry, isHandedOver: true as const, isCancelled: true as const };
  for (let turns = 0; turns < 60; turns += 1) {
    const writing = journal.write(longer);
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    journal.writeNow([entry]);
    await writing;
    expect([entry, longer]).toContainEqual((await entriesOf(journal))[0]);
  }
});

it("when an entry is written, another process reads it, and nobody else can", async () => {
  await journal.write(entry);
  expect(await entriesOf(new FileJournal(join(folder, "state", "journal")))).toEqual([entry]);
  const path = journal.pathOf(entry);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(readdirSync(dirname(path))).toHaveLength(1); // nothing unfinished is left
});

it("when an entry is written again, the newer one stands in its place", async () => {
  await journal.write(entry);
  await journal.write({ ...entry, id: "rule" });
  expect(await entriesOf(journal)).toEqual([{ ...entry, id: "rule" }]);
});

it("a process touches the files of its own entries, and a change of another's entry leaves its age", async () => {
  const others = journalEntry({ key: "b", sentAt: "2026-06-15T13:00:00.000Z", sender: { pid: 1, space: "elsewhere" } });
  for (const written of [entry, others]) {
    await journal.write(written);
    const anHourAgo = new Date(Date.now() - 3_600_000);
    utimesSync(journal.pathOf(written), anHourAgo, anHourAgo);
  }
  expect(await agesOf(journal)).toEqual([60, 60]);
  for (const read of (await journal.of(entry.stack)).entries) await journal.write({ ...read, isTold: true });
  expect(await agesOf(journal)).toEqual([0, 60]);
  const anHourAgo = new Date(Date.now() - 3_600_000);
  utimesSync(journal.pathOf(entry), anHourAgo, anHourAgo);
  await journal.touch();
  expect(await agesOf(journal)).toEqual([0, 60]);
  await journal.remove(entry);
  await journal.touch();
  expect(await agesOf(journal)).toEqual([60]);
});

it("when an entry is taken away, those of others stay; with the last one its folder goes", async () => {
  const second = journalEntry({ key: "b" });
  for (const written of [entry, second]) await journal.write(written);
  await journal.remove(entry);
  expect(await entriesOf(journal)).toEqual([second]);
  await journal.remove(entry); // gone already
  await journal.remove(second);
  expect(existsSync(dirname(journal.pathOf(second)))).toBe(false);
});

it("when newer versions are written at the last moment, they stand in the place of the older ones", async () => {
  await journal.write(entry);
  journal.writeNow([{ ...entry, isHandedOver: true }]);
  expect(await entriesOf(journal)).toEqual([{ ...entry, isHandedOver: true }]);
  expect(statSync(journal.pathOf(entry)).mode & 0o777).toBe(0o600);
});

it.each(["backend", "baseUrl", "project", "stack"] as const)(
  "when stacks differ in their %s, each has its own",
  async (member) => {
    const other = journalEntry({ key: "b", stack: { ...entry.stack, [member]: "another" } });
    await journal.write(other);
    await journal.write(entry);
    expect(await entriesOf(journal)).toEqual([entry]);
    expect((await journal.all()).entries).toHaveLength(2);
  },
);

const damages: Readonly<Record<string, (path: string) => void>> = {
  empty: (path) => writeFileSync(path, ""),
  "cut off": (path) => writeFileSync(path, '{"version": 2, "key'),
  zeros: (path) => writeFileSync(path, Buffer.alloc(4096)),
  null: (path) => writeFileSync(path, "null"),
  "of a newer version": (path) => writeFileSync(path, '{"version": 3}'),
  "without its members": (path) => writeFileSync(path, '{"version": 2}'),
  "without its stack": (path) => writeFileSync(path, JSON.stringify({ ...entry, key: "x", stack: undefined })),
  "of a bad time": (path) => writeFileSync(path, JSON.stringify({ ...entry, key: "x", sentAt: "yesterday" })),
  "of a wrong type": (path) => writeFileSync(path, JSON.stringify({ ...entry, key: "x", urn: 7 })),
  "of another name": (path) => writeFileSync(path, JSON.stringify(entry)),
  huge: (path) => writeFileSync(path, Buffer.alloc(1024 * 1024, " ")),
  "a folder": (path) => mkdirSync(path),
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "a link to itself": (path) => symlinkSync(path, path),
};

it.each(Object.keys(damages))("when a file is %s, it is named and kept, and the others are read", async (damage) => {
  await journal.write(entry);
  const path = join(dirname(journal.pathOf(entry)), "x.json");
  damages[damage]?.(path);
  const { entries, unreadable } = await journal.of(entry.stack);
  expect(entries).toMatchObject([entry]);
  expect(unreadable).toEqual([{ path, why: expect.any(String) as string }]);
  expect(lstatSync(path)).toBeDefined();
});

it("when a file is unfinished, since its process was killed, it is passed over: its request was never sent", async () => {
  await journal.write(entry);
  writeFileSync(`${journal.pathOf(entry)}.123`, "{");
  expect(await entriesOf(journal)).toEqual([entry]);
});

describe("when release 0.1.0 has written an entry", () => {
  const first = {
    ...entry,
    token: undefined,
    sender: undefined,
    version: 1,
    isChosenName: true,
    sentUntil: "2026-06-15T12:02:00.000Z",
    pid: 7,
  };
  const spelled = { ...entry.stack, baseUrl: "https://API.example:443/" };

  it("it is read, whatever the spelling of the address, and rewritten and removed where it is", async () => {
    const old = join(folder, "state", "journal", "0123456789abcdef");
    mkdirSync(old, { recursive: true });
    writeFileSync(join(old, `${entry.key}.json`), JSON.stringify({ ...first, stack: spelled }));
    const [read] = await entriesOf(journal);
    expect(read).toMatchObject({ version: 2, name: entry.name, sender: { pid: 7 }, stack: entry.stack });
    expect(read?.token).toBeUndefined();
    await journal.write({ ...read!, isTold: true });
    expect(readdirSync(old)).toEqual([`${entry.key}.json`]);
    expect(await entriesOf(journal)).toMatchObject([{ isTold: true }]);
    await journal.remove(read!);
    expect(existsSync(old)).toBe(false);
  });
});

it("when there is no folder yet, there are no entries; when it cannot be made, writing says so", async () => {
  expect(await entriesOf(journal)).toEqual([]);
  writeFileSync(join(folder, "state"), "a file");
  await expect(journal.write(entry)).rejects.toMatchObject({ code: "ENOTDIR" });
  expect(await entriesOf(journal)).toEqual([]);
});
