import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JournalEntry } from "../../src/journal/entry";
import { journalEntry } from "../support/journal-entry";
import { before, onTwoPages, rewriteItems } from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { thisProcess } from "../../src/process/process-identity";
import { makeApiKey, send, sendControl } from "../functions/support";
import { decrypted, encrypted } from "./support";
import { FORCED, LeftVolume, makeVm, TYPED_YES } from "./doctor-delete-fixture";
import { forEachTest } from "../support/suite";

const left = forEachTest(() => LeftVolume.make());
const OTHER_ID = "00000000-0000-4000-8000-0000000000ff";

const volume = (stack: string, id = OTHER_ID, more: object = {}): object => ({
  urn: `urn:pulumi:${stack}::test::cloudinfra:index:Volume::kept`,
  type: "cloudinfra:index:Volume",
  id,
  ...more,
});

/** Expects that the doctor deletes nothing and prints this, with --yes and at a terminal. */
async function expectRefusal(message: string): Promise<void> {
  for (const run of [{}, TYPED_YES]) {
    const { stderr } = await left.expectDelete(1, [1, 0], message, run);
    expect(stderr).toContain(`volume ${left.id} was not deleted`);
  }
}

it.each([
  ["the stack of the entry", "dev", {}],
  ["another stack", "prod", {}],
  ["a stack of another project", "organization/other/dev", {}],
  ["a stack that only refers to it", "prod", { external: true }],
  ["a stack that waits for its deletion", "prod", { delete: true }],
])("deletes no object in the state of %s", async (_whose, stack, more) => {
  await left.entry();
  left.project.stacks({ dev: [], broken: undefined, [stack]: [volume("any", left.id.toUpperCase(), more)] });
  await expectRefusal("the stack test/any has it as urn:pulumi:any::test::cloudinfra:index:Volume::kept");
  await left.expectDelete(1, [1, 0], "", FORCED);
});

it.each<[as: string, outputs: object, inputs?: object, advice?: string]>([
  ["as a part of", { __ownParts: ["ID"] }],
  ["in use by", { clusterId: "ID" }],
  ["in use by", { projectIds: ["ID"] }, { projectIds: ["ID"] }],
  ["in use by", { projectIds: [OTHER_ID, decrypted("ID")] }, { projectIds: [] }],
  ["in use by", { projectIds: decrypted(["ID"]) }, { projectIds: [] }],
  ["in use by", { clusterId: "ID", key: encrypted }],
  ["as replaced by", { __retired: [{ id: "ID", signedIn: false }] }, {}, ". Set `deleteOld"],
])("keeps an object that a stack has %s a resource", async (as, outputs, inputs = {}, advice = "") => {
  await left.entry();
  const used = JSON.parse(JSON.stringify(outputs).replace("ID", left.id.toUpperCase())) as object;
  left.project.stacks({ prod: [volume("prod", OTHER_ID, { inputs, outputs: used })] });
  await expectRefusal(`the stack test/prod has it ${as} urn:pulumi:prod::test::cloudinfra:index:Volume::kept${advice}`);
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
  const message = `VM ${id} was not deleted: the stack test/prod has its volume ${dataVolume} as urn:`;
  await left.expectDelete(1, [1, 0], message, { id });
  left.project.stacks({ dev: [] });
  const { stderr } = await left.expectDelete(0, [0, 1], "", { id });
  expect(stderr).toContain(`goes too  volume ${dataVolume}, if the API made it with the VM`);
});

describe("an API key", () => {
  let [id, secret] = ["", ""];
  beforeEach(async () => {
    const permissions = [
      { resource_type: "api_key", permission: "edit" },
      { resource_type: "audit_log", permission: "read" },
    ];
    ({ id, secret } = await makeApiKey(left.api, { permissions }));
    await addEntry();
  });
  const urn = "urn:pulumi:dev::test::cloudinfra:index:ApiKey::ci";
  const addEntry = (): Promise<JournalEntry> => left.entry({ id, type: "ApiKey", noun: "API key", name: "ci", urn });

  it("keeps the key that it signs in with", async () => {
    const message = `API key ${id} was not deleted: this command signs in with it`;
    await left.expectDelete(1, [1, 0], message, { id, environment: { CLOUDINFRA_API_KEY: secret } });
    const { stderr } = await left.expectDelete(0, [1, 1], "", { id });
    expect(stderr).not.toContain("this command signs in with");
  });

  it("finds its own key in a log without an order, beyond the first 100 entries", async () => {
    const proxy = await left.proxied();
    await addEntry();
    for (let nth = 0; nth < 101; nth += 1) await send(left.api, "PATCH", `/v1/api_keys/${id}`, { tags: [] });
    const others = rewriteItems((logs) =>
      logs.map((log, nth) => ({ ...log, id: `other ${nth}`, user_agent: "other" })),
    );
    proxy.on({ method: "GET", path: /^\/v1\/audit_logs$/ }, (request, forward) =>
      request.query.includes("cursor")
        ? onTwoPages(request, forward)
        : others(request, () => onTwoPages(request, forward)),
    );
    const message = `API key ${id} was not deleted: this command signs in with it`;
    await left.expectDelete(1, [1, 0], message, { id, environment: { CLOUDINFRA_API_KEY: secret } });
  });

  it("warns if it cannot know its own key", async () => {
    await sendControl(left.api, "/faults", { path: "/audit_logs", status: 403, every: 1 });
    const { stderr } = await left.delete({ id });
    expect(stderr).toContain("warning: the audit log does not show which API key this command signs in with.");
  });
});

it("deletes a command's object without a state, unless a stack has it", async () => {
  await left.entry({ stack: { ...journalEntry().stack, project: "cloudinfra command", baseUrl: left.api.url } });
  left.project.stacks({ dev: [volume("dev", left.id)] });
  await expectRefusal("the stack test/dev has it as urn:");
  const { stderr } = await left.expectDelete(0, [0, 1], "", { cwd: tmpdir() });
  expect(stderr).not.toContain("No state");
});

it.each([
  ["that only a list output contains", "dev"],
  ["of a stack that was renamed", "renamed"],
])("deletes an object %s", async (_case, stack) => {
  await left.entry();
  left.project.stacks({ [stack]: [volume(stack, OTHER_ID, { inputs: {}, outputs: { poolIds: [left.id] } })] });
  await left.expectDelete(0, [0, 1]);
});

it("asks Pulumi for every stack of all projects", async () => {
  await left.entry();
  left.project.stacks({ dev: [], prod: [volume("prod", "other")], "organization/other/dev": [] });
  await left.expectDelete(0, [0, 1]);
  const commands = new Set(left.project.commands.filter((line) => line.startsWith("stack ")));
  expect([...commands]).toEqual([
    "stack export --non-interactive --stack dev",
    "stack export --non-interactive --stack organization/other/dev",
    "stack export --non-interactive --stack prod",
    "stack ls --all --json --non-interactive",
    "stack ls --json --non-interactive",
  ]);
});

const BROKEN = "The state of the stack prod cannot be read: it is broken.";
const ENCRYPTED = "The state has a secret of urn:pulumi:prod::test::cloudinfra:index:Volume::kept encrypted.";
const UNLISTED = "No state was looked at, because `pulumi stack ls --all` fails.";
const RECEIVED = "Pulumi received it or a part of it, so a stack of another backend may have it";
const OTHER_BACKEND =
  "No state was looked at, because this is not the folder of the project test with the backend file:///other.";
const prodHas = (clusterId: object) => () =>
  left.project.stacks({ dev: [], prod: [volume("prod", OTHER_ID, { outputs: { clusterId } })] });
const fromOtherBackend = (): unknown =>
  left.entry({ stack: { ...journalEntry().stack, backend: "file:///other", baseUrl: left.api.url } });

it.each<[string, () => unknown, string]>([
  ["a state cannot be read", () => left.project.stacks({ dev: [], prod: undefined }), BROKEN],
  ["a state cannot be decrypted", prodHas(encrypted), BROKEN],
  ["the passphrase of a state is wrong", prodHas(decrypted(null)), ENCRYPTED],
  ["Pulumi lists no stacks", () => left.project.answer({}), UNLISTED],
  ["Pulumi received it", () => left.entry({ isHandedOver: true }), RECEIVED],
  ["the entry is of another backend", fromOtherBackend, OTHER_BACKEND],
])("requires --force if %s", async (_why, arrange, message) => {
  await left.entry();
  await arrange();
  await expectRefusal(message);
  const { stderr } = await left.expectDelete(0, [0, 1], "", FORCED);
  expect(stderr).toContain(`warning: ${message}`);
});

it("reads no state in the folder of another project", async () => {
  await left.entry();
  await left.expectDelete(1, [1, 0], "this is not the folder of the project test", { cwd: tmpdir() });
});

const tagIt = (): unknown => send(left.api, "PATCH", `/v1/compute/volumes/${left.id}`, { tags: ["kept"] });
const HAS_CHANGED = "its entries in the journal have changed";

it.each<[string, (entry: JournalEntry) => unknown, string, number]>([
  ["a run hands it over", (entry) => left.journal.write({ ...entry, isHandedOver: true }), HAS_CHANGED, 1],
  ["its entry goes", (entry) => left.journal.remove(entry), HAS_CHANGED, 0],
  ["another entry names it", (entry) => left.journal.write({ ...entry, key: "b".repeat(32) }), HAS_CHANGED, 2],
  ["a stack gets it", () => left.project.stacks({ dev: [volume("dev", left.id)] }), "the stack test/dev has it as", 1],
  ["a state becomes unreadable", () => left.project.stacks({ dev: undefined }), "the set of readable states has", 1],
  ["somebody changes it", tagIt, "the API shows other values (tags", 1],
])("deletes nothing if %s before the confirmation", async (_case, happening, message, open) => {
  const entry = await left.entry();
  async function* typed(): AsyncGenerator<string> {
    await happening(entry);
    yield "yes\n";
  }
  await left.expectDelete(1, [open, 0], message, { ...TYPED_YES, stdin: typed() });
});

it("deletes nothing that a run takes over meanwhile", async () => {
  const proxy = await left.proxied();
  const entry = await left.entry();
  const takesUp = before(() => left.journal.write({ ...entry, isHandedOver: true }));
  proxy.on({ ...requests.reads, nth: 2 }, takesUp);
  await left.expectDelete(1, [1, 0], HAS_CHANGED);
});
