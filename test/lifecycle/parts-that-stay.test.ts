import { urnOf, type RowLine, type TestRun } from "../support/lifecycle";
import { MiniStack } from "../support/mini-engine";
import type { Declaration } from "../support/mini-state";
import { hidden, rewrite, upperCaseIds } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { World } from "../support/world";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

const vm = (others: object = {}): Declaration => ({
  type: "Vm",
  name: "web",
  args: () => ({
    ...world.args("Vm", { dataVolumes: [{ name: "data", size: 10 }] }),
    ...others,
  }),
});

const beside: Declaration = {
  type: "Volume",
  name: "beside",
  dependsOn: ["web"],
  args: (stateOf) => world.args("Volume", { vmId: stateOf("web").id }),
};

async function brought(...program: readonly Declaration[]): Promise<MiniStack> {
  const stack = new MiniStack();
  expect((await stack.up(world.run(), program)).failures).toEqual([]);
  expect(await stack.refresh(world.run())).toEqual([]);
  return stack;
}

/** A volume of the VM, which a resource has adopted. */
async function withAdopted(): Promise<{ stack: MiniStack; id: string; keep: (vmId?: string) => Declaration }> {
  const stack = await brought(vm());
  const { id: vmId, outs } = stack.stateOf("web");
  const [id = ""] = outs["dataVolumeIds"] as readonly string[];
  const keep = (attachedTo: string | undefined = vmId): Declaration =>
    world.declare("Volume", { name: "data", size: 10, adopt: id, ...(attachedTo && { vmId: attachedTo }) }, "keep");
  expect((await stack.up(world.run(), [vm(), keep()])).failures).toEqual([]);
  return { stack, id, keep };
}

it.each([
  ["removed", [], []],
  ["replaced", [vm()], ["web"]],
])("refuses that a VM is %s with another resource's volume", async (_how, others, replace) => {
  const { stack, id, keep } = await withAdopted();
  const old = stack.stateOf("web").id;
  expect((await stack.up(world.run(), [...others, keep()], { replace })).messages).toEqual([
    expect.stringContaining(`the API may delete the attached volume ${id} too, which belongs to the resource "keep"`),
  ]);
  expect(await world.ids("Vm")).toContain(old);
  expect((await stack.up(world.run(), [...others, keep("")])).failures).toEqual([]);
  expect(await world.ids("Vm")).not.toContain(old);
  expect(await world.ids("Volume")).toContain(id);
});

it.each([
  ["VM", "volume", /\/volumes\/[^/]+$/, { vm_id: null }],
  ["volume", "VM", /\/vms\/[^/]+$/, { data_volume_ids: [] }],
])("a volume that only the %s shows as attached stays, and its VM", async (_shows, _late, path, late) => {
  const { stack, id, keep } = await withAdopted();
  proxy.on(
    { method: "GET", path },
    rewrite((object) => ({ ...object, ...late })),
  );
  expect((await stack.up(world.run({ baseUrl: proxy.url }), [keep()])).messages).toEqual([
    expect.stringContaining(`the API may delete the attached volume ${id} too`),
  ]);
  proxy.clear();
  expect([await world.ids("Vm"), await world.ids("Volume")]).toEqual([[stack.stateOf("web").id], [id]]);
});

async function detach(stack: MiniStack): Promise<string> {
  const [id = ""] = stack.stateOf("web").outs["dataVolumeIds"] as readonly string[];
  await world.api("POST", `/v1/compute/volumes/${id}/detach`);
  world.clock.advance(2_000);
  return id;
}

async function updated(
  stack: MiniStack,
  run: TestRun,
  ...program: readonly Declaration[]
): Promise<readonly RowLine[]> {
  expect((await stack.up(run, program)).failures).toEqual([]);
  return run.lines.filter(({ text }) => text.includes("volume"));
}

const keptRow = (id: string): RowLine => ({
  urn: urnOf("Vm", "web"),
  severity: "warning",
  text:
    `volume "data" (${id}) stays: the API did not delete it with the VM. If nothing else manages it, delete it in the API, or ` +
    `take it over with a Volume and adopt: "${id}"`,
});

it("a refresh names a detached data volume once", async () => {
  const stack = await brought(vm());
  const id = await detach(stack);
  const [run, next] = [world.run(), world.run()];
  expect(await stack.refresh(run)).toEqual([]);
  const named = ({ lines }: TestRun): readonly string[] =>
    lines.map(({ text }) => text).filter((text) => text.includes(id));
  expect(named(run)).toEqual([
    expect.stringContaining(`volume "data" (${id}) is no longer a part of the VM, and the state forgets it`),
  ]);
  await stack.refresh(next);
  expect(named(next)).toEqual([]);
});

it("a refresh keeps a listed volume that the API hides", async () => {
  const stack = await brought(vm());
  const { dataVolumes, dataVolumeIds, cost } = stack.stateOf("web").outs;
  const [id = ""] = dataVolumeIds as readonly string[];
  proxy.on({ method: "GET", path: new RegExp(`/volumes/${id}$`) }, hidden);
  const emptyPage = rewrite((page) => ({ ...page, items: [] }));
  proxy.on({ method: "GET", path: /\/volumes$/ }, emptyPage);
  const run = world.run({ baseUrl: proxy.url });
  expect(await stack.refresh(run)).toEqual([]);
  proxy.clear();
  expect(run.texts()).toContainEqual(expect.stringContaining(`the VM still lists volume ${id}, and the API shows no`));
  expect(stack.stateOf("web").outs).toMatchObject({ dataVolumes, dataVolumeIds, cost });
});

it("finds a renamed volume despite an upper-case id", async () => {
  const stack = await brought(vm());
  const [id = ""] = stack.stateOf("web").outs["dataVolumeIds"] as readonly string[];
  await world.api("PATCH", `/v1/compute/volumes/${id}`, { name: "other" });
  world.clock.advance(2_000);
  proxy.on({ method: "GET", path: /\/volumes(\/|$)/ }, upperCaseIds);
  const run = world.run({ baseUrl: proxy.url });
  expect(await stack.refresh(run)).toEqual([]);
  proxy.clear();
  expect(run.texts().join()).not.toContain("still lists");
  expect(stack.stateOf("web").outs["dataVolumes"]).toMatchObject([{ name: "other" }]);
});

describe("when a VM is deleted", () => {
  it.each([
    ["removed", []],
    ["replaced", [vm({ osImageName: "debian-trixie-2026-01-12" })]],
  ])("names a data volume that was detached from the %s VM", async (_how, program) => {
    const stack = await brought(vm());
    const id = await detach(stack);
    const run = world.run({ preflight: "off", costQuotes: "false" });
    expect(await updated(stack, run, ...program)).toContainEqual(keptRow(id));
    expect(await world.made("Volume")).toContainEqual(expect.objectContaining({ id }));
  });

  it("ignores a volume that was attached later", async () => {
    const stack = await brought(vm());
    const { projectId: project_id, region } = world.simulator;
    const theirs = { name: "theirs", project_id, region, size: 7, type: "abs", vm_id: stack.stateOf("web").id };
    await world.api("POST", "/v1/compute/volumes", theirs);
    world.clock.advance(2_000);
    expect(await stack.refresh(world.run())).toEqual([]);
    expect(stack.stateOf("web").outs["dataVolumeIds"]).toHaveLength(2);
    expect(await updated(stack, world.run())).toEqual([]);
    expect(await world.made("Volume")).toMatchObject([{ name: "theirs" }]);
  });

  it("ignores a volume that moves to the new VM", async () => {
    const stack = await brought(vm(), beside);
    const another = vm({ osImageName: "debian-trixie-2026-01-12" });
    const lines = await updated(stack, world.run({ costQuotes: "false" }), another, beside);
    expect(lines.filter(({ text }) => text.includes("stays"))).toEqual([]);
  });

  it("names volumes that cannot be read", async () => {
    const stack = await brought(vm());
    const id = await detach(stack);
    await world.fault({ method: "GET", path: "/volumes/", status: 403, times: 2 });
    const texts = (await updated(stack, world.run())).map(({ text }) => text);
    expect(texts).toHaveLength(2);
    expect(texts).toContainEqual(expect.stringMatching(new RegExp(`^volume ${id} may stay: .* 403`)));
    expect(stack.resources).toEqual([]);
  });
});
