import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileJournal } from "../../src/journal/file-journal";
import type { JournalEntry } from "../../src/journal/journal";
import { startSimulator, type Simulator } from "../../src/simulator";
import { thisProcess } from "../../src/journal/process-identity";
import { requestsOf } from "../functions/support";
import { journalEntry } from "../support/journal-entry";
import { runDoctor, tell } from "./doctor-bench";
import { PulumiProject, type CliResult, type CliRun } from "./support";

const state = mkdtempSync(join(tmpdir(), "cloudinfra-state-"));
const journal = new FileJournal(join(state, "pulumi-cloudinfra", "journal"));
const TOKEN = "a".repeat(32);
let api: Simulator;
let id: string;

beforeEach(async () => {
  api = await startSimulator();
  id = await make(TOKEN);
});

/** Makes a volume by a request with this token. */
async function make(token: string): Promise<string> {
  const body = { name: "data-0123abc", project_id: api.projectId, region: api.region, size: 10, type: "abs" };
  const headers = {
    authorization: `Bearer ${api.apiKey}`,
    "content-type": "application/json",
    "user-agent": `pulumi-cloudinfra/0.0.0 (${token})`,
  };
  const answer = await fetch(`${api.url}/v1/compute/volumes`, { method: "POST", headers, body: JSON.stringify(body) });
  return ((await answer.json()) as { resource_id: string }).resource_id;
}

afterEach(() => api.close());
afterAll(() => rmSync(state, { recursive: true }));

/** The journal has this entry alone. */
async function entry(different: Partial<JournalEntry> = {}): Promise<JournalEntry> {
  for (const each of (await journal.all()).entries) await journal.remove(each);
  const written = journalEntry({
    id,
    token: TOKEN,
    type: "Volume",
    noun: "volume",
    name: "data-0123abc",
    urn: "urn:pulumi:dev::test::cloudinfra:index:Volume::data",
    place: {},
    sender: { ...thisProcess(), startedAt: "0" },
    stack: { ...journalEntry().stack, baseUrl: api.url },
    ...different,
  });
  await journal.write(written);
  return written;
}

const doctor = (
  flags: readonly string[],
  { environment, ...run }: Omit<CliRun, "environment"> & { readonly environment?: Record<string, string> } = {},
): Promise<CliResult> => runDoctor(api, { XDG_STATE_HOME: state, ...environment }, run, flags);
const open = async (): Promise<number> => (await journal.all()).entries.length;
const deletions = async (): Promise<number> =>
  (await requestsOf(api)).filter(({ method }) => method === "DELETE").length;

it("shows the object, deletes it after a yes, and closes its entry", async () => {
  await entry();
  const result = await doctor(["--delete", id], { isTTY: true, stdin: "yes\n" });
  expect(result).toMatchObject({
    code: 0,
    stdout: `The API no longer has volume ${id}. Its entry in the journal is closed.\n`,
  });
  expect(result.stderr).toMatch(
    new RegExp(
      `kind +volume\nname +data-0123abc\nid +${id}\nstatus +\\w+\ncreated +\\d{4}-.*\nmade for +resource "data" of the stack test/dev`,
    ),
  );
  expect(result.stderr).toContain("warning: The state of the stack test/dev is not known here");
  expect(result.stderr).toContain(`Delete volume ${id}? Type yes: `);
  expect([await open(), await deletions()]).toEqual([0, 1]);
});

it.each([
  ["another answer", { isTTY: true, stdin: "y\n" }, "Nothing was deleted."],
  ["no terminal", { stdin: "yes\n" }, "Confirm with --yes"],
])("deletes nothing with %s", async (_what, run, said) => {
  await entry();
  const result = await doctor(["--delete", id], run);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain(said);
  expect([await open(), await deletions()]).toEqual([1, 0]);
});

it("asks nobody with --yes, and waits for the object's own 404", async () => {
  await entry();
  expect(await doctor(["--delete", id, "--yes"])).toMatchObject({ code: 0 });
  expect((await requestsOf(api)).at(-1)).toMatchObject({
    method: "GET",
    path: `/v1/compute/volumes/${id}`,
    status: 404,
  });
  expect([await open(), await deletions()]).toEqual([0, 1]);
});

it("asks a person about an object that Pulumi was told of", async () => {
  await entry({ isHandedOver: true });
  const refused = await doctor(["--delete", id, "--yes"]);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain("Another stack may have it");
  expect([await open(), await deletions()]).toEqual([1, 0]);
  const asked = await doctor(["--delete", id], { isTTY: true, stdin: "yes\n" });
  expect(asked.stderr).toContain("warning: Pulumi was told of it.");
  expect([await open(), await deletions()]).toEqual([0, 1]);
});

it("does not believe the 404 of an object that may be too new to be shown", async () => {
  await entry({ sentAt: new Date().toISOString() });
  await tell(api, "/lag", { reads: "1h" });
  const result = await doctor(["--delete", id, "--yes"]);
  expect(result).toMatchObject({ code: 1 });
  expect(result.stderr).toContain("does not show");
  expect(await open()).toBe(1);
});

it("closes the entry of an object that is gone", async () => {
  const gone = "00000000-0000-4000-8000-0000000000ff";
  await entry({ id: gone });
  expect(await doctor(["--delete", gone])).toMatchObject({ code: 0 });
  expect([await open(), await deletions()]).toEqual([0, 0]);
});

it("keeps the entry if nothing shows that the key is of the account that made the object", async () => {
  const { key } = await entry({ id: "00000000-0000-4000-8000-0000000000ff", token: "b".repeat(32) });
  const result = await doctor(["--delete", "00000000-0000-4000-8000-0000000000ff", "--yes"]);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain("no audit log shows that the key is of the account that made it");
  expect(result.stderr).toContain(`cloudinfra doctor --forget ${key}`);
  expect(await open()).toBe(1);
});

it("keeps the entry if the API refuses the deletion", async () => {
  await entry();
  await tell(api, "/faults", { method: "DELETE", path: "/volumes/", status: 403 });
  const result = await doctor(["--delete", id, "--yes"]);
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(/delete volume .* was answered 403[^]*The entry in the journal stays/);
  expect(await open()).toBe(1);
});

it("finds the entry by the name if the answer with the id was lost", async () => {
  await entry({ id: undefined, sentAt: new Date().toISOString() });
  expect(await doctor(["--delete", id, "--yes"])).toMatchObject({ code: 0 });
  expect([await open(), await deletions()]).toEqual([0, 1]);
});

it("does not believe the name if the log shows another maker, and asks a person if it shows none", async () => {
  const lost = { id: undefined, sentAt: new Date().toISOString() };
  await entry(lost);
  const other = await make("c".repeat(32));
  const foreign = await doctor(["--delete", other, "--yes"]);
  expect(foreign.stderr).toContain("the audit log shows that another request made it");
  await tell(api, "/faults", { path: "/audit_logs", status: 403, every: 1 });
  const unread = await doctor(["--delete", id, "--yes"]);
  expect(unread.stderr).toContain('Only its name, "data-0123abc", says that the interrupted run made it');
  expect([foreign.code, unread.code, await open(), await deletions()]).toEqual([1, 1, 1, 0]);
  expect(await doctor(["--delete", id], { isTTY: true, stdin: "yes\n" })).toMatchObject({ code: 0 });
  expect([await open(), await deletions()]).toEqual([0, 1]);
});

it.each<[string, () => Partial<JournalEntry>, string]>([
  ["that no entry names", () => ({ id: "other" }), "No open entry of the journal names"],
  ["that only shares its name", () => ({ id: undefined, name: "other" }), "No open entry of the journal names"],
  ["that a run has taken over", () => ({ foundAs: { publicIpEnabled: false } }), "no run has made it"],
  [
    "whose run has not ended",
    () => ({ sender: { pid: process.ppid, space: thisProcess().space } }),
    "the run that makes it has not ended",
  ],
  [
    "at another API",
    () => ({ stack: { ...journalEntry().stack, baseUrl: "https://other.example" } }),
    "is at https://other.example, but the settings here are for",
  ],
])("refuses an object %s", async (_what, different, said) => {
  await entry(different());
  const result = await doctor(["--delete", id, "--yes"]);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain(said);
  expect([await open(), await deletions()]).toEqual([1, 0]);
});

it("refuses an object that the state of the stack has", async () => {
  const project = new PulumiProject();
  const urn = "urn:pulumi:dev::test::cloudinfra:index:Volume::kept";
  const resources = [{ urn, type: "cloudinfra:index:Volume", id: id.toUpperCase() }];
  project.answer({}, JSON.stringify({ deployment: { resources } }));
  await entry({ stack: { ...journalEntry().stack, backend: "file:///state", baseUrl: api.url } });
  const environment = { ...project.environment, PULUMI_BACKEND_URL: "file:///state" };
  const result = await doctor(["--delete", id, "--yes"], { environment, cwd: project.folder });
  expect(result.stderr).toContain(`the stack test/dev has it as ${urn}`);
  expect([result.code, await open(), await deletions()]).toEqual([1, 1, 0]);
  project.remove();
});

it("takes --yes with --delete only", async () => {
  const result = await doctor(["--yes"]);
  expect(result.code).toBe(2);
  expect(result.stderr).toContain("--yes is for --delete");
});
