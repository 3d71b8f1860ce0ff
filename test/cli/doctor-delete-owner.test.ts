import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JournalEntry } from "../../src/journal/entry";
import { journalEntry } from "../support/journal-entry";
import { before } from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { thisProcess } from "../../src/process/process-identity";
import { sendControl } from "./doctor-bench";
import { makeKey, LeftVolume, makeVm } from "./doctor-delete-bench";
import type { CliResult } from "./support";
import { forEachTest } from "../support/suite";

const left = forEachTest(() => LeftVolume.make());

const volume = (stack: string, id: string, more: object = {}): object => ({
  urn: `urn:pulumi:${stack}::test::cloudinfra:index:Volume::kept`,
  type: "cloudinfra:index:Volume",
  id,
  ...more,
});
const answering = { isTTY: true, stdin: "yes\n" };
const forced = (): Promise<CliResult> => left.doctor(["--delete", left.id, "--force"], answering);

/** Expects that the doctor deletes nothing and prints this, with --yes and at a terminal. */
async function expectRefusal(message: string): Promise<void> {
  for (const result of [
    await left.doctor(["--delete", left.id, "--yes"]),
    await left.doctor(["--delete", left.id], answering),
  ]) {
    expect(result.stderr).toContain(message);
    expect(result.stderr).toContain(`volume ${left.id} was not deleted`);
    expect(result.code).toBe(1);
  }
  expect(await left.counts()).toEqual([1, 0]);
}

it.each([
  ["the stack of the entry", "dev", {}],
  ["another stack", "prod", {}],
  ["a stack of another project", "organization/other/dev", {}],
  ["a stack that only refers to it", "prod", { external: true }],
  ["a stack that waits for its deletion", "prod", { delete: true }],
])("never deletes an object that the state of %s has", async (_whose, stack, more) => {
  await left.entry();
  left.project.stacks({ dev: [], broken: undefined, [stack]: [volume("any", left.id.toUpperCase(), more)] });
  await expectRefusal("the stack test/any has it as urn:pulumi:any::test::cloudinfra:index:Volume::kept");
  expect((await forced()).code).toBe(1);
  expect(await left.counts()).toEqual([1, 0]);
});

it.each<[string, object, object?]>([
  ["as a part of", { __ownParts: ["ID"] }],
  ["in use by", { clusterId: "ID" }],
  ["in use by", { projectIds: ["ID"] }, { projectIds: ["ID"] }],
])("keeps an object that a stack has %s a resource", async (as, outputs, inputs = {}) => {
  await left.entry();
  const used = JSON.parse(JSON.stringify(outputs).replace("ID", left.id.toUpperCase())) as object;
  left.project.stacks({ prod: [volume("prod", "00000000-0000-4000-8000-0000000000ff", { inputs, outputs: used })] });
  await expectRefusal(`the stack test/prod has it ${as} urn:pulumi:prod::test::cloudinfra:index:Volume::kept`);
});

it("deletes an object that only a list output contains", async () => {
  await left.entry();
  const outputs = { poolIds: [left.id] };
  left.project.stacks({ dev: [volume("dev", "00000000-0000-4000-8000-0000000000ff", { inputs: {}, outputs })] });
  expect(await left.doctor(["--delete", left.id, "--yes"])).toMatchObject({ code: 0 });
});

it("keeps a replaced key that its successor's state lists", async () => {
  await left.entry();
  const outputs = { __retired: [{ id: left.id, signedIn: false }] };
  left.project.stacks({ dev: [volume("dev", "00000000-0000-4000-8000-0000000000ff", { outputs })] });
  await expectRefusal("as replaced by urn:pulumi:dev::test::cloudinfra:index:Volume::kept. Set `deleteOld");
});

it("keeps the object while another run locks any object", async () => {
  const entry = await left.entry();
  const running = JSON.stringify({ pid: process.ppid, space: thisProcess().space });
  const name = `${Buffer.from("another").toString("hex")}.mark.lock`;
  writeFileSync(join(dirname(left.journal.pathOf(entry)), name), running);
  await expectRefusal("another process works on it, or on an object that its deletion may also delete");
});

it("keeps a VM whose data volume is in a state", async () => {
  const token = "d".repeat(32);
  const [id, dataVolume] = await makeVm(left.api, token);
  await left.entry({ id, type: "Vm", noun: "VM", token });
  left.project.stacks({ dev: [], prod: [volume("prod", dataVolume)] });
  const result = await left.doctor(["--delete", id, "--yes"]);
  expect(result.stderr).toContain(`VM ${id} was not deleted: the stack test/prod has its volume ${dataVolume} as urn:`);
  expect([result.code, await left.counts()]).toEqual([1, [1, 0]]);
  left.project.stacks({ dev: [] });
  const deleted = await left.doctor(["--delete", id, "--yes"]);
  expect(deleted.stderr).toContain(`goes too  volume ${dataVolume}, if the API made it with the VM`);
  expect([deleted.code, await left.counts()]).toEqual([0, [0, 1]]);
});

it("keeps the key that it signs in with", async () => {
  const { id, key } = await makeKey(left.api, left.token);
  const urn = "urn:pulumi:dev::test::cloudinfra:index:ApiKey::ci";
  await left.entry({ id, type: "ApiKey", noun: "API key", name: "ci", urn });
  const signedIn = await left.doctor(["--delete", id, "--yes"], { environment: { CLOUDINFRA_API_KEY: key } });
  expect(signedIn.stderr).toContain(`API key ${id} was not deleted: this command signs in with it`);
  expect([signedIn.code, await left.counts()]).toEqual([1, [1, 0]]);
  const other = await left.doctor(["--delete", id, "--yes"]);
  expect([other.code, other.stderr.includes("this command signs in with")]).toEqual([0, false]);
});

it("warns if it cannot know its own key", async () => {
  const { id } = await makeKey(left.api, left.token);
  await left.entry({
    id,
    type: "ApiKey",
    noun: "API key",
    name: "ci",
    urn: "urn:pulumi:dev::test::cloudinfra:index:ApiKey::ci",
  });
  await sendControl(left.api, "/faults", { path: "/audit_logs", status: 403, every: 1 });
  const { stderr } = await left.doctor(["--delete", id, "--yes"]);
  expect(stderr).toContain("warning: the audit log does not show which API key this command signs in with.");
});

it("deletes a command's object without a state, unless a stack has it", async () => {
  await left.entry({ stack: { ...journalEntry().stack, project: "cloudinfra command", baseUrl: left.api.url } });
  left.project.stacks({ dev: [volume("dev", left.id)] });
  await expectRefusal("the stack test/dev has it as urn:");
  const result = await left.doctor(["--delete", left.id, "--yes"], { cwd: tmpdir() });
  expect([result.code, result.stderr.includes("No state"), await left.counts()]).toEqual([0, false, [0, 1]]);
});

it("deletes an object of a stack that was renamed", async () => {
  await left.entry();
  left.project.stacks({ renamed: [] });
  expect(await left.doctor(["--delete", left.id, "--yes"])).toMatchObject({ code: 0 });
});

it("asks Pulumi for every stack of all projects", async () => {
  await left.entry();
  left.project.stacks({ dev: [], prod: [volume("prod", "other")], "organization/other/dev": [] });
  expect(await left.doctor(["--delete", left.id, "--yes"])).toMatchObject({ code: 0 });
  const commands = new Set(left.project.commands.filter((line) => line.startsWith("stack ")));
  expect([...commands]).toEqual([
    "stack export --non-interactive --stack dev",
    "stack export --non-interactive --stack organization/other/dev",
    "stack export --non-interactive --stack prod",
    "stack ls --all --json --non-interactive",
    "stack ls --json --non-interactive",
  ]);
});

it.each<[string, () => unknown, string]>([
  [
    "a state cannot be read",
    () => left.project.stacks({ dev: [], prod: undefined }),
    "The state of the stack prod cannot be read: it is broken.",
  ],
  [
    "Pulumi lists no stacks",
    () => left.project.answer({}),
    "No state was looked at, because `pulumi stack ls --all` fails.",
  ],
  [
    "Pulumi received it",
    () => left.entry({ isHandedOver: true }),
    "Pulumi received it or a part of it, so a stack of another backend may have it",
  ],
  [
    "the entry is of another backend",
    () => left.entry({ stack: { ...journalEntry().stack, backend: "file:///other", baseUrl: left.api.url } }),
    "No state was looked at, because this is not the folder of the project test with the backend file:///other.",
  ],
])("requires --force if %s", async (_why, arrange, message) => {
  await left.entry();
  await arrange();
  await expectRefusal(message);
  const result = await forced();
  expect(result.stderr).toContain(`warning: ${message}`);
  expect([result.code, await left.counts()]).toEqual([0, [0, 1]]);
});

it("reads no state in the folder of another project", async () => {
  await left.entry();
  const result = await left.doctor(["--delete", left.id, "--yes"], { cwd: tmpdir() });
  expect(result.stderr).toContain("this is not the folder of the project test");
  expect([result.code, await left.counts()]).toEqual([1, [1, 0]]);
});

it.each<[string, (entry: JournalEntry) => unknown, string, number]>([
  [
    "a run hands it over",
    (entry) => left.journal.write({ ...entry, isHandedOver: true }),
    "its entries in the journal have changed",
    1,
  ],
  ["its entry goes", (entry) => left.journal.remove(entry), "its entries in the journal have changed", 0],
  [
    "another entry names it",
    (entry) => left.journal.write({ ...entry, key: "b".repeat(32) }),
    "its entries in the journal have changed",
    2,
  ],
  ["a stack gets it", () => left.project.stacks({ dev: [volume("dev", left.id)] }), "the stack test/dev has it as", 1],
  ["a state can no longer be read", () => left.project.stacks({ dev: undefined }), "other states can be read", 1],
  ["somebody changes it", () => rename(), "the API shows other values (tags", 1],
])("deletes nothing if %s before the confirmation", async (_what, happening, message, open) => {
  const entry = await left.entry();
  async function* typed(): AsyncGenerator<string> {
    await happening(entry);
    yield "yes\n";
  }
  const result = await left.doctor(["--delete", left.id], { isTTY: true, stdin: typed() });
  expect(result.stderr).toContain(message);
  expect([result.code, await left.counts()]).toEqual([1, [open, 0]]);
});

it("deletes nothing that a run takes over meanwhile", async () => {
  const proxy = await FaultProxy.start(left.api.url);
  const { stack } = await left.entry();
  const entry = await left.entry({ stack: { ...stack, baseUrl: proxy.url } });
  const takesUp = before(() => left.journal.write({ ...entry, isHandedOver: true }));
  proxy.on({ ...requests.reads, nth: 2 }, takesUp);
  const environment = { CLOUDINFRA_BASE_URL: proxy.url };
  const result = await left.doctor(["--delete", left.id, "--yes"], { environment });
  await proxy.close();
  expect(result.stderr).toContain("its entries in the journal have changed");
  expect([result.code, await left.counts()]).toEqual([1, [1, 0]]);
});

async function rename(): Promise<void> {
  const { url, apiKey } = left.api;
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const body = JSON.stringify({ tags: ["kept"] });
  await fetch(`${url}/v1/compute/volumes/${left.id}`, { method: "PATCH", headers, body });
}
