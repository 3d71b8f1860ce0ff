import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FileJournal } from "../../src/journal/file-journal";
import { journalEntry } from "../support/journal-entry";

let folder: string;
let journal: FileJournal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudinfra-journal-"));
  journal = new FileJournal(join(folder, "state", "journal"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const entry = journalEntry();

it("when an entry is written, another process reads it, and nobody else can", async () => {
  await journal.write(entry);
  expect(await new FileJournal(join(folder, "state", "journal")).of(entry.stack)).toEqual([entry]);
  const path = journal.pathOf(entry);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(readdirSync(dirname(path))).toHaveLength(1); // nothing unfinished is left
});

it("when an entry is written again, the newer one stands in its place", async () => {
  await journal.write(entry);
  await journal.write({ ...entry, id: "rule" });
  expect(await journal.of(entry.stack)).toEqual([{ ...entry, id: "rule" }]);
});

it("when entries are taken away, at once or not, those of others stay", async () => {
  const [second, third] = [journalEntry({ key: "b" }), journalEntry({ key: "c" })];
  for (const written of [entry, second, third]) await journal.write(written);
  await journal.remove(entry);
  journal.removeNow([second]);
  expect(await journal.of(entry.stack)).toEqual([third]);
  await journal.remove(entry); // gone already
});

it.each(["backend", "baseUrl", "project", "stack"] as const)(
  "when stacks differ in their %s, each has its own",
  async (member) => {
    const other = journalEntry({ key: "b", stack: { ...entry.stack, [member]: "another" } });
    await journal.write(other);
    await journal.write(entry);
    expect(await journal.of(entry.stack)).toEqual([entry]);
    expect(await journal.all()).toHaveLength(2);
  },
);

it("when files cannot be understood, they are passed over", async () => {
  await journal.write(entry);
  const beside = dirname(journal.pathOf(entry));
  writeFileSync(join(beside, "cut-off.json"), '{"version": 1, "key');
  writeFileSync(join(beside, "newer.json"), '{"version": 2}');
  writeFileSync(join(beside, "unfinished.json.123"), JSON.stringify(entry));
  expect(await journal.of(entry.stack)).toEqual([entry]);
});

it("when there is no folder yet, there are no entries; when it cannot be made, writing says so", async () => {
  expect(await journal.of(entry.stack)).toEqual([]);
  writeFileSync(join(folder, "state"), "a file");
  await expect(journal.write(entry)).rejects.toMatchObject({ code: "ENOTDIR" });
  expect(await journal.of(entry.stack)).toEqual([]);
});
