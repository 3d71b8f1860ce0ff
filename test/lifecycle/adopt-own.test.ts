import { descriptorOf, madeTypes, takenOver } from "../kinds";
import { KilledConnections } from "../support/killed-run";
import { sent, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { MiniStack } from "../support/mini-engine";
import type { Declaration } from "../support/mini-state";
import { MAX_ENTRIES, type AuditLog } from "../../src/api/lists/audit-log";
import { AuditLogView } from "../../src/lifecycle/recovery/audit-log-reader";
import { sampleAuditLog } from "../api/support/samples";
import { World, type WireObject } from "../support/world";
import { reasonsOf } from "./support/reasons";

const world = World.forSuite();
const stackId = "5d3f";
const adoptOwn = "true";

/** One resource of each kind, and a rule in a new VPC. */
const program = (changed: Readonly<Record<string, object>> = {}): readonly Declaration[] => [
  ...madeTypes.map((type) => ({
    type,
    name: descriptorOf(type).name,
    args: () => world.args(type, changed[type]),
  })),
  { type: "Vpc", name: "own-net", args: () => world.args("Vpc") },
  {
    type: "FirewallRule",
    name: "own-rule",
    dependsOn: ["own-net"],
    args: (of) => {
      const { id, outs } = of("own-net");
      const { cidr } = outs["subnet"] as { readonly cidr: string };
      return world.args("FirewallRule", { vpcId: id, destinationAddress: cidr });
    },
  },
];

const volume: Declaration = world.declare("Volume", {}, "data");

const named: Declaration = { ...volume, args: () => world.args("Volume", { name: "data" }) };

async function made(): Promise<Readonly<Record<string, readonly WireObject[]>>> {
  const objects = madeTypes.map(async (type) => [type, await world.made(type)] as const);
  return Object.fromEntries(await Promise.all(objects));
}

/** Updates a stack without failures. */
async function updated(stack: MiniStack, run: TestRun, resources = program()): Promise<MiniStack> {
  expect((await stack.up(run, resources)).failures).toEqual([]);
  return stack;
}

it("adopts each object, and makes only new keys", async () => {
  const replaced = { ConnectConnection: { bandwidthMbps: 500 } };
  const owner = await updated(new MiniStack(), world.run({ stackId }));
  await updated(owner, world.run({ stackId }), program(replaced));
  const before = await made();
  const run = world.run({ stackId, adoptOwn });
  const later = await updated(new MiniStack(), run, program(replaced));
  const after = await made();
  const stays = (before["ApiKey"] ?? []).map(
    ({ id }) => expect.stringContaining(`API key ${id}, which this program`) as unknown,
  );
  expect(run.lines.map(({ text }) => text)).toEqual(expect.arrayContaining(stays));
  for (const type of madeTypes) {
    if (takenOver.includes(type)) expect(after[type]).toEqual(before[type]);
    else expect(after[type]).toHaveLength(before[type]!.length + 1);
  }
  const next = await later.up(world.run({ stackId }), program(replaced));
  expect([...new Set(next.operations.values())]).toEqual(["same"]);
});

it("names every key that may be in use", async () => {
  const rotated = (rotationTrigger: string): Declaration => ({
    ...{ type: "ApiKey", name: "ci" },
    args: () => world.args("ApiKey", { deleteOld: "atExpiry", rotationTrigger }),
  });
  const owner = new MiniStack();
  for (const trigger of ["1", "2", "3"]) await updated(owner, world.run({ stackId }), [rotated(trigger)]);
  const keys = await world.made("ApiKey");
  expect(keys).toHaveLength(3);
  const run = world.run({ stackId, adoptOwn });
  await updated(new MiniStack(), run, [rotated("3")]);
  const texts = run.texts().filter((text) => text.includes("delete it when no client uses it"));
  for (const { id } of keys) expect(texts).toContainEqual(expect.stringContaining(`API key ${id}, which this program`));
});

it.each([
  ["", volume],
  [" with a name of the program", named],
])("adopts the object%s after a killed replacement", async (_how, declared) => {
  const journal = new MemoryJournal();
  const owner = await updated(new MiniStack(), world.run({ stackId }, { journal }), [declared]);
  const before = await world.made("Volume");
  world.clock.advance(60_000);
  const connections = new KilledConnections({ method: "POST", path: /volumes$/, moment: "before" });
  const killed = world.run({ stackId }, { journal, client: { dispatcher: connections.dispatcher } });
  const replaced = { ...declared, args: () => ({ ...declared.args(() => owner.stateOf("data")), type: "nvme" }) };
  const end = owner.up(killed, [replaced]).catch(() => undefined);
  await connections.death;
  expect(journal.entries).toHaveLength(1);
  await updated(new MiniStack(), world.run({ stackId, adoptOwn }, { journal }), [declared]);
  expect(await world.made("Volume")).toEqual(before);
  await connections.bury();
  await end;
});

it.each([
  ["another id", "77e0"],
  ["no id", undefined],
])("leaves the objects of a stack with %s alone", async (_case, other) => {
  const neighbour = await updated(new MiniStack(), world.run({ stackId: other }), [volume]);
  const run = world.run({ stackId, adoptOwn });
  const own = await updated(new MiniStack(), run, [volume]);
  const { id } = neighbour.stateOf("data");
  expect(own.stateOf("data").id).not.toBe(id);
  const warning = `the provider makes a new volume, although volume ${id} has its name: nothing proves that this stack made that one`;
  expect(run.warnings()).toEqual(other === undefined ? [expect.stringContaining(warning)] : []);
});

it("adopts neither of two matching objects, and fails", async () => {
  for (let i = 0; i < 2; i += 1) await updated(new MiniStack(), world.run({ stackId }), [named]);
  const ids = await world.ids("Volume");
  for (const preflight of ["fail", "warn"]) {
    const { failures } = await new MiniStack().up(world.run({ stackId, adoptOwn, preflight }), [named]);
    for (const id of ids) expect(String(failures[0]?.error)).toContain(id);
    expect(String(failures[0]?.error)).toContain('Give the resource adopt: "<id>" with the one that it should have');
  }
  expect(await world.made("Volume")).toHaveLength(2);
});

it("fails if the audit log does not show the creation", async () => {
  await world.lag({ audit: "1h" });
  const neighbour = await updated(new MiniStack(), world.run({ stackId }), [named]);
  const { failures } = await new MiniStack().up(world.run({ stackId, adoptOwn }), [named]);
  const { id } = neighbour.stateOf("data");
  expect(String(failures[0]?.error)).toContain(
    `is taken by volume ${id}, and the audit log does not show who made it. If it belongs to this resource, give the resource adopt: "${id}".`,
  );
  expect(await world.made("Volume")).toHaveLength(1);

  await updated(new MiniStack(), world.run({ stackId, adoptOwn, preflight: "warn" }), [named]);
  expect(await world.made("Volume")).toHaveLength(2);
});

it("says that the audit log is too long", async () => {
  await updated(new MiniStack(), world.run({ stackId }), [named]);
  const run = world.run({ stackId, adoptOwn });
  const entries = Array<AuditLog>(MAX_ENTRIES).fill(sampleAuditLog());
  jest.spyOn(run.run.audit, "readDay").mockResolvedValue(new AuditLogView(0, 0, entries));
  const { failures } = await new MiniStack().up(run, [named]);
  expect(String(failures[0]?.error)).toMatch(
    /the audit log is too long to read in full \(5000 entries at most\), so nothing shows who made it\. If it belongs/,
  );
});

it("names a key that it cannot adopt only once", async () => {
  const args = world.args("ApiKey");
  await updated(new MiniStack(), world.run({ stackId }), [{ type: "ApiKey", name: "ci", args: () => args }]);
  const run = world.run({ stackId, adoptOwn });
  expect((await run.of("ApiKey").check({}, sent("ApiKey", "ci", args))).failures).toEqual([]);
  await run.run.duplicates.warn();
  expect(run.warnings()).toEqual([expect.stringMatching(/^API key .*, which this program made, stays/)]);
});

it("creates nothing if the audit log cannot be read", async () => {
  await updated(new MiniStack(), world.run({ stackId }), [volume]);
  await world.forbidAuditLog();
  const { failures } = await new MiniStack().up(world.run({ stackId, adoptOwn }), [volume]);
  expect(String(failures[0]?.error)).toContain("read the audit log (GET /v1/audit_logs) failed: 403");
  expect(await world.made("Volume")).toHaveLength(1);
});

it("adoptOwn needs the stack's id", async () => {
  const reasons = await reasonsOf(world.run({ adoptOwn }), "Volume", "data", world.args("Volume"));
  expect(reasons.join()).toContain("cloudinfra:adoptOwn needs the cloudinfra:stackId");
});
