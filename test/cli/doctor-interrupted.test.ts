import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileJournal } from "../../src/journal/file-journal";
import { startSimulator, type Simulator } from "../../src/simulator";
import { journalEntry } from "../support/journal-entry";
import { runDoctor, table } from "./doctor-bench";

let api: Simulator;
const state = mkdtempSync(join(tmpdir(), "cloudinfra-state-"));
const journal = new FileJournal(join(state, "pulumi-cloudinfra", "journal"));
beforeAll(async () => {
  api = await startSimulator();
});
afterAll(async () => {
  await api.close();
  rmSync(state, { recursive: true });
});

it("when an interrupted run may have left an object, the doctor names it, what to do, and the file to forget it by", async () => {
  const entry = journalEntry();
  await journal.write(entry);
  const result = await runDoctor(api, { XDG_STATE_HOME: state });
  expect(result.code).toBe(0); // it is no fault of the settings
  expect(table(result)["interrupted"]).toBe(
    'no stack test/dev, 2026-06-15T12:00:00.000Z: firewall rule "https" (if made, it is named "https-0123abc")',
  );
  expect(result.stdout).toContain('delete it or take it over with adopt: "<its id>"');
  expect(result.stdout).toContain(journal.pathOf(entry));
  await journal.remove(entry);
});

it("when the run is still under way, and when there is none, the doctor says nothing of it", async () => {
  const underWay = journalEntry({ pid: process.ppid });
  await journal.write(underWay);
  expect((await runDoctor(api, { XDG_STATE_HOME: state })).stdout).not.toContain("interrupted");
  await journal.remove(underWay);
  expect((await runDoctor(api, { XDG_STATE_HOME: state })).stdout).not.toContain("interrupted");
});
