import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { nameInEntry, type JournalEntry } from "../../src/journal/entry";
import { thisProcess } from "../../src/process/process-identity";
import { requestsOf, send, sendControl } from "../functions/support";
import { journalEntry } from "../support/journal-entry";
import { answer, dropAfter, dropBefore, failedOperations, hidden, refuse, rewrite } from "../support/proxy/actions";
import { forEachTest } from "../support/suite";
import { VirtualClock } from "../support/virtual-clock";
import { FORCED, LeftVolume, makeVolume, TYPED_YES } from "./doctor-delete-fixture";

const left = forEachTest(() => LeftVolume.make());
const ELSEWHERE = "00000000-0000-4000-8000-0000000000ff";
/** The id of the object to delete. */
let id: string;
beforeEach(() => ({ id } = left));

const now = (): string => new Date().toISOString();
const fault = (path: string, status: number, more = {}): Promise<void> =>
  sendControl(left.api, "/faults", { path, status, every: 1, ...more });
async function makeOther(): Promise<void> {
  id = await makeVolume(left.api, "c".repeat(32));
}
const running = { pid: process.ppid, space: thisProcess().space };

it("deletes the object after a yes, then its entry", async () => {
  await left.entry();
  const { stdout, stderr } = await left.expectDelete(0, [0, 1], "", TYPED_YES);
  expect(stdout).toBe(`The API no longer has volume ${id}. Its entry in the journal is closed.\n`);
  const object = `kind +volume\nname +data-0123abc\nid +${id}\nstatus +\\w+\ncreated +\\d{4}-.*`;
  expect(stderr).toMatch(new RegExp(`${object}\nmade for +resource "data" of the stack test/dev`));
  expect(stderr).toContain(`Delete volume ${id}? Type yes: `);
  const last = { method: "GET", path: `/v1/compute/volumes/${id}`, status: 404 };
  expect((await requestsOf(left.api)).at(-1)).toMatchObject(last);
});

it.each([
  ["another answer", { ...TYPED_YES, stdin: "y\n" }, "Nothing was deleted."],
  ["no terminal", { flags: [], stdin: "yes\n" }, "Confirm with --yes"],
  ["--force and no terminal", { flags: ["--force"], stdin: "yes\n" }, "Run this on a terminal"],
])("deletes nothing with %s", async (_case, run, message) => {
  await left.entry();
  await left.expectDelete(1, [1, 0], message, run);
});

it("deletes an object that one answer shows as deleted", async () => {
  const proxy = await left.proxied();
  proxy.on(
    { method: "GET", path: new RegExp(`/volumes/${id}$`), nth: 1 },
    rewrite((volume) => ({ ...volume, status: "deleted" })),
  );
  await left.expectDelete(0, [0, 1]);
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
  await left.expectDelete(0, [0, 1]);
});

it.each([200, 422])("locks the object until the answer %i, then keeps a changed entry", async (status) => {
  const proxy = await left.proxied();
  const entryNow = async (): Promise<JournalEntry> => (await left.journal.all()).entries[0]!;
  const before = await entryNow();
  const folder = dirname(left.journal.pathOf(before));
  const locks = (): string[] =>
    readdirSync(folder).flatMap((name) => (name.endsWith(".lock") ? [join(folder, name)] : []));
  const held: unknown[] = [];
  proxy.on({ method: "DELETE" }, async (request, forward) => {
    held.push(...locks().map((path) => JSON.parse(readFileSync(path, "utf8")) as unknown));
    await left.journal.write({ ...(await entryNow()), isSuperseded: true });
    return status === 200 ? forward(request) : answer(status, { type: "X", message: "no" })(request, forward);
  });
  await left.delete();
  expect(held).toEqual([thisProcess()]);
  const { entries } = await left.journal.all();
  expect(entries).toMatchObject(status === 200 ? [] : [{ sender: before.sender, isSuperseded: true }]);
  expect(locks()).toEqual([]);
});

it.each([
  ["gets no answer", [1, 2, 3, 4, 5]],
  ["gets no answer at first, then 404", 1],
])("checks the object if the deletion %s", async (_what, nth) => {
  const proxy = await left.proxied();
  await left.entry({ sentAt: now() });
  proxy.on({ method: "DELETE", nth }, dropAfter);
  expect(await left.delete()).toMatchObject({ code: 0 });
  expect((await left.counts())[0]).toBe(0);
});

it("waits for a deletion in progress that got no answer", async () => {
  const proxy = await left.proxied();
  const statuses = ["deleting", "deleting"];
  const showStatus = rewrite((shown) => ({ ...shown, status: statuses.pop() ?? "deleted" }));
  proxy.on({ method: "DELETE" }, (request, forward) => {
    proxy.on({ method: "GET", path: new RegExp(`${id}$`) }, showStatus);
    return dropBefore(request, forward);
  });
  const { stderr } = await left.expectDelete(0, [0, 0]);
  expect(stderr).toContain(`Waiting until the API no longer has volume ${id}.`);
});

it("rejects a 404 for an object that is still listed", async () => {
  const proxy = await left.proxied();
  const hideIt = (): unknown => proxy.on({ path: new RegExp(id) }, hidden);
  proxy.on({ method: "DELETE" }, (request, forward) => (hideIt(), hidden(request, forward)));
  await left.expectDelete(1, [1, 0], "answered 404 to its deletion");
});

it("keeps the entry of an object that stays", async () => {
  const proxy = await left.proxied();
  proxy.on({ method: "DELETE" }, answer(204));
  await left.expectDelete(1, [1, 0], "Its entry in the journal stays", { clock: new VirtualClock(Date.now()) });
});

it("names the failed operation of a deletion that stays in progress", async () => {
  const proxy = await left.proxied();
  proxy.on({ method: "GET", path: /operations/ }, failedOperations);
  const shown = await send(left.api, "GET", `/v1/compute/volumes/${left.id}`);
  proxy.on({ method: "DELETE" }, (request, forward) => {
    proxy.on({ method: "GET", path: new RegExp(`${left.id}$`) }, answer(200, { ...shown, status: "deleting" }));
    return failedOperations(request, forward);
  });
  const { stderr } = await left.expectDelete(1, [1, 1], "with the status deleting", {
    clock: new VirtualClock(Date.now()),
  });
  expect(stderr).toMatch(/operation .*failed/);
});

it("keeps an object that a replica hides after a repeated deletion", async () => {
  const proxy = await left.proxied();
  proxy.on({ method: "DELETE", nth: 1 }, dropBefore);
  proxy.on({ method: "DELETE", nth: 2 }, (request, forward) => {
    proxy.on({ method: "GET", path: new RegExp(`${left.id}$`), nth: [1, 2, 3, 4] }, hidden);
    return hidden(request, forward);
  });
  await left.expectDelete(1, [1, 0], "404");
});

it("closes the entry of a deleted object", async () => {
  await left.entry();
  await sendControl(left.api, `/state/volumes/${id}`, undefined, "DELETE");
  await left.expectDelete(0, [0, 0], "", { flags: [] });
});

it("closes the entry of an object that the API shows as deleted, without the audit log", async () => {
  const proxy = await left.proxied();
  const showDeleted = rewrite((shown) => ({ ...shown, status: "deleted" }));
  proxy.on({ method: "GET", path: new RegExp(`${id}$`) }, showDeleted);
  proxy.on({ method: "GET", path: /audit_logs$/ }, refuse);
  await left.expectDelete(0, [1, 0], "The API no longer has");
});

it("keeps the entry if the account may differ", async () => {
  const { key } = await left.entry({ id: ELSEWHERE, token: "b".repeat(32) });
  const message = "no audit log shows that the key is of the account that made it";
  const { stderr } = await left.expectDelete(1, [1, 0], message, { id: ELSEWHERE });
  expect(stderr).toContain(`cloudinfra doctor --forget ${key}`);
});

it("keeps the entry if the API refuses the deletion", async () => {
  await left.entry();
  await fault("/volumes/", 403, { method: "DELETE" });
  const { stderr } = await left.expectDelete(1, [1, 1], "The entry in the journal stays");
  expect(stderr).toMatch(/delete volume .* failed: 403/);
});

it("finds the entry by the hash of a secret name", async () => {
  const { token } = await left.entry();
  const { nameHash } = nameInEntry(token, "data-0123abc", true);
  await left.entry({ id: undefined, name: undefined, nameHash, sentAt: now() });
  const { stdout, stderr } = await left.expectDelete(0, [0, 1], "", TYPED_YES);
  expect(stderr).toContain("name      [secret]");
  expect(stdout + stderr).not.toContain("data-0123abc");
});

it("deletes a superseded object of another request", async () => {
  await makeOther();
  await left.entry({ id, isSuperseded: true });
  await left.expectDelete(0, [0, 1], "", { id });
});

it("refuses an object of the same name from another request", async () => {
  await left.entry({ id: undefined, sentAt: now() });
  await makeOther();
  await left.expectDelete(1, [1, 0], "the audit log shows that another request made it", { id });
  await fault("/audit_logs", 403);
  await left.expectDelete(1, [1, 0], 'Only its name, "data-0123abc", says that the interrupted run made it');
  const unproven = "stays, because the audit log does not show what its request has made. If nothing";
  await left.expectDelete(0, [1, 1], unproven, FORCED);
});

it("keeps the entry if the audit log is unavailable", async () => {
  await left.entry();
  await fault("/audit_logs", 503);
  await left.expectDelete(0, [1, 1], "stays, because the audit log does not show what its request has made");
});

it.each([undefined, "the answer"])("writes an entry for a second object; id from %s", async (answer) => {
  const twin = await makeVolume(left.api, left.token);
  await left.entry({ id: answer && id, sentAt: now() });
  const advice = `Its request has also made ${twin}. To keep it, adopt it with adopt: "${twin}".`;
  await left.expectDelete(0, [1, 1], advice);
  await left.expectDelete(0, [0, 2], "", { id: twin });
});

it.each(["its last attempt made", "a resource has adopted"])("does not report as a leftover what %s", async (how) => {
  const live = await makeVolume(left.api, left.token);
  const isLast = how === "its last attempt made";
  await left.entry({ id: undefined, sentAt: now(), madeIds: isLast ? [live] : undefined });
  if (!isLast) await left.journal.recordAdoption({ type: "Volume", id: live });
  const deleted = await left.delete();
  expect(deleted.stdout).toBe(`The API no longer has volume ${id}. Its entry in the journal is closed.\n`);
  const { entries } = await left.journal.all();
  expect(entries).toMatchObject(isLast ? [] : [{ id: live, isHandedOver: true }]); // until a state shows it
});

it("finds the entry by its request, not by name", async () => {
  const older = await left.entry({ id: undefined, sentAt: now() });
  const own = "d".repeat(32);
  await left.journal.write({ ...older, key: own, token: own });
  await left.expectDelete(0, [1, 1], "", { id: await makeVolume(left.api, own) });
  const { entries } = await left.journal.all();
  expect(entries.map(({ key }) => key)).toEqual([older.key]);
});

it("refuses an object that a live run may be creating", async () => {
  const older = await left.entry({ id: undefined });
  await left.journal.write({ ...older, key: "d".repeat(32), token: "d".repeat(32), sender: running });
  await left.expectDelete(1, [2, 0], "the run that creates it, or may create it, has not ended", FORCED);
});

const NOT_NAMED = "No open entry of the journal names";
const UNREADABLE = "One of them may be about this object, but the object could not be read: ";
const atOtherApi = () => ({ stack: { ...journalEntry().stack, baseUrl: "https://other.example" } });
const hideNew = () => sendControl(left.api, "/lag", { reads: "1h" });
const refuseReads = () => fault("/volumes/", 403, { method: "GET" });

it.each<[title: string, different: () => Partial<JournalEntry>, message: string, arrange?: () => unknown]>([
  ["that no entry names", () => ({ id: "other" }), NOT_NAMED],
  ["that only shares its name", () => ({ id: undefined, name: "other" }), NOT_NAMED],
  ["that a run has taken over", () => ({ foundAs: { publicIpEnabled: false } }), "a run took it over"],
  ["whose run has not ended", () => ({ sender: running }), "the run that creates it, or may create it, has not ended"],
  ["at another API", atOtherApi, "is at https://other.example, but the settings here are for"],
  ["with the entry's id from another request", () => ({ id, answeredAt: now() }), "another request made it", makeOther],
  ["that is new and not shown", () => ({ sentAt: now() }), "does not show", hideNew],
  ["that cannot be compared with its entry", () => ({ id: undefined }), UNREADABLE, refuseReads],
])("refuses an object %s", async (_case, different, message, arrange = () => undefined) => {
  await arrange();
  await left.entry(different());
  await left.expectDelete(1, [1, 0], message, { id });
});
