import { CancelledError } from "../../src/lifecycle/errors";
import { otherStorage } from "../kinds/volume";
import { sent, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { MiniStack } from "../support/mini-engine";
import type { Declaration, Props } from "../support/mini-state";
import { after, answer, before, hidden, rewrite, rewriteRequest } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { argsOf, World } from "../support/world";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

const vm = (others: object = {}): Declaration => ({
  type: "Vm",
  name: "web",
  args: () => ({ ...argsOf("Vm", world.simulator, { dataVolumes: [{ name: "data", size: 10 }] }), ...others }),
});

const HOUR_MS = 3_600_000;

const withoutVolumes = rewrite((shown) => ({ ...shown, data_volume_ids: [] }));
const stillCreating = rewrite((shown) => ({ ...shown, status: "creating", data_volume_ids: [] }));
const withOtherTags = rewrite((shown) => ({ ...shown, tags: ["other"] }));
const [vms, volumes] = [/\/vms\/[^/]+$/, /\/volumes\/[^/]+$/].map((path) => ({ method: "GET", path }));
const lists = { method: "GET", path: /\/vms$/ };
const post = { method: "POST", path: /\/compute\/vms$/ };

const poolIn = (clusterId: string): Declaration => ({
  type: "NksNodePool",
  name: "pool",
  args: () => ({ ...argsOf("NksNodePool", world.simulator), clusterId, nodeCount: 2 }),
});

/** A node pool whose creation ends at its time limit, and which is ready later. */
async function withPool(): Promise<{ readonly cluster: string; readonly pool: MiniStack }> {
  const { id: cluster } = await world.create("NksCluster", argsOf("NksCluster", world.simulator));
  proxy.on(
    { method: "GET", path: /\/pools/ },
    rewrite((shown) => ({ ...shown, status: "creating" })),
  );
  const pool = new MiniStack();
  expect(await textsOf(pool, world.run({ baseUrl: proxy.url }), poolIn(cluster))).toHaveLength(1);
  proxy.clear();
  return { cluster, pool };
}

/** A volume of a VM, adopted by another resource. */
const keepIn = (id: string, vmId: unknown): Declaration => ({
  type: "Volume",
  name: "keep",
  args: () => ({ ...argsOf("Volume", world.simulator), name: "data", size: 10, adopt: id, vmId }),
});

async function textsOf(stack: MiniStack, run: TestRun, ...program: readonly Declaration[]): Promise<readonly string[]> {
  return (await stack.up(run, program)).failures.map(({ error }) => (error as Error).message);
}

/** A VM that is made while the proxy's faults last. */
async function made(
  config: Readonly<Record<string, string>> = {},
  ...program: readonly Declaration[]
): Promise<{ readonly stack: MiniStack; readonly texts: readonly string[]; readonly run: TestRun }> {
  const stack = new MiniStack();
  const run = world.run({ baseUrl: proxy.url, ...config });
  const texts = await textsOf(stack, run, ...(program.length > 0 ? program : [vm()]));
  proxy.clear();
  return { stack, texts, run };
}

it("waits for a volume that a new VM lists late", async () => {
  proxy.on({ ...vms!, nth: 1 }, withoutVolumes);
  const { stack, texts } = await made();
  expect(texts).toEqual([]);
  const { dataVolumeIds, __ownParts: own } = stack.stateOf("web").outs;
  expect(own).toEqual(expect.arrayContaining(dataVolumeIds as readonly string[]));
  expect(await stack.refresh(world.run())).toEqual([]);
});

it.each([
  ["when it shows its volumes", 1],
  ["before and after that", 2],
])("an update completes a failed creation after a refresh %s", async (_when, refreshes) => {
  const late = { ...vms!, path: /\/vms(\/|$)/ };
  proxy.on(late, withoutVolumes);
  const { stack, texts } = await made();
  expect(texts).toEqual([expect.stringContaining(" with dataVolumes, and the VM does not show it")]);
  proxy.on(late, withoutVolumes);
  if (refreshes === 2) await stack.refresh(world.run({ baseUrl: proxy.url }));
  proxy.clear();
  expect(await stack.refresh(world.run())).toEqual([]);
  expect((await stack.up(world.run(), [vm()])).failures).toEqual([]);
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
] as const)("fails the creation of a VM with %s", async (_what, fields, pattern, action) => {
  proxy.on(pattern!, action);
  const { stack, texts } = await made();
  expect(texts).toEqual([expect.stringContaining(` with ${fields}, and the VM does not show it`)]);
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
  proxy.on({ ...vms!, nth: 1 }, detached);
  const { texts } = await made();
  expect(texts).toEqual([expect.stringContaining(`The missing part may be volume "data" (${id!}): attach it again`)]);
  expect(texts.join()).not.toContain(older!.id);
});

it("reports volumes of a new VM that the key cannot read", async () => {
  await world.fault({ method: "GET", path: "/volumes/", status: 403, every: 1 });
  const { texts, run } = await made();
  expect(texts).toEqual([]);
  expect(run.texts()).toEqual([expect.stringContaining("may not read its volumes, so they were not compared")]);
});

it("fails a new VM with too few volumes without volume:read", async () => {
  await world.fault({ method: "GET", path: "/volumes/", status: 403, every: 1 });
  proxy.on({ ...vms!, path: /\/vms(\/|$)/ }, withoutVolumes);
  const { stack, texts } = await made();
  expect(texts).toEqual([expect.stringContaining(" with dataVolumes, and the VM does not show it")]);
  expect(stack.stateOf("web").outs).not.toHaveProperty("__ownParts");
});

it("a new VM waits for hidden parts until the time limit", async () => {
  proxy.on(volumes!, hidden);
  const startedAt = world.clock.now();
  expect((await made({ operationTimeout: "5s" })).texts).toHaveLength(1);
  expect(world.clock.now() - startedAt).toBeLessThan(10_000);
});

it("offers to continue if the wait for a new VM is cancelled", async () => {
  const person = new AbortController();
  proxy.on(volumes!, async (request, forward) => {
    person.abort(new CancelledError("before it began"));
    return hidden(request, forward);
  });
  const run = world.run({ baseUrl: proxy.url }, { cancelled: person.signal });
  const texts = await textsOf(new MiniStack(), run, vm());
  proxy.clear();
  expect(texts).toEqual([expect.stringContaining("The API has accepted it and goes on with the VM")]);
});

describe("after a failed creation", () => {
  it.each([
    ["not ready", [vms, lists], stillCreating],
    ["without its volumes", [vms], withoutVolumes],
    ["with hidden volumes", [volumes], hidden],
  ] as const)("saves the program's values for a new VM %s", async (_how, patterns, action) => {
    for (const pattern of patterns) proxy.on(pattern!, action);
    const { stack, texts } = await made();
    expect(texts).toHaveLength(1);
    const { outs, inputs, id } = stack.stateOf("web");
    expect(outs).toMatchObject({ bootVolume: { size: 64 }, dataVolumes: [{ name: "data", size: 10 }] });
    expect(outs).not.toHaveProperty("__ownParts");
    const calls = world.run().of("Vm");
    const checked = await calls.check(
      inputs,
      sent(
        "Vm",
        "web",
        vm().args(() => stack.stateOf("web")),
        true,
      ),
    );
    expect(checked.failures).toEqual([]);
    expect(await calls.diff(id, outs, checked.inputs)).toEqual({ changes: true });
  });

  it("corrects in the next update what the API made differently", async () => {
    proxy.on(
      post,
      rewriteRequest((body) => ({ ...body, tags: [], boot_volume: { size: 10, type: "abs" } })),
    );
    proxy.on({ method: "GET", path: /\/vms(\/|$)/ }, answer(500));
    const program = vm({ tags: ["mine"] });
    const { stack, texts } = await made({}, program);
    expect(texts).toHaveLength(1);
    expect(await textsOf(stack, world.run(), program)).toEqual([]);
    expect(await world.made("Vm")).toMatchObject([{ tags: ["mine"] }]);
    expect((await world.objects("Volume")).map(({ size }) => size).sort()).toEqual([10, 64]);
    expect(stack.stateOf("web").outs["__ownParts"]).toHaveLength(2);
  });

  it("fails the next update if the API did not make a volume", async () => {
    proxy.on(
      post,
      rewriteRequest((body) => ({ ...body, data_volumes: [] })),
    );
    proxy.on({ method: "GET", path: /\/vms(\/|$)/ }, answer(500));
    const { stack } = await made();
    expect(await textsOf(stack, world.run(), vm())).toEqual([
      expect.stringContaining('does not show the part that the program calls dataVolumes "data"'),
    ]);
    expect(await stack.refresh(world.run())).toEqual([]);
    expect(await textsOf(stack, world.run(), vm({ dataVolumes: [] }))).toEqual([]);
  });

  it.each([
    ["", false],
    [", also if the update does not see it", true],
  ])("refuses to delete a VM with another resource's volume%s", async (_when, isLate) => {
    const all = { ...vms!, path: /\/vms(\/|$)/ };
    proxy.on(all, withoutVolumes);
    const { stack } = await made();
    proxy.on(all, withoutVolumes);
    await stack.refresh(world.run({ baseUrl: proxy.url }));
    if (!isLate) proxy.clear();
    const [data] = (await world.objects("Volume")).filter(({ name }) => name === "data");
    const keep = keepIn(data!.id, data!["vm_id"]);
    expect(await textsOf(stack, world.run({ baseUrl: proxy.url }), vm({ dataVolumes: [] }), keep)).toEqual([]);
    proxy.clear();
    expect(await textsOf(stack, world.run(), keep)).toEqual([
      expect.stringContaining("the API may delete the attached volume"),
    ]);
  });

  it("recognizes a boot volume that was created late", async () => {
    proxy.on({ method: "GET", path: /\/vms(\/|$)/ }, answer(500));
    const { stack } = await made();
    proxy.on(
      volumes!,
      rewrite((shown) => (shown["kind"] === "boot" ? { ...shown, created_at: "2030-01-01T00:00:00Z" } : shown)),
    );
    expect(await textsOf(stack, world.run({ baseUrl: proxy.url }), vm())).toEqual([]);
    proxy.clear();
    expect(stack.stateOf("web").outs["__ownParts"]).toHaveLength(2);
    expect(stack.stateOf("web").outs).toHaveProperty("bootVolumeId");
  });

  it("refuses to remove a volume after a refresh", async () => {
    proxy.on(vms!, withoutVolumes);
    const { stack } = await made();
    expect(await stack.refresh(world.run())).toEqual([]);
    expect(await textsOf(stack, world.run(), vm({ dataVolumes: [] }))).toEqual([
      expect.stringContaining('"data" cannot be taken away'),
    ]);
  });

  it("a refresh leaves out a volume that was attached meanwhile", async () => {
    proxy.on(vms!, withoutVolumes);
    const { stack } = await made();
    const { projectId: project_id, region } = world.simulator;
    const scratch = { name: "scratch", project_id, region, size: 7, type: "abs", vm_id: stack.stateOf("web").id };
    await world.api("POST", "/v1/compute/volumes", scratch);
    world.clock.advance(2_000);
    expect(await stack.refresh(world.run())).toEqual([]);
    expect(await textsOf(stack, world.run(), vm())).toEqual([]);
    expect((await stack.up(world.run(), [vm()])).operations).toEqual(new Map([["web", "same"]]));
  });

  it("completes a VM in an update after a refresh without volumes", async () => {
    proxy.on({ ...vms!, path: /\/vms(\/|$)/ }, withoutVolumes);
    const { stack } = await made();
    proxy.on({ ...vms!, path: /\/vms(\/|$)/ }, withoutVolumes);
    await stack.refresh(world.run({ baseUrl: proxy.url }));
    proxy.clear();
    expect(await textsOf(stack, world.run(), vm())).toEqual([]);
    expect(stack.stateOf("web").outs).toMatchObject({ dataVolumes: [{ name: "data" }] });
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
    const program: Declaration = { type, name: "x", args: () => argsOf(type, world.simulator) };
    proxy.on({ method: "POST", path }, rewriteRequest(change));
    proxy.on({ method: "GET", path }, answer(500));
    const { stack, texts } = await made({}, program);
    expect(texts).toHaveLength(1);
    const { id } = stack.stateOf("x");
    expect(await textsOf(stack, world.run(), program)).toEqual([
      expect.stringContaining(`${id} with another ${field} than that of the program`),
    ]);
    expect(stack.stateOf("x").id).toBe(id);
    const { operations, failures } = await stack.up(world.run(), [program]);
    expect({ operations, failures }).toEqual({ operations: new Map([["x", "replace"]]), failures: [] });
    expect((await world.made(type)).map((each) => each.id)).toEqual([stack.stateOf("x").id]);
    expect((await stack.up(world.run(), [program])).operations).toEqual(new Map([["x", "same"]]));
  });

  it.each([10, 8])("fails until the program has the API's data volume type (%i GB)", async (size) => {
    proxy.on(
      post,
      rewriteRequest((body) => ({ ...body, data_volumes: [{ name: "data", size, type: otherStorage }] })),
    );
    proxy.on({ method: "GET", path: /\/vms(\/|$)/ }, answer(500));
    const { stack } = await made();
    expect(await textsOf(stack, world.run(), vm())).toEqual([
      expect.stringContaining("with another dataVolumes than that of the program"),
    ]);
    expect(await stack.refresh(world.run())).toEqual([]);
    const said = await textsOf(stack, world.run(), vm());
    expect(said).toEqual([expect.stringContaining('the type of "data" cannot be changed')]);
    const asMade = vm({ dataVolumes: [{ name: "data", size: 10, type: otherStorage }] });
    expect(await textsOf(stack, world.run(), asMade)).toEqual([]);
    expect(stack.stateOf("web").outs["__ownParts"]).toHaveLength(2);
  });

  it("saves the change of an update whose result cannot be read", async () => {
    proxy.on(volumes!, hidden);
    const { stack } = await made();
    proxy.on(
      { method: "PATCH", path: /\/vms\// },
      after(() => proxy.on(vms!, answer(500))),
    );
    const program = vm({ tags: ["new"] });
    expect(await textsOf(stack, world.run({ baseUrl: proxy.url }), program)).toHaveLength(1);
    proxy.clear();
    expect(await textsOf(stack, world.run(), program)).toEqual([]);
    expect(stack.stateOf("web").outs).toMatchObject({ tags: ["new"] });
  });

  it("the next update waits for a volume that the VM shows late", async () => {
    proxy.on(vms!, withoutVolumes);
    const { stack } = await made();
    proxy.on({ ...vms!, nth: 1 }, withoutVolumes);
    proxy.on({ ...vms!, nth: 2 }, withoutVolumes);
    expect(await textsOf(stack, world.run({ baseUrl: proxy.url }), vm())).toEqual([]);
    expect(stack.stateOf("web").outs["__ownParts"]).toHaveLength(2);
  });

  it("owns no volumes after an update without permission to read them", async () => {
    proxy.on({ method: "GET", path: /\/vms(\/|$)/ }, answer(500));
    const { stack } = await made();
    await world.fault({ method: "GET", path: "/volumes", status: 403, every: 1 });
    const run = world.run();
    expect(await textsOf(stack, run, vm())).toEqual([]);
    expect(run.texts()).toContainEqual(expect.stringContaining("may not read its volumes"));
    expect(stack.stateOf("web").outs).not.toHaveProperty("__ownParts");
  });

  it("a hidden volume that the program does not name blocks nothing", async () => {
    proxy.on({ method: "GET", path: /\/vms(\/|$)/ }, answer(500));
    const { stack } = await made({}, vm({ dataVolumes: undefined }));
    proxy.on(
      vms!,
      rewrite((shown) => ({ ...shown, data_volume_ids: ["00000000-0000-4000-8000-0000000000ff"] })),
    );
    expect(await textsOf(stack, world.run({ baseUrl: proxy.url }), vm({ dataVolumes: undefined }))).toEqual([]);
  });

  it("names a volume that another resource has adopted", async () => {
    proxy.on({ ...vms!, path: /\/vms(\/|$)/ }, withoutVolumes);
    const journal = new MemoryJournal();
    const stack = new MiniStack();
    expect(await textsOf(stack, world.run({ baseUrl: proxy.url }, { journal }), vm())).toHaveLength(1);
    proxy.clear();
    const [data] = (await world.objects("Volume")).filter(({ name }) => name === "data");
    const next = world.run({}, { journal });
    await journal.noteAdopted({ type: "Volume", id: data!.id });
    expect(await textsOf(stack, next, vm())).toEqual([]);
    expect(next.texts()).toContainEqual(expect.stringContaining(`has adopted its part ${data!.id}`));
  });

  it("keeps its own volumes despite a late list in an update", async () => {
    proxy.on({ method: "GET", path: /\/vms(\/|$)/ }, answer(500));
    const { stack } = await made();
    proxy.on({ ...vms!, nth: [3, 4] }, withoutVolumes);
    expect(await textsOf(stack, world.run({ baseUrl: proxy.url }), vm({ tags: ["new"] }))).toEqual([]);
    proxy.clear();
    expect(stack.stateOf("web").outs["__ownParts"]).toHaveLength(2);
  });

  it("leaves another volume of the same name alone", async () => {
    proxy.on(volumes!, hidden);
    const { stack } = await made();
    const { projectId: project_id, region } = world.simulator;
    const [own] = (await world.objects("Volume")).filter(({ name }) => name === "data");
    const theirs = { name: "data", project_id, region, size: 7, type: "abs", vm_id: stack.stateOf("web").id };
    world.clock.advance(HOUR_MS);
    await world.api("POST", "/v1/compute/volumes", theirs);
    world.clock.advance(2_000);
    proxy.on({ method: "GET", path: new RegExp(`/volumes/${own!.id}$`) }, hidden);
    const texts = await textsOf(stack, world.run({ baseUrl: proxy.url }), vm());
    proxy.clear();
    expect(texts).toEqual([expect.stringContaining(`dataVolumes (${own!.id})`)]);
    // If it cannot be seen at all, theirs is no substitute, because it is younger than the VM.
    await world.api("POST", `/v1/compute/volumes/${own!.id}/detach`);
    world.clock.advance(2_000);
    expect(await textsOf(stack, world.run(), vm())).toEqual([expect.stringContaining('calls dataVolumes "data"')]);
    expect((await world.objects("Volume")).map(({ size }) => size)).toContain(7);
  });

  it("keeps a VM that was ready and fails later", async () => {
    proxy.on(volumes!, answer(500));
    const { stack, texts } = await made();
    expect(texts).toHaveLength(1);
    const { id } = stack.stateOf("web");
    proxy.on(
      vms!,
      rewrite((shown) => ({ ...shown, status: "error" })),
    );
    expect(await textsOf(stack, world.run({ baseUrl: proxy.url }), vm())).toEqual([
      expect.stringContaining('with the status "error"'),
    ]);
    proxy.clear();
    expect(stack.stateOf("web").id).toBe(id);
    expect(await world.made("Vm")).toMatchObject([{ id }]);
  });

  it("saves its own VM beside a namesake, without an audit log", async () => {
    const program = vm({ name: "twin" });
    await world.create("Vm", argsOf("Vm", world.simulator, { name: "twin" }), { name: "other" });
    await world.fault({ method: "GET", path: "/audit_logs", status: 403, every: 1 });
    proxy.on(volumes!, answer(500));
    const { stack } = await made({}, program);
    expect((await world.made("Vm")).map(({ id }) => id)).toContain(stack.stateOf("web").id);
    expect(await textsOf(stack, world.run(), program)).toEqual([]);
  });

  it.each([
    ["read", [{ method: "GET", path: /\/vms(\/|$)/ }], answer(500)],
    ["seen ready", [vms, lists], stillCreating],
    ["seen with its volumes", [vms], withoutVolumes],
  ] as const)(
    "a VM that was never %s is not deleted with another resource's volume",
    async (_how, patterns, action) => {
      for (const pattern of patterns) proxy.on(pattern!, action);
      const { stack } = await made();
      world.clock.advance(120_000);
      const [data] = (await world.objects("Volume")).filter(({ name }) => name === "data");
      const keep = keepIn(data!.id, data!["vm_id"]);
      expect(await textsOf(stack, world.run(), keep)).toEqual([
        expect.stringContaining(
          `the API may delete the attached volume ${data!.id} too, which belongs to the resource "keep"`,
        ),
      ]);
      expect((await world.objects("Volume")).map(({ id }) => id)).toContain(data!.id);
    },
  );
});

it("refuses to delete a VM whose volume is adopted in the same run", async () => {
  const broken = rewrite((shown) => ({ ...shown, status: "error" }));
  proxy.on({ ...vms!, path: /\/vms(\/|$)/ }, broken);
  const { stack } = await made();
  const { id } = stack.stateOf("web");
  const [data] = (await world.objects("Volume")).filter(({ name }) => name === "data");
  proxy.on({ method: "GET", path: new RegExp(`/vms/${id}$`) }, broken);
  const texts = await textsOf(stack, world.run({ baseUrl: proxy.url }), vm(), keepIn(data!.id, id));
  expect(texts).toEqual([expect.stringContaining(`the API may delete the attached volume ${data!.id} too`)]);
  expect((await world.objects("Volume")).map((each) => each.id)).toContain(data!.id);
});

describe("an adopted VM", () => {
  async function theirs(): Promise<{ readonly adopting: Declaration; readonly id: string; readonly dataId: string }> {
    const { id, outs } = await world.create(
      "Vm",
      vm().args(() => ({}) as never),
      { name: "theirs" },
    );
    const [dataId = ""] = outs["dataVolumeIds"] as readonly string[];
    return { adopting: vm({ adopt: id, name: outs["name"] }), id, dataId };
  }

  it("saves an adopted VM that cannot be read after its change", async () => {
    const { adopting } = await theirs();
    const program = { ...adopting, args: () => ({ ...(adopting.args(() => ({}) as never) as Props), tags: ["ours"] }) };
    proxy.on(
      { method: "PATCH", path: /\/vms\// },
      after(() => proxy.on(vms!, answer(500))),
    );
    const { stack, texts } = await made({}, program);
    expect(texts).toHaveLength(1);
    expect(stack.stateOf("web").id).toBe((await world.made("Vm"))[0]!.id);
    expect(await textsOf(stack, world.run(), program)).toEqual([]);
  });

  it("waits for a volume that an adopted VM lists late", async () => {
    const { adopting } = await theirs();
    proxy.on({ ...vms!, nth: 1 }, withoutVolumes);
    const { stack, texts } = await made({}, adopting);
    expect(texts).toEqual([]);
    expect(stack.stateOf("web").outs).toMatchObject({ dataVolumes: [{ name: "data" }] });
    expect(stack.stateOf("web").outs["__ownParts"]).toHaveLength(2);
  });

  it("fails to adopt a VM without its volume, then adopts it", async () => {
    const { adopting, id } = await theirs();
    proxy.on({ ...vms!, path: /\/vms(\/|$)/ }, withoutVolumes);
    const { stack, texts } = await made({}, adopting);
    expect(texts).toEqual([
      expect.stringContaining('does not show the part that the program calls dataVolumes "data"'),
    ]);
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

  it("refuses to delete an adopted VM with another resource's volume", async () => {
    const { adopting, id, dataId } = await theirs();
    const without = {
      ...adopting,
      args: () => ({ ...(adopting.args(() => ({}) as never) as Props), dataVolumes: undefined }),
    };
    proxy.on(vms!, withoutVolumes);
    const { stack, texts } = await made({}, without);
    expect(texts).toEqual([]);
    expect(await textsOf(stack, world.run(), without, keepIn(dataId, id))).toEqual([]);
    expect(await textsOf(stack, world.run(), keepIn(dataId, id))).toEqual([
      expect.stringContaining(`the API may delete the attached volume ${dataId} too`),
    ]);
  });
});

it("keeps a volume that a refresh or an update does not list", async () => {
  const { stack } = await made();
  const { dataVolumes } = stack.stateOf("web").outs;
  const late = { ...vms!, path: /\/vms(\/|$)/ };
  proxy.on(late, withoutVolumes);
  expect(await stack.refresh(world.run({ baseUrl: proxy.url }))).toEqual([]);
  expect(stack.stateOf("web").outs).toMatchObject({ dataVolumes });
  expect(await textsOf(stack, world.run({ baseUrl: proxy.url }), vm({ tags: ["new"] }))).toEqual([]);
  proxy.clear();
  const run = world.run();
  expect(await stack.refresh(run)).toEqual([]);
  expect(run.texts().join()).not.toContain("is no longer a part");
  expect((await stack.up(world.run(), [vm({ tags: ["new"] })])).operations).toEqual(new Map([["web", "same"]]));
});

describe("the deletion of a complete VM", () => {
  it("refuses a deletion if another resource has the VM's volume", async () => {
    const { stack } = await made();
    const { id, outs } = stack.stateOf("web");
    const [dataId = ""] = outs["dataVolumeIds"] as readonly string[];
    expect(await textsOf(stack, world.run(), vm(), keepIn(dataId, id))).toEqual([]);
    proxy.on(vms!, withoutVolumes);
    expect(await textsOf(stack, world.run({ baseUrl: proxy.url }), keepIn(dataId, id))).toEqual([
      expect.stringContaining(`the API may delete the attached volume ${dataId} too`),
    ]);
  });

  it("refuses the deletion without permission to read volumes too", async () => {
    const { stack } = await made();
    const { id, outs } = stack.stateOf("web");
    const [dataId = ""] = outs["dataVolumeIds"] as readonly string[];
    const run = world.run({ baseUrl: proxy.url });
    expect(await textsOf(stack, world.run(), vm(), keepIn(dataId, id))).toEqual([]);
    proxy.on(vms!, withoutVolumes);
    proxy.on(volumes!, answer(403));
    expect(await textsOf(stack, run, keepIn(dataId, id))).toEqual([
      expect.stringContaining(`the API may delete the attached volume ${dataId} too`),
    ]);
  });

  it("refuses a deletion if another resource has the boot volume", async () => {
    proxy.on({ method: "GET", path: /\/vms(\/|$)/ }, answer(500));
    const { stack } = await made();
    const [boot] = (await world.objects("Volume")).filter(({ kind }) => kind === "boot");
    const adopting = {
      ...argsOf("Volume", world.simulator),
      name: boot!["name"],
      size: boot!["size"],
      adopt: boot!.id,
    };
    const keep: Declaration = { type: "Volume", name: "keep", args: () => ({ ...adopting, vmId: boot!["vm_id"] }) };
    proxy.on(
      volumes!,
      rewrite((shown) => ({ ...shown, created_at: "2030-01-01T00:00:00Z" })),
    );
    expect(await textsOf(stack, world.run({ baseUrl: proxy.url }), keep)).toEqual([
      expect.stringContaining(`the API may delete the attached volume ${boot!.id} too`),
    ]);
  });

  it("sends DELETE without a previous read if nothing uses the VM", async () => {
    const { stack } = await made();
    const run = world.run({ baseUrl: proxy.url });
    const before = proxy.requests.length;
    expect(await textsOf(stack, run)).toEqual([]);
    const sent = proxy.requests.slice(before).filter(({ path }) => /\/(vms|volumes)/.test(path));
    expect(sent[0]).toMatchObject({ method: "DELETE" });
  });

  it("allows a deletion with a volume attached later by the program", async () => {
    const { stack } = await made();
    const { id: vmId } = stack.stateOf("web");
    const own: Declaration = {
      type: "Volume",
      name: "own",
      args: () => ({ ...argsOf("Volume", world.simulator), vmId }),
    };
    expect(await textsOf(stack, world.run(), vm(), own)).toEqual([]);
    expect(await textsOf(stack, world.run(), own)).toEqual([]);
    expect(await world.made("Vm")).toEqual([]);
  });

  it.each([
    ["the volume", (_vm: string, dataId: string) => `/volumes/${dataId}`],
    ["the VM", (vmId: string) => `/vms/${vmId}`],
  ])("is sent although another resource had its volume, if somebody has deleted %s", async (_what, pathOf) => {
    const { stack } = await made();
    const { id, outs } = stack.stateOf("web");
    const [dataId = ""] = outs["dataVolumeIds"] as readonly string[];
    expect(await textsOf(stack, world.run(), vm(), keepIn(dataId, id))).toEqual([]);
    const path = pathOf(id, dataId);
    if (path.startsWith("/volumes")) await world.api("POST", `/v1/compute${path}/detach`);
    world.clock.advance(60_000);
    await world.api("DELETE", `/v1/compute${path}`);
    world.clock.advance(60_000);
    const run = world.run();
    expect(await textsOf(stack, run, keepIn(dataId, id))).toEqual([]);
    expect(await world.made("Vm")).toEqual([]);
    expect(run.texts().join()).toContain(`the API shows no volume ${dataId}, which belongs to the resource "keep"`);
  });

  it("is sent although another resource has its volume, if the run replaces that too", async () => {
    const { stack } = await made();
    const { id, outs } = stack.stateOf("web");
    const [dataId = ""] = outs["dataVolumeIds"] as readonly string[];
    const keep = keepIn(dataId, undefined);
    expect(await textsOf(stack, world.run(), vm(), keepIn(dataId, id))).toEqual([]);
    const web = stack.resources.find(({ name }) => name === "web")!;
    stack.save(web, []);
    stack.save(undefined, [web]); // the last one is deleted first
    const replaced = { ...keep, args: () => ({ ...(keep.args(() => ({}) as never) as Props), type: otherStorage }) };
    expect(await textsOf(stack, world.run(), replaced)).toEqual([]);
    expect(await world.made("Vm")).toEqual([]);
  });

  it("sends the deletion although the API hides the VM", async () => {
    const { stack } = await made();
    const { id, outs } = stack.stateOf("web");
    const [dataId = ""] = outs["dataVolumeIds"] as readonly string[];
    expect(await textsOf(stack, world.run(), vm(), keepIn(dataId, id))).toEqual([]);
    expect(await textsOf(stack, world.run(), vm(), keepIn(dataId, undefined))).toEqual([]);
    world.clock.advance(HOUR_MS);
    proxy.on(vms!, hidden);
    const before = proxy.requests.length;
    await stack.up(world.run({ baseUrl: proxy.url }), [keepIn(dataId, undefined)]);
    expect(proxy.requests.slice(before).filter(({ method }) => method === "DELETE")).toHaveLength(1);
  });
});
