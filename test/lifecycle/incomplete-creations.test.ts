import { CancelledError } from "../../src/lifecycle/errors";
import { otherStorage } from "../kinds/volume";
import { sent, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { MiniStack } from "../support/mini-engine";
import type { Declaration, Props } from "../support/mini-state";
import { after, answer, before, hidden, rewrite, rewriteRequest } from "../support/proxy/actions";
import type { Action, RequestPattern } from "../support/proxy/exchange";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { World, type WireObject } from "../support/world";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

const withData = { dataVolumes: [{ name: "data", size: 10 }] };
const vm = (others: object = {}): Declaration => ({
  type: "Vm",
  name: "web",
  args: () => ({ ...world.args("Vm", withData), ...others }),
});

const HOUR_MS = 3_600_000;

const withoutVolumes = rewrite((shown) => ({ ...shown, data_volume_ids: [] }));
const stillCreating = rewrite((shown) => ({ ...shown, status: "creating", data_volume_ids: [] }));
const withOtherTags = rewrite((shown) => ({ ...shown, tags: ["other"] }));
const vms = { method: "GET", path: /\/vms\/[^/]+$/ };
const volumes = { method: "GET", path: /\/volumes\/[^/]+$/ };
/** Reads of a VM, and of the list of all VMs. */
const everyVm = { method: "GET", path: /\/vms(\/|$)/ };
const broken = rewrite((shown) => ({ ...shown, status: "error" }));
const post = { method: "POST", path: /\/compute\/vms$/ };

const poolIn = (clusterId: string): Declaration => world.declare("NksNodePool", { clusterId, nodeCount: 2 }, "pool");

/** A node pool whose creation ends at its time limit, and which is ready later. */
async function withPool(): Promise<{ readonly cluster: string; readonly pool: MiniStack }> {
  const { id: cluster } = await world.create("NksCluster");
  proxy.on(
    { method: "GET", path: /\/pools/ },
    rewrite((shown) => ({ ...shown, status: "creating" })),
  );
  const pool = new MiniStack();
  expect(await textsOf(pool, disturbed(), poolIn(cluster))).toHaveLength(1);
  proxy.clear();
  return { cluster, pool };
}

/** A volume of a VM, adopted by another resource. */
const keepIn = (id: string, vmId: unknown, others: object = {}): Declaration =>
  world.declare("Volume", { name: "data", size: 10, adopt: id, vmId, ...others }, "keep");

/** A run that the proxy's faults disturb. */
const disturbed = (config: Readonly<Record<string, string>> = {}): TestRun =>
  world.run({ baseUrl: proxy.url, ...config });

/** The data volume that the VM was made with. */
const dataVolume = async (): Promise<WireObject> =>
  (await world.objects("Volume")).find(({ name }) => name === "data")!;

/** Messages, each with one of these texts. */
const saying = (...parts: readonly string[]): readonly unknown[] =>
  parts.map((part) => expect.stringContaining(part) as unknown);

const NOT_SHOWN = " with dataVolumes, and the VM does not show it";
const MISSING = 'does not show the part that the program calls dataVolumes "data"';
const mayDelete = (id: string): string => `the API may delete the attached volume ${id} too`;

async function textsOf(stack: MiniStack, run: TestRun, ...program: readonly Declaration[]): Promise<readonly string[]> {
  return (await stack.up(run, program)).messages;
}

/** A run of a program while the proxy's faults last. */
async function disturbedUp(
  stack: MiniStack,
  config: Readonly<Record<string, string>>,
  ...program: readonly Declaration[]
): Promise<{ readonly texts: readonly string[]; readonly run: TestRun }> {
  const run = disturbed(config);
  const texts = await textsOf(stack, run, ...program);
  proxy.clear();
  return { texts, run };
}

/** A VM that is made while the proxy's faults last. */
async function made(config: Readonly<Record<string, string>> = {}, program = vm()) {
  const stack = new MiniStack();
  return { stack, ...(await disturbedUp(stack, config, program)) };
}

/** A stack with a VM that this fault keeps from being complete. */
async function failed(pattern: RequestPattern, action: Action, program = vm()): Promise<MiniStack> {
  proxy.on(pattern, action);
  const { stack, texts } = await made({}, program);
  expect(texts).toHaveLength(1);
  return stack;
}

/** The resource that adopts the data volume of the VM. */
async function keeping(): Promise<Declaration> {
  const { id, vm_id: vmId } = await dataVolume();
  return keepIn(id, vmId);
}

it("waits for a volume that a new VM lists late", async () => {
  proxy.on({ ...vms, nth: 1 }, withoutVolumes);
  const { stack, texts } = await made();
  expect(texts).toEqual([]);
  const { dataVolumeIds, __ownParts: own } = stack.stateOf("web").outs;
  expect(own).toEqual(expect.arrayContaining(dataVolumeIds as readonly string[]));
  expect(await stack.refresh(world.run())).toEqual([]);
});

it.each([
  ["when it shows its volumes", false, true],
  ["before that", true, false],
  ["before and after that", true, true],
])("an update completes a failed creation after a refresh %s", async (_when, isBefore, isAfter) => {
  proxy.on(everyVm, withoutVolumes);
  const { stack, texts } = await made();
  expect(texts).toEqual(saying(NOT_SHOWN));
  proxy.on(everyVm, withoutVolumes);
  if (isBefore) await stack.refresh(disturbed());
  proxy.clear();
  if (isAfter) expect(await stack.refresh(world.run())).toEqual([]);
  expect(await textsOf(stack, world.run(), vm())).toEqual([]);
  expect(stack.stateOf("web").outs).toMatchObject({ dataVolumes: [{ name: "data", size: 10 }] });
  expect(stack.stateOf("web").outs["__ownParts"]).toHaveLength(2);
  expect(await stack.refresh(world.run())).toEqual([]);
  expect((await stack.up(world.run(), [vm()])).operations).toEqual(new Map([["web", "same"]]));
});

it.each([
  ["no data volume", "dataVolumes", vms, withoutVolumes],
  ["volumes that the API hides", "bootVolume, dataVolumes", volumes, hidden],
  ["volumes with other tags", "bootVolume, dataVolumes", volumes, withOtherTags],
  ["larger volumes", "bootVolume, dataVolumes", volumes, rewrite((shown) => ({ ...shown, size: 100 }))],
] as const)("fails the creation of a VM with %s", async (_case, fields, pattern, action) => {
  proxy.on(pattern, action);
  const { stack, texts } = await made();
  expect(texts).toEqual(saying(` with ${fields}, and the VM does not show it`));
  const { id } = stack.stateOf("web");
  expect(id).toBe((await world.made("Vm"))[0]!.id);
  expect((await stack.up(world.run(), [vm()])).failures).toEqual([]);
  expect(stack.stateOf("web")).toMatchObject({ id, outs: { __ownParts: [expect.anything(), expect.anything()] } });
  expect(await stack.refresh(world.run())).toEqual([]);
});

it("fails with the id of a new VM's detached volume", async () => {
  await world.api("POST", "/v1/compute/volumes", {
    ...{ name: "data", project_id: world.simulator.projectId, region: world.simulator.region, size: 10, type: "abs" },
  });
  const [older] = await world.made("Volume");
  world.clock.advance(HOUR_MS);
  let id: string | undefined;
  const detached = before(async () => {
    id = (await world.made("Volume")).find((each) => each["name"] === "data" && each.id !== older!.id)!.id;
    await world.api("POST", `/v1/compute/volumes/${id}/detach`);
    world.clock.advance(2_000);
  });
  proxy.on({ ...vms, nth: 1 }, detached);
  const { texts } = await made();
  expect(texts).toEqual(saying(`The missing part may be volume "data" (${id!}): attach it again`));
  expect(texts.join()).not.toContain(older!.id);
});

it("fails a new VM with too few volumes without volume:read", async () => {
  await world.fault({ method: "GET", path: "/volumes/", status: 403, every: 1 });
  proxy.on(everyVm, withoutVolumes);
  const { stack, texts } = await made();
  expect(texts).toEqual(saying(NOT_SHOWN));
  expect(stack.stateOf("web").outs).not.toHaveProperty("__ownParts");
});

it("a new VM waits for hidden parts until the time limit", async () => {
  proxy.on(volumes, hidden);
  const startedAt = world.clock.now();
  expect((await made({ operationTimeout: "5s" })).texts).toHaveLength(1);
  expect(world.clock.now() - startedAt).toBeLessThan(10_000);
});

it("offers to continue if the wait for a new VM is cancelled", async () => {
  const person = new AbortController();
  proxy.on(volumes, async (request, forward) => {
    person.abort(new CancelledError("before it began"));
    return hidden(request, forward);
  });
  const run = world.run({ baseUrl: proxy.url }, { cancelled: person.signal });
  const texts = await textsOf(new MiniStack(), run, vm());
  proxy.clear();
  expect(texts).toEqual(saying("The API has accepted it and goes on with the VM"));
});

const changed = { tags: ["new"] };

describe("after a failed creation", () => {
  /** The API makes the VM with other values than those of the request. */
  const makesInstead = (values: Props): void =>
    void proxy.on(
      post,
      rewriteRequest((body) => ({ ...body, ...values })),
    );

  it.each([
    ["not ready", everyVm, stillCreating],
    ["without its volumes", vms, withoutVolumes],
    ["with hidden volumes", volumes, hidden],
  ])("saves the program's values for a new VM %s", async (_how, pattern, action) => {
    const stack = await failed(pattern, action);
    const { outs, inputs, id } = stack.stateOf("web");
    expect(outs).toMatchObject({ bootVolume: { size: 64 }, dataVolumes: [{ name: "data", size: 10 }] });
    expect(outs).not.toHaveProperty("__ownParts");
    const calls = world.run().of("Vm");
    const news = vm().args(() => stack.stateOf("web"));
    const checked = await calls.check(inputs, sent("Vm", "web", news, true));
    expect(checked.failures).toEqual([]);
    expect(await calls.diff(id, outs, checked.inputs)).toEqual({ changes: true });
  });

  it("corrects in the next update what the API made differently", async () => {
    const program = vm({ tags: ["mine"] });
    makesInstead({ tags: [], boot_volume: { size: 10, type: "abs" } });
    const stack = await failed(everyVm, answer(500), program);
    expect(await textsOf(stack, world.run(), program)).toEqual([]);
    expect(await world.made("Vm")).toMatchObject([{ tags: ["mine"] }]);
    expect((await world.objects("Volume")).map(({ size }) => size).sort()).toEqual([10, 64]);
    expect(stack.stateOf("web").outs["__ownParts"]).toHaveLength(2);
  });

  it("fails the next update if the API did not make a volume", async () => {
    makesInstead({ data_volumes: [] });
    const stack = await failed(everyVm, answer(500));
    expect(await textsOf(stack, world.run(), vm())).toEqual(saying(MISSING));
    expect(await stack.refresh(world.run())).toEqual([]);
    expect(await textsOf(stack, world.run(), vm({ dataVolumes: [] }))).toEqual([]);
  });

  const ofBoot = (body: Props): Props =>
    body["kind"] === "boot" ? { ...body, created_at: "2030-01-01T00:00:00Z" } : body;
  it.each<readonly [string, readonly [RequestPattern, Action], readonly [RequestPattern, Action], object]>([
    ["dates its boot volume late", [everyVm, answer(500)], [volumes, rewrite(ofBoot)], {}],
    ["lists its volume late", [vms, withoutVolumes], [{ ...vms, nth: [1, 2] }, withoutVolumes], {}],
    ["lists changed ones late", [everyVm, answer(500)], [{ ...vms, nth: [3, 4] }, withoutVolumes], changed],
  ])("an update owns a VM's volumes if the API %s", async (_case, [pattern, action], later, args) => {
    const stack = await failed(pattern, action);
    proxy.on(...later);
    expect((await disturbedUp(stack, {}, vm(args))).texts).toEqual([]);
    expect(stack.stateOf("web").outs["__ownParts"]).toHaveLength(2);
    expect(stack.stateOf("web").outs).toHaveProperty("bootVolumeId");
  });

  it("refuses to remove a volume after a refresh", async () => {
    const stack = await failed(vms, withoutVolumes);
    expect(await stack.refresh(world.run())).toEqual([]);
    expect(await textsOf(stack, world.run(), vm({ dataVolumes: [] }))).toEqual(saying('"data" cannot be taken away'));
  });

  it("keeps outside changes of an object that was seen complete", async () => {
    const { cluster, pool } = await withPool();
    const { id } = pool.stateOf("pool");
    await world.api("PATCH", `/v1/nks/clusters/${cluster}/pools/${id}`, { node_count: 4 });
    world.clock.advance(60_000);
    expect(await textsOf(pool, world.run(), poolIn(cluster))).toEqual([]);
    expect(await world.made("NksNodePool")).toMatchObject([{ node_count: 4 }]);
  });

  it.each([
    ["Volume", "type", /\/volumes(\/|$)/, (body: Props) => ({ ...body, type: otherStorage })],
    [
      "Vm",
      "bootVolume",
      /\/vms(\/|$)/,
      (body: Props) => ({ ...body, boot_volume: { ...(body["boot_volume"] as Props), type: otherStorage } }),
    ],
  ] as const)("replaces a %s made with a wrong %s in the second run", async (type, field, path, change) => {
    const program: Declaration = world.declare(type);
    proxy.on({ method: "POST", path }, rewriteRequest(change));
    proxy.on({ method: "GET", path }, answer(500));
    const { stack, texts } = await made({}, program);
    expect(texts).toHaveLength(1);
    const { id } = stack.stateOf("x");
    expect(await textsOf(stack, world.run(), program)).toEqual(
      saying(`${id} with another ${field} than that of the program`),
    );
    expect(stack.stateOf("x").id).toBe(id);
    const { operations, failures } = await stack.up(world.run(), [program]);
    expect({ operations, failures }).toEqual({ operations: new Map([["x", "replace"]]), failures: [] });
    expect(await world.ids(type)).toEqual([stack.stateOf("x").id]);
    expect((await stack.up(world.run(), [program])).operations).toEqual(new Map([["x", "same"]]));
  });

  it.each([10, 8])("fails until the program has the API's data volume type (%i GB)", async (size) => {
    makesInstead({ data_volumes: [{ name: "data", size, type: otherStorage }] });
    const stack = await failed(everyVm, answer(500));
    expect(await textsOf(stack, world.run(), vm())).toEqual(
      saying("with another dataVolumes than that of the program"),
    );
    expect(await stack.refresh(world.run())).toEqual([]);
    const said = await textsOf(stack, world.run(), vm());
    expect(said).toEqual(saying('the type of "data" cannot be changed'));
    const asMade = vm({ dataVolumes: [{ name: "data", size: 10, type: otherStorage }] });
    expect(await textsOf(stack, world.run(), asMade)).toEqual([]);
    expect(stack.stateOf("web").outs["__ownParts"]).toHaveLength(2);
  });

  it("saves the change of an update whose result cannot be read", async () => {
    const stack = await failed(volumes, hidden);
    proxy.on(
      { method: "PATCH", path: /\/vms\// },
      after(() => proxy.on(vms, answer(500))),
    );
    const program = vm(changed);
    expect(await textsOf(stack, disturbed(), program)).toHaveLength(1);
    proxy.clear();
    expect(await textsOf(stack, world.run(), program)).toEqual([]);
    expect(stack.stateOf("web").outs).toMatchObject({ tags: ["new"] });
  });

  it("owns no volumes after an update without permission to read them", async () => {
    const stack = await failed(everyVm, answer(500));
    await world.fault({ method: "GET", path: "/volumes", status: 403, every: 1 });
    const run = world.run();
    expect(await textsOf(stack, run, vm())).toEqual([]);
    expect(run.texts()).toEqual(saying("The base URL changes", "may not read its volumes, so they were not compared"));
    expect(stack.stateOf("web").outs).not.toHaveProperty("__ownParts");
  });

  it("a hidden volume that the program does not name blocks nothing", async () => {
    const stack = await failed(everyVm, answer(500), vm({ dataVolumes: undefined }));
    proxy.on(
      vms,
      rewrite((shown) => ({ ...shown, data_volume_ids: ["00000000-0000-4000-8000-0000000000ff"] })),
    );
    expect(await textsOf(stack, disturbed(), vm({ dataVolumes: undefined }))).toEqual([]);
  });

  it("names a volume that another resource has adopted", async () => {
    proxy.on(everyVm, withoutVolumes);
    const journal = new MemoryJournal();
    const stack = new MiniStack();
    expect(await textsOf(stack, world.run({ baseUrl: proxy.url }, { journal }), vm())).toHaveLength(1);
    proxy.clear();
    const data = await dataVolume();
    const next = world.run({}, { journal });
    await journal.recordAdoption({ type: "Volume", id: data.id });
    expect(await textsOf(stack, next, vm())).toEqual([]);
    expect(next.texts()).toContainEqual(expect.stringContaining(`has adopted its part ${data.id}`));
  });

  it("leaves another volume of the same name alone", async () => {
    const stack = await failed(volumes, hidden);
    const { projectId: project_id, region } = world.simulator;
    const own = await dataVolume();
    const theirs = { name: "data", project_id, region, size: 7, type: "abs", vm_id: stack.stateOf("web").id };
    world.clock.advance(HOUR_MS);
    await world.api("POST", "/v1/compute/volumes", theirs);
    world.clock.advance(2_000);
    proxy.on({ method: "GET", path: new RegExp(`/volumes/${own.id}$`) }, hidden);
    const texts = await textsOf(stack, disturbed(), vm());
    proxy.clear();
    expect(texts).toEqual(saying(`dataVolumes (${own.id})`));
    // If it cannot be seen at all, theirs is no substitute, because it is younger than the VM.
    await world.api("POST", `/v1/compute/volumes/${own.id}/detach`);
    world.clock.advance(2_000);
    expect(await textsOf(stack, world.run(), vm())).toEqual(saying('calls dataVolumes "data"'));
    expect((await world.objects("Volume")).map(({ size }) => size)).toContain(7);
  });

  it("keeps a VM that was ready and fails later", async () => {
    const stack = await failed(volumes, answer(500));
    const { id } = stack.stateOf("web");
    proxy.on(vms, broken);
    expect((await disturbedUp(stack, {}, vm())).texts).toEqual(saying('with the status "error"'));
    expect(stack.stateOf("web").id).toBe(id);
    expect(await world.made("Vm")).toMatchObject([{ id }]);
  });

  it("saves its own VM beside a namesake, without an audit log", async () => {
    const program = vm({ name: "twin" });
    await world.create("Vm", { name: "twin" }, { name: "other" });
    await world.fault({ method: "GET", path: "/audit_logs", status: 403, every: 1 });
    proxy.on(volumes, answer(500));
    const { stack } = await made({}, program);
    expect(await world.ids("Vm")).toContain(stack.stateOf("web").id);
    expect(await textsOf(stack, world.run(), program)).toEqual([]);
  });

  it.each([
    ["read", everyVm, answer(500)],
    ["seen ready", everyVm, stillCreating],
    ["seen with its volumes", vms, withoutVolumes],
  ])("keeps a VM (never %s) with another resource's volume", async (_how, pattern, action) => {
    const stack = await failed(pattern, action);
    world.clock.advance(120_000);
    const { id } = await dataVolume();
    expect(await textsOf(stack, world.run(), await keeping())).toEqual(
      saying(`${mayDelete(id)}, which belongs to the resource "keep"`),
    );
    expect((await dataVolume()).id).toBe(id);
  });
});

it("refuses to delete a VM whose volume is adopted in the same run", async () => {
  const stack = await failed(everyVm, broken);
  const { id } = stack.stateOf("web");
  const data = await dataVolume();
  proxy.on({ method: "GET", path: new RegExp(`/vms/${id}$`) }, broken);
  const texts = await textsOf(stack, disturbed(), vm(), keepIn(data.id, id));
  expect(texts).toEqual(saying(mayDelete(data.id)));
  expect((await world.objects("Volume")).map((each) => each.id)).toContain(data.id);
});

describe("an adopted VM", () => {
  async function theirs() {
    const { id, outs } = await world.create("Vm", withData, { name: "theirs" });
    const [dataId = ""] = outs["dataVolumeIds"] as readonly string[];
    return { adopting: vm({ adopt: id, name: outs["name"] }), id, dataId };
  }

  it("waits for a volume that an adopted VM lists late", async () => {
    const { adopting } = await theirs();
    proxy.on({ ...vms, nth: 1 }, withoutVolumes);
    const { stack, texts } = await made({}, adopting);
    expect(texts).toEqual([]);
    expect(stack.stateOf("web").outs).toMatchObject({ dataVolumes: [{ name: "data" }] });
    expect(stack.stateOf("web").outs["__ownParts"]).toHaveLength(2);
  });

  it("fails to adopt a VM without its volume, then adopts it", async () => {
    const { adopting, id } = await theirs();
    proxy.on(everyVm, withoutVolumes);
    const { stack, texts } = await made({}, adopting);
    expect(texts).toEqual(saying(MISSING));
    expect(stack.resources).toEqual([]);
    expect(await textsOf(stack, world.run(), adopting)).toEqual([]);
    expect(stack.stateOf("web")).toMatchObject({ id, outs: { __ownParts: [expect.anything(), expect.anything()] } });
  });

  it("deletes an adopted VM without permission to read volumes", async () => {
    const { stack } = await made({}, (await theirs()).adopting);
    await world.fault({ method: "GET", path: "/volumes", status: 403, every: 1 });
    expect(await textsOf(stack, world.run())).toEqual([]);
    expect(await world.made("Vm")).toEqual([]);
  });
});

it("keeps a volume that a refresh or an update does not list", async () => {
  const { stack } = await made();
  const { dataVolumes } = stack.stateOf("web").outs;
  proxy.on(everyVm, withoutVolumes);
  expect(await stack.refresh(disturbed())).toEqual([]);
  expect(stack.stateOf("web").outs).toMatchObject({ dataVolumes });
  expect(await textsOf(stack, disturbed(), vm(changed))).toEqual([]);
  proxy.clear();
  const run = world.run();
  expect(await stack.refresh(run)).toEqual([]);
  expect(run.texts().join()).not.toContain("is no longer a part");
  expect((await stack.up(world.run(), [vm(changed)])).operations).toEqual(new Map([["web", "same"]]));
});

describe("the deletion of a complete VM", () => {
  /** A stack with a VM, and another resource that has adopted its data volume. */
  async function madeAndKept() {
    const { stack } = await made();
    const { id, outs } = stack.stateOf("web");
    const [dataId = ""] = outs["dataVolumeIds"] as readonly string[];
    const keep = keepIn(dataId, id);
    expect(await textsOf(stack, world.run(), vm(), keep)).toEqual([]);
    return { stack, id, dataId, keep };
  }

  it.each<readonly [string, readonly RequestPattern[]]>([
    ["", []],
    [" (reading it is forbidden)", [volumes]],
  ])("refuses a deletion if another resource has the VM's volume%s", async (_case, forbidden) => {
    const { stack, keep, dataId } = await madeAndKept();
    proxy.on(vms, withoutVolumes);
    for (const pattern of forbidden) proxy.on(pattern, answer(403));
    expect(await textsOf(stack, disturbed(), keep)).toEqual(saying(mayDelete(dataId)));
  });

  it("refuses a deletion if another resource has the boot volume", async () => {
    const stack = await failed(everyVm, answer(500));
    const boot = (await world.objects("Volume")).find(({ kind }) => kind === "boot")!;
    const { name, size, vm_id: vmId } = boot;
    const keep = world.declare("Volume", { name, size, vmId, adopt: boot.id }, "keep");
    proxy.on(
      volumes,
      rewrite((shown) => ({ ...shown, created_at: "2030-01-01T00:00:00Z" })),
    );
    expect(await textsOf(stack, disturbed(), keep)).toEqual(saying(mayDelete(boot.id)));
  });

  it("sends DELETE without a previous read if nothing uses the VM", async () => {
    const { stack } = await made();
    const run = disturbed();
    const before = proxy.requests.length;
    expect(await textsOf(stack, run)).toEqual([]);
    const sent = proxy.requests.slice(before).filter(({ path }) => /\/(vms|volumes)/.test(path));
    expect(sent[0]).toMatchObject({ method: "DELETE" });
  });

  it.each([
    ["the volume", (_vm: string, dataId: string) => `/volumes/${dataId}`],
    ["the VM", (vmId: string) => `/vms/${vmId}`],
  ])("deletes a VM with another's volume after %s was deleted", async (_case, pathOf) => {
    const { stack, id, dataId, keep } = await madeAndKept();
    const path = pathOf(id, dataId);
    if (path.startsWith("/volumes")) await world.api("POST", `/v1/compute${path}/detach`);
    world.clock.advance(60_000);
    await world.api("DELETE", `/v1/compute${path}`);
    world.clock.advance(60_000);
    const run = world.run();
    expect(await textsOf(stack, run, keep)).toEqual([]);
    expect(await world.made("Vm")).toEqual([]);
    expect(run.texts().join()).toContain(`the API shows no volume ${dataId}, which belongs to the resource "keep"`);
  });

  it("deletes a VM whose volume's owner is replaced too", async () => {
    const { stack, dataId } = await madeAndKept();
    const web = stack.resources.find(({ name }) => name === "web")!;
    stack.save(web, []);
    stack.save(undefined, [web]); // the last one is deleted first
    expect(await textsOf(stack, world.run(), keepIn(dataId, undefined, { type: otherStorage }))).toEqual([]);
    expect(await world.made("Vm")).toEqual([]);
  });

  it("sends the deletion although the API hides the VM", async () => {
    const { stack, dataId } = await madeAndKept();
    expect(await textsOf(stack, world.run(), vm(), keepIn(dataId, undefined))).toEqual([]);
    world.clock.advance(HOUR_MS);
    proxy.on(vms, hidden);
    const before = proxy.requests.length;
    await stack.up(disturbed(), [keepIn(dataId, undefined)]);
    expect(proxy.requests.slice(before).filter(({ method }) => method === "DELETE")).toHaveLength(1);
  });
});
