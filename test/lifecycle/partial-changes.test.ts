import { MiniStack } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import type { Declaration, StackRun } from "../support/mini-state";
import type { TestRun } from "../support/lifecycle";
import { World } from "../support/world";
import { harmless, takenOver } from "../kinds";
import { after, answer } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { NOT_READ } from "../../src/lifecycle/objects/apply-changes";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

const TOO_MUCH = 20_000;

const program = (boot: number, data: number, others: object = {}): readonly Declaration[] => [
  {
    type: "Vm",
    name: "x",
    args: () => ({
      ...world.args("Vm", { bootVolume: { size: boot }, dataVolumes: [{ name: "data", size: data }] }),
      ...others,
    }),
  },
];

/** A stack with a VM of 64 and 10 GB. */
async function made() {
  const stack = new MiniStack();
  await stack.up(world.run(), program(64, 10));
  const { id, outs } = stack.stateOf("x");
  const [data = ""] = outs["dataVolumeIds"] as readonly string[];
  return { stack, id, outs, data };
}

/** Another person's change of a volume, until its operation is done. */
async function change(method: string, volume: string, action = "", body: object = {}): Promise<void> {
  await world.api(method, `/v1/compute/volumes/${volume}${action}`, body);
  world.clock.advance(2_000);
}
const detach = (volume: string): Promise<void> => change("POST", volume, "/detach");
const attach = (volume: string, vm_id: string): Promise<void> => change("POST", volume, "/attach", { vm_id });

/** The same stack. The VM's growth to 100 and 20,000 GB succeeded in part. */
async function madeInPart(refused: TestRun = world.run({ preflight: "off" })): Promise<MiniStack> {
  const { stack } = await made();
  await stack.up(refused, program(100, TOO_MUCH));
  return stack;
}

const failureOf = ({ failures }: StackRun): string => (failures[0]?.error as Error | undefined)?.message ?? "";

it("keeps the outputs if the API refuses the change", async () => {
  const { stack, outs } = await made();
  expect(failureOf(await stack.up(world.run({ preflight: "off" }), program(64, TOO_MUCH)))).toContain("quota");
  expect(stack.stateOf("x").outs).toEqual({ ...outs, __attempted: ["dataVolumes"] });
});

it.each(takenOver)("reverts a change of %s that could not be read", async (type) => {
  const declared = (more: object) => [world.declare(type, more)];
  const through = (): TestRun => world.run({ baseUrl: proxy.url, preflight: "off", costQuotes: "false" });
  const stack = new MiniStack();
  await stack.up(world.run(), declared(harmless(type, "first")));
  proxy.on(
    { method: "GET", path: new RegExp(`/${stack.stateOf("x").id}$`) },
    answer(403, { type: "FORBIDDEN", message: "no" }),
  );
  expect((await stack.up(through(), declared(harmless(type, "second")))).failures).toHaveLength(1);
  proxy.clear();
  const back = through();
  expect((await stack.up(back, declared(harmless(type, "first")))).failures).toEqual([]);
  const { outs, id } = stack.stateOf("x");
  const [shown] = (await world.objects(type)).filter((each) => each.id === id);
  expect([outs, shown]).toMatchObject([harmless(type, "first"), harmless(type, "first")]);
  expect(outs["__attempted"]).toBeUndefined();
  expect(back.texts()).not.toContainEqual(expect.stringContaining("another value than your program already before"));
});

it("saves a growth that could not be read before", async () => {
  const declared = (size: number) => [world.declare("Volume", { size })];
  const stack = new MiniStack();
  await stack.up(world.run(), declared(100));
  proxy.on({ method: "GET", path: new RegExp(`/${stack.stateOf("x").id}$`) }, answer(500));
  await stack.up(world.run({ baseUrl: proxy.url, preflight: "off", costQuotes: "false" }), declared(150));
  expect(stack.stateOf("x").outs["size"]).toBe(100);
  const failure = failureOf(await stack.up(world.run(), declared(100)));
  expect(failure).toMatch(
    /a volume can only grow[^]+The API shows a change of an earlier run, and now the state does too/,
  );
  expect(stack.stateOf("x").outs["size"]).toBe(150);
  expect(await stack.up(world.run(), declared(150))).toMatchObject({ failures: [] });
});

it.each(takenOver)("warns if a changed %s cannot be read", async (type) => {
  const args = world.args(type, { name: "mine" });
  const { id } = await world.create(type, { ...args, ...harmless(type, "theirs") });
  const hidden = { method: "GET", path: new RegExp(`/${id}(/|$)`) };
  const hide = (): void => void proxy.on(hidden, answer(403, { type: "FORBIDDEN", message: "no" }));
  proxy.on({ method: "PATCH", path: new RegExp(`/${id}$`) }, after(hide));
  const run = world.run({ baseUrl: proxy.url, preflight: "off", costQuotes: "false" });
  const stack = new MiniStack();
  const adopting = [{ type, name: "x", args: () => ({ ...args, ...harmless(type, "ours"), adopt: id }) }];
  expect((await stack.up(run, adopting)).failures).toHaveLength(1);
  proxy.clear();
  expect(stack.stateOf("x").outs).toMatchObject(harmless(type, "theirs"));
  expect(run.texts()).toContainEqual(NOT_READ);
});

describe("another volume with the name of a VM's own", () => {
  /** A VM with a data volume, and a volume of the same name that somebody else attaches to it. */
  async function withForeign(): Promise<{ stack: MiniStack; own: string; attachOther: () => Promise<unknown> }> {
    const { stack, id, data: own } = await made();
    const foreign = world.args("Volume", { name: "data" });
    const other = await world.create("Volume", foreign, { name: "other" });
    return { stack, own, attachOther: () => attach(other.id, id) };
  }

  const sizes = async (): Promise<Readonly<Record<string, unknown>>> =>
    Object.fromEntries((await world.made("Volume")).map(({ id, size }) => [id, size]));

  it("does not grow another volume of the same name", async () => {
    const { stack, own, attachOther } = await withForeign();
    await attachOther();
    const before = await sizes();
    const run = world.run({ preflight: "off" });
    expect(failureOf(await stack.up(run, program(64, 200)))).toBe("");
    expect(await sizes()).toEqual({ ...before, [own]: 200 });
    expect(run.texts().filter((text) => text.includes("otherwise"))).toEqual([]);
  });

  it.each([
    ["off", "noted"],
    ["fail", "noted"],
    ["off", "shown"],
  ])("does not grow another volume (preflight %s, own volume %s)", async (preflight, how) => {
    const { stack, own, attachOther } = await withForeign();
    if (how === "shown") Reflect.deleteProperty(stack.stateOf("x").outs, "__ownParts");
    await detach(own);
    await attachOther();
    const before = await sizes();
    expect(failureOf(await stack.up(world.run({ preflight }), program(64, 200)))).toContain(
      "renamed, detached or deleted",
    );
    expect(await sizes()).toEqual(before);
  });

  it.each(["off", "fail"])("does not grow another volume after a refresh (preflight %s)", async (preflight) => {
    const { stack, own, attachOther } = await withForeign();
    await detach(own);
    await attachOther();
    expect(await stack.refresh(world.run())).toEqual([]);
    const before = await sizes();
    const run = await stack.up(world.run({ preflight }), program(64, 200));
    expect(failureOf(run)).toContain('"data" cannot be added');
    expect(await sizes()).toEqual(before);
  });
});

describe("a change that the API makes only in part", () => {
  it("the state has a partial change with its cost, also after a refresh", async () => {
    const run = world.run({ preflight: "off" });
    const stack = await madeInPart(run);
    expect(run.texts()).toEqual([]);
    const { outs, hasInitError } = stack.resources[0]!;
    expect(hasInitError).toBe(true);
    expect(outs).toMatchObject({ bootVolume: { size: 100 }, dataVolumes: [{ name: "data", size: 10 }] });
    expect(outs["cost"]).toMatchObject({ monthlyTotal: "54.80" });

    expect(await stack.refresh(world.run())).toEqual([]);
    const refreshed = stack.stateOf("x");
    expect(refreshed.inputs).toMatchObject({ bootVolume: { size: 100 }, dataVolumes: [{ size: 10 }] });
    for (const { cost } of [refreshed.inputs, refreshed.outs]) expect(cost).toMatchObject({ monthlyTotal: "54.80" });
  });

  it("warns of an old state if reading fails", async () => {
    const { stack, outs } = await made();
    // After the reads of the VM before and after the changes of its two volumes.
    await world.fault({ method: "GET", path: "/vms/[^/]+$", status: 403, every: 5 });
    const run = world.run({ preflight: "off" });
    expect(failureOf(await stack.up(run, program(100, TOO_MUCH)))).toContain("quota");
    expect(run.texts()).toEqual([expect.stringContaining("Until the next run, the state and its cost are those")]);
    expect(stack.stateOf("x").outs).toEqual({ ...outs, __attempted: ["bootVolume", "dataVolumes"] });
  });

  it("reports the API's reason, and then a fault of its own", async () => {
    const { stack, data } = await made();
    await detach(data);
    const run = world.run();
    jest.spyOn(run.run.rows, "line").mockRejectedValueOnce(new TypeError("a fault"));
    const failure = failureOf(await stack.up(run, program(64, 20)));
    expect(failure).toMatch(/does not show the part[^]+\na fault\nThis is a fault of pulumi-cloudinfra itself/);
    expect(stack.resources[0]!.outs["__attempted"]).toEqual(["dataVolumes"]);
  });

  it("fails until a missing data volume is attached again", async () => {
    const grown = program(64, 11, { tags: ["grown"] });
    const { stack, id, data } = await made();
    await detach(data);
    await world.fault({ method: "PATCH", path: "/vms/[^/]+$", operation: "fail" });
    await stack.up(world.run(), grown);
    expect(stack.resources[0]!.outs["dataVolumes"]).toEqual([]);
    expect(failureOf(await stack.up(world.run(), grown))).toContain("does not show the part");
    await attach(data, id);
    expect(failureOf(await stack.up(world.run(), grown))).toBe("");
    expect(stack.resources[0]!.outs["dataVolumes"]).toMatchObject([{ name: "data", size: 11 }]);
  });

  /** The preview of a further change. */
  function previewRest(run: TestRun, { resources: [kept] }: MiniStack): ReturnType<typeof preview> {
    const [vm] = program(100, 20);
    return preview(
      run,
      "Vm",
      vm!.args(() => kept!),
      kept!,
    );
  }

  it.each(["true", "false"])("previews the rest of a partial change; earlier quote: %s", async (costQuotes) => {
    const stack = await madeInPart(world.run({ preflight: "off", costQuotes }));
    expect("cost" in stack.stateOf("x").outs).toBe(costQuotes === "true");
    const run = world.run();
    expect((await previewRest(run, stack)).operation).toBe("update");
    expect(run.texts()).toEqual(["$54.80/mo → $55.80/mo (+$1.00/mo)"]);
  });

  it("a partial change can be followed by a smaller change", async () => {
    const stack = await madeInPart();
    expect(failureOf(await stack.up(world.run(), program(64, 10)))).toContain(
      "bootVolume.size: cannot become smaller: the VM has 100, the program says 64.",
    );
    const run = world.run();
    const { failures, operations } = await stack.up(run, program(100, 20));
    expect([failures, operations.get("x")]).toEqual([[], "update"]);
    expect(stack.stateOf("x").outs).toMatchObject({ bootVolume: { size: 100 }, dataVolumes: [{ size: 20 }] });
    expect((await stack.up(world.run(), program(100, 20))).operations.get("x")).toBe("same");
  });
});

describe("growth of a data volume that is no longer attached", () => {
  /** The state after the failure. */
  async function grown(away: (volume: string) => Promise<unknown>) {
    const { stack, id, data } = await made();
    await away(data);
    expect(failureOf(await stack.up(world.run(), program(64, 20)))).toContain(
      "does not show the part that the program calls dataVolumes[0]",
    );
    return { stack, id, data };
  }

  const rename = (volume: string, name: string): Promise<void> => change("PATCH", volume, "", { name });
  it.each<[string, (volume: string) => Promise<void>, (volume: string, vm: string) => Promise<void>]>([
    ["renamed", (volume) => rename(volume, "theirs"), (volume) => rename(volume, "data")],
    ["detached", detach, attach],
  ])("grows the data volume once it is no longer %s", async (_how, away, back) => {
    const { stack, id, data } = await grown(away);
    await back(data, id);
    const { failures, operations } = await stack.up(world.run(), program(64, 20));
    expect([failures, operations.get("x")]).toEqual([[], "update"]);
    expect(stack.stateOf("x").outs).toMatchObject({ dataVolumes: [{ name: "data", size: 20 }] });
  });

  it("says how to manage a reattached volume", async () => {
    const { stack, id, data } = await made();
    await detach(data);
    expect(await stack.refresh(world.run())).toEqual([]);
    await attach(data, id);
    expect(failureOf(await stack.up(world.run(), program(64, 10)))).toContain('"data" cannot be added');
    expect(failureOf(await stack.up(world.run(), program(64, 10)))).toContain('add adopt: "<its id>"');
    const volume: Declaration = {
      type: "Volume",
      name: "data",
      dependsOn: ["x"],
      args: (stateOf) => world.args("Volume", { ...{ name: "data", size: 10, vmId: stateOf("x").id, adopt: data } }),
    };
    const managed = await stack.up(world.run(), [...program(64, 10, { dataVolumes: undefined }), volume]);
    expect([failureOf(managed), stack.stateOf("data").id]).toEqual(["", data]);
  });
});
