import { warnOfUnnamedParts } from "../../src/lifecycle/adoption/unnamed-parts";
import { decimal, dollars } from "../../src/cost/money";
import { awaited, descriptorOf, harmless, takenOver } from "../kinds";
import { sent } from "../support/lifecycle";
import { MiniStack } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import { collectionPath, World } from "../support/world";

const world = World.forSuite();

/** Time passes during requests, as with a real clock, so that concurrent calls overlap. */
async function untilNothingIsSent(): Promise<void> {
  for (let [calm, seen] = [0, -1]; calm < 5;) {
    const { length } = await world.requests();
    calm = length === seen ? calm + 1 : 0;
    seen = length;
  }
}

it.each(takenOver)("an adopted %s gets the program's values", async (type) => {
  const args = world.args(type);
  const theirs = await world.create(type, { ...args, name: "mine", ...harmless(type, "theirs") });
  const { id, outs } = await world.create(type, { ...args, name: "mine", ...harmless(type, "ours"), adopt: theirs.id });
  expect([id, outs]).toMatchObject([theirs.id, harmless(type, "ours")]);
  expect(await world.made(type)).toMatchObject([{ id, ...harmless(type, "ours") }]);
});

it.each(takenOver)("the resource has the %s although its change failed", async (type) => {
  const args = world.args(type);
  const { id } = await world.create(type, { ...args, name: "mine", ...harmless(type, "theirs") });
  await world.fault({ method: "PATCH", path: `/${id}$`, status: 500, times: 99 });
  await expect(world.create(type, { ...args, name: "mine", ...harmless(type, "ours"), adopt: id })).rejects.toThrow(
    new RegExp(`has taken over .+ ${id} all the same`),
  );
});

it("a preview after a failed adoption names the values that still differ", async () => {
  const args = world.args("Volume", { name: "mine", size: 10 });
  const { id } = await world.create("Volume", args);
  await world.fault({ method: "PATCH", path: `/${id}$`, status: 500, times: 99 });
  const adopting = { ...args, size: 20, adopt: id };
  const stack = new MiniStack();
  await stack.up(world.run(), [{ type: "Volume", name: "x", args: () => adopting }]);
  const run = world.run();
  await preview(run, "Volume", adopting, stack.stateOf("x"));
  expect(run.texts()).toEqual([expect.stringMatching(/^changes size: 10 → 20; \$/)]);
});

it.each(takenOver)("does not take over a %s whose first change is refused with 409", async (type) => {
  const args = world.args(type, { name: "mine" });
  const { id } = await world.create(type, { ...args, ...harmless(type, "theirs") });
  await world.fault({ method: "PATCH", path: `/${id}$`, status: 409, body: '{"type":"CONFLICT_ERROR"}', every: 1 });
  const stack = new MiniStack();
  const adopting = { ...args, ...harmless(type, "ours"), adopt: id };
  const { failures } = await stack.up(world.run(), [{ type, name: "x", args: () => adopting }]);
  expect(failures).toMatchObject([{ error: { message: expect.stringContaining("409 CONFLICT_ERROR") as string } }]);
  expect(stack.resources).toEqual([]);
});

it.each([400, 409])("the resource has the volume although its attachment is refused with %s", async (status) => {
  const vms = [];
  for (const name of ["a", "b"]) vms.push((await world.create("Vm", { name }, { name })).id);
  const [from, to] = vms;
  const { id } = await world.create("Volume", { name: "mine", vmId: from });
  await world.fault({ method: "POST", path: "/attach$", status, body: '{"type":"X"}', every: 1 });
  const stack = new MiniStack();
  const { failures } = await stack.up(world.run(), [world.declare("Volume", { name: "mine", vmId: to, adopt: id })]);
  expect(failures).toMatchObject([{ error: { message: expect.stringContaining("all the same") as string } }]);
  const { id: own, outs } = stack.stateOf("x");
  expect([own, outs["vmId"], outs["__attempted"]]).toEqual([id, undefined, ["vmId"]]);
});

it.each(takenOver)("changes concurrently adopted objects despite late lists: %s", async (type) => {
  const args = world.args(type);
  const found = [
    await world.create(type, { ...args, name: "mine" }),
    await world.create(type, { ...args, name: "yours" }),
  ];
  await world.lag({ lists: "60s" });
  world.clock.advance(600_000);
  world.clock.onSleep = untilNothingIsSent;
  const run = world.run();
  const changes = ["one", "other"].map((word) => harmless(type, word));
  const adopting = found.map(({ id, outs: { name } }, nth) =>
    world.create(type, { ...args, name, ...changes[nth], adopt: id }, { run, name: String(name) }),
  );
  expect((await Promise.all(adopting)).map(({ outs }) => outs)).toMatchObject(changes);
});

describe.each(awaited)("the adoption of a %s that is being created", (type) => {
  it.each([
    ["waits until it is ready", {}, "ready", 0],
    ["warns if it is broken", { operation: "fail" }, "error", 1],
  ])("%s", async (_title, fault, status, warnings) => {
    const args = world.args(type, { name: "mine" });
    await world.fault({ method: "POST", path: `^${collectionPath(type)}$`, delay: "0", ...fault });
    const left = world.create(type, args, { run: world.run({ operationTimeout: "1ms" }) });
    await expect(left).rejects.toThrow();
    const [{ id } = { id: "" }] = await world.made(type);
    const run = world.run();
    const { outs } = await world.create(type, { ...args, adopt: id }, { run, name: "other" });
    expect([outs["status"], outs["createdAt"] !== undefined]).toEqual([status, true]);
    expect(run.lines.filter(({ text }) => text.includes('with the status "error"'))).toHaveLength(warnings);
  });
});

it("a preview shows that the object to adopt is broken", async () => {
  const { id } = await world.create("Vpc", { name: "mine" });
  const [made = {}] = await world.made("Vpc");
  await world.place(descriptorOf("Vpc").collection, { ...made, status: "error" });
  const run = world.run();
  const args = world.args("Vpc", { name: "mine", adopt: id });
  await run.of("Vpc").check({}, sent("Vpc", "other", args, true));
  expect(run.lines.map(({ text }) => text).join()).toContain(`adopts ${id} (with the status "error"), changes nothing`);
});

it.each([
  ["names it at the end of the run", false],
  ["does not name it if another resource adopts it", true],
])("a volume missing from an adopted VM's dataVolumes: %s", async (_title, isDeclared) => {
  const vm = world.args("Vm", { name: "machine", dataVolumes: [{ name: "data", size: 10 }] });
  const { id } = await world.create("Vm", vm);
  const other = await world.create("Volume");
  await world.api("POST", `/v1/compute/volumes/${other.id}/attach`, { vm_id: id });
  world.clock.advance(60_000);
  const run = world.run();
  await run.of("Vm").check({}, sent("Vm", "mine", { ...vm, adopt: id }, true));
  const data = world.args("Volume", { adopt: other.id, vmId: id });
  if (isDeclared) await run.of("Volume").check({}, sent("Volume", "data", data, true));
  expect(run.warnings()).toEqual([]);
  expect(run.texts()[0]).toBe(`adopts ${id}, changes nothing; $51.20/mo as before`);
  await warnOfUnnamedParts(run.run);
  const name = `"${String(other.outs["name"])}" (${other.id})`;
  const warning: unknown = expect.stringMatching(`^dataVolumes: does not list volume .+ of the VM to adopt`);
  expect(run.warnings()).toEqual(isDeclared ? [] : [warning]);
  if (!isDeclared) expect(run.warnings()[0]).toContain(name);
});

it("quotes an adopted object with its present values", async () => {
  const pool = world.args("NksNodePool", { name: "workers", nodeCount: 5 });
  const { id, outs } = await world.create("NksNodePool", pool);
  const run = world.run();
  await run.of("NksNodePool").check({}, sent("NksNodePool", "x", { ...pool, nodeCount: undefined, adopt: id }, true));
  const { monthlyTotal } = outs["cost"] as { monthlyTotal: string };
  expect(run.texts()).toEqual([`adopts ${id}, changes nothing; ${dollars(decimal(monthlyTotal))}/mo as before`]);
});

it("replaces an adopted key if rotationTrigger changes", async () => {
  // The API shows neither `lifetime` nor `rotationTrigger`.
  const args = { permissions: [{ resourceType: "vm", permission: "edit" }], lifetime: "90d" };
  const stack = new MiniStack();
  const { id, key } = await world.api("POST", "/v1/api_keys", {
    name: "old",
    expires_at: "2026-09-01T00:00:00Z",
    project_ids: [world.simulator.projectId],
    permissions: [{ resource_type: "vm", permission: "edit" }],
  });
  const up = async (rotationTrigger: number): Promise<unknown> => {
    const program = [{ type: "ApiKey", name: "x", args: () => ({ ...args, rotationTrigger, adopt: { id, key } }) }];
    const { failures, operations } = await stack.up(world.run(), program);
    expect(failures).toEqual([]);
    return operations.get("x");
  };
  expect(await up(1)).toBe("create");
  expect(stack.stateOf("x")).toMatchObject({ id, outs: { key, rotationTrigger: 1 } });
  expect(await up(1)).toBe("same");
  expect(await up(2)).toBe("replace");
  expect(stack.stateOf("x").id).not.toBe(id);
});
