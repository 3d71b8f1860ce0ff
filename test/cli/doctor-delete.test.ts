import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { nameInEntry, type JournalEntry } from "../../src/journal/entry";
import { thisProcess } from "../../src/process/process-identity";
import { requestsOf } from "../functions/support";
import { journalEntry } from "../support/journal-entry";
import { sendControl } from "./doctor-bench";
import { answer, dropAfter, hidden } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { forEachTest } from "../support/suite";
import { BACKEND, LeftVolume, makeVolume } from "./doctor-delete-bench";

const left = forEachTest(() => LeftVolume.make());
let id: string;
beforeEach(() => ({ id } = left));

it("deletes the object after a yes, and its entry", async () => {
  await left.entry();
  const result = await left.doctor(["--delete", id], { isTTY: true, stdin: "yes\n" });
  expect(result).toMatchObject({
    code: 0,
    stdout: `The API no longer has volume ${id}. Its entry in the journal is closed.\n`,
  });
  expect(result.stderr).toMatch(
    new RegExp(
      `kind +volume\nname +data-0123abc\nid +${id}\nstatus +\\w+\ncreated +\\d{4}-.*\nmade for +resource "data" of the stack test/dev`,
    ),
  );
  expect(result.stderr).toContain(`Delete volume ${id}? Type yes: `);
  expect(await left.counts()).toEqual([0, 1]);
});

it.each([
  ["another answer", { isTTY: true, stdin: "y\n" }, "Nothing was deleted."],
  ["no terminal", { stdin: "yes\n" }, "Confirm with --yes"],
])("deletes nothing with %s", async (_what, run, message) => {
  await left.entry();
  const result = await left.doctor(["--delete", id], run);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain(message);
  expect(await left.counts()).toEqual([1, 0]);
});

it("--force: deletes nothing without a terminal", async () => {
  await left.entry();
  const result = await left.doctor(["--delete", id, "--force"], { stdin: "yes\n" });
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining("Run this on a terminal") as unknown });
  expect(await left.counts()).toEqual([1, 0]);
});

it("--yes: deletes without a question, and waits for the 404", async () => {
  await left.entry();
  expect(await left.doctor(["--delete", id, "--yes"])).toMatchObject({ code: 0 });
  expect((await requestsOf(left.api)).at(-1)).toMatchObject({
    method: "GET",
    path: `/v1/compute/volumes/${id}`,
    status: 404,
  });
  expect(await left.counts()).toEqual([0, 1]);
});

it("signs in with the explicit provider of the entry", async () => {
  const provider = (name: string, apiKey: string): object => ({
    urn: `urn:pulumi:dev::test::pulumi:providers:cloudinfra::${name}`,
    type: "pulumi:providers:cloudinfra",
    id: name,
    inputs: { baseUrl: left.api.url, apiKey },
  });
  await left.entry({ stack: { ...(await left.entry()).stack, provider: "eu" } });
  left.project.stacks({ dev: [provider("us", "canary-of-another"), provider("eu", left.api.apiKey)] });
  expect(await left.doctor(["--delete", id, "--yes"])).toMatchObject({ code: 0 });
  expect(await left.counts()).toEqual([0, 1]);
});

it.each([200, 422])("locks the object until the answer %i, then keeps a changed entry", async (status) => {
  const proxy = await FaultProxy.start(left.api.url);
  const before = await left.entry({ stack: { ...journalEntry().stack, backend: BACKEND, baseUrl: proxy.url } });
  const entryNow = async (): Promise<JournalEntry | undefined> => (await left.journal.all()).entries[0];
  const folder = dirname(left.journal.pathOf(before));
  const locks = (): string[] =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".lock"))
      .map((name) => join(folder, name));
  const held: unknown[] = [];
  proxy.on({ method: "DELETE" }, async (request, forward) => {
    held.push(...locks().map((path) => JSON.parse(readFileSync(path, "utf8")) as unknown));
    await left.journal.write({ ...(await entryNow())!, isSuperseded: true });
    return status === 200 ? forward(request) : answer(status, { type: "X", message: "no" })(request, forward);
  });
  await left.doctor(["--delete", id, "--yes"], { environment: { CLOUDINFRA_BASE_URL: proxy.url } });
  expect(held).toEqual([thisProcess()]);
  const { entries } = await left.journal.all();
  expect(entries).toMatchObject(status === 200 ? [] : [{ sender: before.sender, isSuperseded: true }]);
  expect(locks()).toEqual([]);
  await proxy.close();
});

it("checks the object if the deletion gets no answer", async () => {
  const proxy = await FaultProxy.start(left.api.url);
  await left.entry({ stack: { ...journalEntry().stack, backend: BACKEND, baseUrl: proxy.url } });
  proxy.on({ method: "DELETE" }, dropAfter);
  const environment = { CLOUDINFRA_BASE_URL: proxy.url };
  expect(await left.doctor(["--delete", id, "--yes"], { environment })).toMatchObject({ code: 0 });
  expect((await left.counts())[0]).toBe(0);
  await proxy.close();
});

it("rejects a 404 for an object that is still listed", async () => {
  const proxy = await FaultProxy.start(left.api.url);
  await left.entry({ stack: { ...journalEntry().stack, backend: BACKEND, baseUrl: proxy.url } });
  const hideIt = (): unknown => proxy.on({ path: new RegExp(id) }, hidden);
  proxy.on({ method: "DELETE" }, (request, forward) => (hideIt(), hidden(request, forward)));
  const environment = { CLOUDINFRA_BASE_URL: proxy.url };
  const result = await left.doctor(["--delete", id, "--yes"], { environment });
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining("answered 404 to its deletion") as unknown });
  expect(await left.counts()).toEqual([1, 0]);
  await proxy.close();
});

it("does not trust a 404 for a new object", async () => {
  await left.entry({ sentAt: new Date().toISOString() });
  await sendControl(left.api, "/lag", { reads: "1h" });
  const result = await left.doctor(["--delete", id, "--yes"]);
  expect(result).toMatchObject({ code: 1 });
  expect(result.stderr).toContain("does not show");
  expect(await left.counts()).toEqual([1, 0]);
});

it("closes the entry of a deleted object", async () => {
  await left.entry();
  await fetch(`${left.api.controlUrl}/state/volumes/${id}`, { method: "DELETE" });
  expect(await left.doctor(["--delete", id])).toMatchObject({ code: 0 });
  expect(await left.counts()).toEqual([0, 0]);
});

it("keeps the entry if the account may differ", async () => {
  const { key } = await left.entry({ id: "00000000-0000-4000-8000-0000000000ff", token: "b".repeat(32) });
  const result = await left.doctor(["--delete", "00000000-0000-4000-8000-0000000000ff", "--yes"]);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain("no audit log shows that the key is of the account that made it");
  expect(result.stderr).toContain(`cloudinfra doctor --forget ${key}`);
  expect(await left.counts()).toEqual([1, 0]);
});

it("keeps the entry if the API refuses the deletion", async () => {
  await left.entry();
  await sendControl(left.api, "/faults", { method: "DELETE", path: "/volumes/", status: 403 });
  const result = await left.doctor(["--delete", id, "--yes"]);
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(/delete volume .* failed: 403[^]*The entry in the journal stays/);
  expect(await left.counts()).toEqual([1, 1]);
});

it("finds the entry by the object's name if it has no id", async () => {
  await left.entry({ id: undefined, sentAt: new Date().toISOString() });
  expect(await left.doctor(["--delete", id, "--yes"])).toMatchObject({ code: 0 });
  expect(await left.counts()).toEqual([0, 1]);
});

it("finds the entry by the hash of a secret name", async () => {
  const { token } = await left.entry();
  const { nameHash } = nameInEntry(token, "data-0123abc", true);
  await left.entry({ id: undefined, name: undefined, nameHash, sentAt: new Date().toISOString() });
  const { stdout, stderr } = await left.doctor(["--delete", id], { isTTY: true, stdin: "yes\n" });
  expect(stderr).toContain("name      [secret]");
  expect(stdout + stderr).not.toContain("data-0123abc");
  expect(await left.counts()).toEqual([0, 1]);
});

it("refuses an object with the entry's id from another request", async () => {
  const other = await makeVolume(left.api, "c".repeat(32));
  const answeredAt = new Date().toISOString();
  await left.entry({ id: other, answeredAt });
  expect((await left.doctor(["--delete", other, "--yes"])).stderr).toContain("another request made it");
  expect(await left.counts()).toEqual([1, 0]);
});

it("deletes a superseded object of another request", async () => {
  const other = await makeVolume(left.api, "c".repeat(32));
  await left.entry({ id: other, isSuperseded: true });
  expect(await left.doctor(["--delete", other, "--yes"])).toMatchObject({ code: 0 });
  expect(await left.counts()).toEqual([0, 1]);
});

it("refuses an object of the same name from another request", async () => {
  const lost = { id: undefined, sentAt: new Date().toISOString() };
  await left.entry(lost);
  const other = await makeVolume(left.api, "c".repeat(32));
  const foreign = await left.doctor(["--delete", other, "--yes"]);
  expect(foreign.stderr).toContain("the audit log shows that another request made it");
  await sendControl(left.api, "/faults", { path: "/audit_logs", status: 403, every: 1 });
  const unread = await left.doctor(["--delete", id, "--yes"]);
  expect(unread.stderr).toContain('Only its name, "data-0123abc", says that the interrupted run made it');
  expect([foreign.code, unread.code, await left.counts()]).toEqual([1, 1, [1, 0]]);
  const deleted = await left.doctor(["--delete", id, "--force"], { isTTY: true, stdin: "yes\n" });
  expect(deleted.stdout).toContain("stays, because the audit log does not show what its request has made. If nothing");
  expect([deleted.code, await left.counts()]).toEqual([0, [1, 1]]);
});

it("keeps the entry if the audit log is unavailable", async () => {
  await left.entry();
  await sendControl(left.api, "/faults", { path: "/audit_logs", status: 503, every: 1 });
  const deleted = await left.doctor(["--delete", id, "--yes"]);
  expect(deleted.stdout).toContain("stays, because the audit log does not show what its request has made");
  expect([deleted.code, await left.counts()]).toEqual([0, [1, 1]]);
});

it.each([undefined, "the answer"])("writes an entry for a second object; id from %s", async (answer) => {
  const twin = await makeVolume(left.api, left.token);
  await left.entry({ id: answer && id, sentAt: new Date().toISOString() });
  const first = await left.doctor(["--delete", id, "--yes"]);
  expect(first.stdout).toContain(`Its request has also made ${twin}. To keep it, adopt it with adopt: "${twin}".`);
  expect([first.code, await left.counts()]).toEqual([0, [1, 1]]);
  expect(await left.doctor(["--delete", twin, "--yes"])).toMatchObject({ code: 0 });
  expect(await left.counts()).toEqual([0, 2]);
});

it.each(["its last attempt made", "a resource has adopted"])(
  "does not call the object a leftover that %s",
  async (how) => {
    const live = await makeVolume(left.api, left.token);
    const isLast = how === "its last attempt made";
    const sentAt = new Date().toISOString();
    await left.entry({ id: undefined, sentAt, lastMadeId: isLast ? live : undefined });
    if (!isLast) await left.journal.noteAdopted({ type: "Volume", id: live });
    const deleted = await left.doctor(["--delete", id, "--yes"]);
    expect(deleted.stdout).toBe(`The API no longer has volume ${id}. Its entry in the journal is closed.\n`);
    const { entries } = await left.journal.all();
    expect(entries).toMatchObject(isLast ? [] : [{ id: live, isHandedOver: true }]); // until a state shows it
  },
);

it("finds the entry by its request, not by name", async () => {
  const older = await left.entry({ id: undefined, sentAt: new Date().toISOString() });
  const own = "d".repeat(32);
  await left.journal.write({ ...older, key: own, token: own });
  const made = await makeVolume(left.api, own);
  expect(await left.doctor(["--delete", made, "--yes"])).toMatchObject({ code: 0 });
  const { entries } = await left.journal.all();
  expect(entries.map(({ key }) => key)).toEqual([older.key]);
});

it("refuses an object that a live run may be creating", async () => {
  const older = await left.entry({ id: undefined });
  const live = { pid: process.ppid, space: thisProcess().space };
  await left.journal.write({ ...older, key: "d".repeat(32), token: "d".repeat(32), sender: live });
  const { stderr } = await left.doctor(["--delete", id, "--force"], { isTTY: true, stdin: "yes\n" });
  expect(stderr).toContain("the run that creates it, or may create it, has not ended");
  expect(await left.counts()).toEqual([2, 0]);
});

it("warns if an object cannot be compared with its entry", async () => {
  await left.entry({ id: undefined });
  await sendControl(left.api, "/faults", { method: "GET", path: "/volumes/", status: 403, every: 1 });
  const { stderr } = await left.doctor(["--delete", id, "--yes"]);
  expect(stderr).toContain("One of them may be about this object, which could not be read: ");
  expect(await left.counts()).toEqual([1, 0]);
});

it.each<[string, () => Partial<JournalEntry>, string]>([
  ["that no entry names", () => ({ id: "other" }), "No open entry of the journal names"],
  ["that only shares its name", () => ({ id: undefined, name: "other" }), "No open entry of the journal names"],
  ["that a run has taken over", () => ({ foundAs: { publicIpEnabled: false } }), "a run took it over"],
  [
    "whose run has not ended",
    () => ({ sender: { pid: process.ppid, space: thisProcess().space } }),
    "the run that creates it, or may create it, has not ended",
  ],
  [
    "at another API",
    () => ({ stack: { ...journalEntry().stack, baseUrl: "https://other.example" } }),
    "is at https://other.example, but the settings here are for",
  ],
])("refuses an object %s", async (_what, different, message) => {
  await left.entry(different());
  const result = await left.doctor(["--delete", id, "--yes"]);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain(message);
  expect(await left.counts()).toEqual([1, 0]);
});
