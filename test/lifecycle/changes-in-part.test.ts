import { MiniStack } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import type { Declaration, StackRun } from "../support/mini-state";
import type { TestRun } from "../support/lifecycle";
import { argsOf, World } from "../support/world";
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
      ...argsOf("Vm", world.simulator, { bootVolume: { size: boot }, dataVolumes: [{ name: "data", size: data }] }),
      ...others,
    }),
  },
];

/** A stack with a VM of 64 and 10 GB. Its growth to 100 and 20,000 GB succeeded in part. */
async function madeInPart(refused: TestRun = world.run({ preflight: "off" })): Promise<MiniStack> {
  const stack = new MiniStack();
  await stack.up(world.run(), program(64, 10));
  await stack.up(refused, program(100, TOO_MUCH));
  return stack;
}

const textsOf = ({ lines }: TestRun): readonly string[] => lines.map(({ text }) => text);
const failureOf = ({ failures }: StackRun): string => (failures[0]?.error as Error | undefined)?.message ?? "";

it("keeps the outputs if the API refuses the change", async () => {
  const stack = new MiniStack();
  await stack.up(world.run(), program(64, 10));
  const { outs } = stack.stateOf("x");
  expect(failureOf(await stack.up(world.run({ preflight: "off" }), program(64, TOO_MUCH)))).toContain("quota");
  expect(stack.stateOf("x").outs).toEqual({ ...outs, __attempted: ["dataVolumes"] });
});

it.each(takenOver)("reverts a change of %s that could not be read", async (type) => {
  const declared = (more: object) => [{ type, name: "x", args: () => ({ ...argsOf(type, world.simulator), ...more }) }];
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
  expect(textsOf(back)).not.toContainEqual(expect.stringContaining("another value than your program already before"));
});

it("saves a growth that could not be read before", async () => {
  const declared = (size: number) => [
    { type: "Volume", name: "x", args: () => ({ ...argsOf("Volume", world.simulator), size }) },
  ];
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
  const args = { ...argsOf(type, world.simulator), name: "mine" };
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
  expect(textsOf(run)).toContainEqual(NOT_READ);
});

describe("another volume with the name of a VM's own", () => {
  /** A VM with a data volume, and a volume of the same name that somebody else attaches to it. */
  async function withForeign(): Promise<{ stack: MiniStack; own: string; attach: () => Promise<unknown> }> {
    const stack = new MiniStack();
    await stack.up(world.run(), program(64, 10));
    const { id, outs } = stack.stateOf("x");
    const [own = ""] = outs["dataVolumeIds"] as readonly string[];
    const foreign = { ...argsOf("Volume", world.simulator), name: "data" };
    const other = await world.create("Volume", foreign, { name: "other" });
    const attach = async (): Promise<void> => {
      await world.api("POST", `/v1/compute/volumes/${other.id}/attach`, { vm_id: id });
      world.clock.advance(60_000);
    };
    return { stack, own, attach };
  }

  const sizes = async (): Promise<Readonly<Record<string, unknown>>> =>
    Object.fromEntries((await world.made("Volume")).map(({ id, size }) => [id, size]));

  it("does not grow another volume of the same name", async () => {
    const { stack, own, attach } = await withForeign();
    await attach();
    const before = await sizes();
    const run = world.run({ preflight: "off" });
    expect(failureOf(await stack.up(run, program(64, 200)))).toBe("");
    expect(await sizes()).toEqual({ ...before, [own]: 200 });
    expect(textsOf(run).filter((text) => text.includes("otherwise"))).toEqual([]);
  });

  it.each([
    ["off", "noted"],
    ["fail", "noted"],
    ["off", "shown"],
  ])("does not grow another volume (preflight %s, own volume %s)", async (preflight, how) => {
    const { stack, own, attach } = await withForeign();
    if (how === "shown") Reflect.deleteProperty(stack.stateOf("x").outs, "__ownParts");
    await world.api("POST", `/v1/compute/volumes/${own}/detach`);
    world.clock.advance(2_000);
    await attach();
    const before = await sizes();
    expect(failureOf(await stack.up(world.run({ preflight }), program(64, 200)))).toContain(
      "renamed, detached or deleted",
    );
    expect(await sizes()).toEqual(before);
  });

  it.each(["off", "fail"])("does not grow another volume after a refresh (preflight %s)", async (preflight) => {
    const { stack, own, attach } = await withForeign();
    await world.api("POST", `/v1/compute/volumes/${own}/detach`);
    world.clock.advance(2_000);
    await attach();
    expect(await stack.refresh(world.run())).toEqual([]);
    const before = await sizes();
    const run = await stack.up(world.run({ preflight }), program(64, 200));
    expect(failureOf(run)).toContain('"data" cannot be added');
    expect(await sizes()).toEqual(before);
  });
});

describe("a change that the API makes only in part", () => {
  it("a partial change is in the state with its cost", async () => {
    const run = world.run({ preflight: "off" });
    const stack = await madeInPart(run);
    expect(textsOf(run)).toEqual([]);
    const { outs, hasInitError } = stack.resources[0]!;
    expect(hasInitError).toBe(true);
    expect(outs).toMatchObject({ bootVolume: { size: 100 }, dataVolumes: [{ name: "data", size: 10 }] });
    expect(outs["cost"]).toMatchObject({ monthlyTotal: "54.80" });
  });

  it("warns of an old state if reading fails", async () => {
    const stack = new MiniStack();
    await stack.up(world.run(), program(64, 10));
    const { outs } = stack.stateOf("x");
    // After the reads of the VM before and after the changes of its two volumes.
    await world.fault({ method: "GET", path: "/vms/[^/]+$", status: 403, every: 5 });
    const run = world.run({ preflight: "off" });
    expect(failureOf(await stack.up(run, program(100, TOO_MUCH)))).toContain("quota");
    expect(textsOf(run)).toEqual([expect.stringContaining("Until the next run, the state and its cost are those")]);
    expect(stack.stateOf("x").outs).toEqual({ ...outs, __attempted: ["bootVolume", "dataVolumes"] });
  });

  it("fails until a missing data volume is attached again", async () => {
    const grown = program(64, 11, { tags: ["grown"] });
    const stack = new MiniStack();
    await stack.up(world.run(), program(64, 10));
    const [kept] = stack.resources;
    const [volumeId] = kept!.outs["dataVolumeIds"] as string[];
    await world.api("POST", `/v1/compute/volumes/${volumeId}/detach`, {});
    await world.fault({ method: "PATCH", path: "/vms/[^/]+$", operation: "fail" });
    await stack.up(world.run(), grown);
    expect(stack.resources[0]!.outs["dataVolumes"]).toEqual([]);
    expect(failureOf(await stack.up(world.run(), grown))).toContain("does not show the part");
    await world.api("POST", `/v1/compute/volumes/${volumeId}/attach`, { vm_id: kept!.id });
    world.clock.advance(2_000);
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

  it("previews the rest of a partial change", async () => {
    const run = world.run();
    expect((await previewRest(run, await madeInPart())).operation).toBe("update");
    expect(textsOf(run)).toEqual(["$54.80/mo → $55.80/mo (+$1.00/mo)"]);
  });

  it("quotes the rest of a partial change without an earlier quote", async () => {
    const stack = await madeInPart(world.run({ preflight: "off", costQuotes: "false" }));
    expect(stack.stateOf("x").outs["cost"]).toBeUndefined();
    const run = world.run();
    await previewRest(run, stack);
    expect(textsOf(run)).toEqual(["$54.80/mo → $55.80/mo (+$1.00/mo)"]);
  });

  it("clears the marks of a partial change in a refresh", async () => {
    const stack = await madeInPart();
    expect(await stack.refresh(world.run())).toEqual([]);
    const { inputs, outs } = stack.stateOf("x");
    expect(inputs).toMatchObject({ bootVolume: { size: 100 }, dataVolumes: [{ size: 10 }] });
    expect([inputs, outs]).toMatchObject([{ cost: { monthlyTotal: "54.80" } }, { cost: { monthlyTotal: "54.80" } }]);
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
  async function grown(away: (path: string, vm: string) => Promise<unknown>): Promise<MiniStack> {
    const stack = new MiniStack();
    await stack.up(world.run(), program(64, 10));
    const { id, outs } = stack.stateOf("x");
    const [data] = outs["dataVolumeIds"] as readonly string[];
    await away(`/v1/compute/volumes/${data!}`, id);
    world.clock.advance(2_000);
    expect(failureOf(await stack.up(world.run(), program(64, 20)))).toContain(
      "does not show the part that the program calls dataVolumes[0]",
    );
    return stack;
  }

  it.each([
    [
      "renamed",
      (path: string) => world.api("PATCH", path, { name: "theirs" }),
      (path: string) => world.api("PATCH", path, { name: "data" }),
    ],
    [
      "detached",
      (path: string) => world.api("POST", `${path}/detach`),
      (path: string, vm: string) => world.api("POST", `${path}/attach`, { vm_id: vm }),
    ],
  ])("grows the data volume once it is no longer %s", async (_how, away, back) => {
    let undo = (): Promise<unknown> => Promise.resolve();
    const stack = await grown(async (path, vm) => {
      await away(path);
      undo = () => back(path, vm);
    });
    await undo();
    world.clock.advance(2_000);
    const { failures, operations } = await stack.up(world.run(), program(64, 20));
    expect([failures, operations.get("x")]).toEqual([[], "update"]);
    expect(stack.stateOf("x").outs).toMatchObject({ dataVolumes: [{ name: "data", size: 20 }] });
  });

  it("says how to manage a reattached volume", async () => {
    const stack = new MiniStack();
    await stack.up(world.run(), program(64, 10));
    const { id, outs } = stack.stateOf("x");
    const [data = ""] = outs["dataVolumeIds"] as readonly string[];
    const path = `/v1/compute/volumes/${data}`;
    await world.api("POST", `${path}/detach`);
    world.clock.advance(2_000);
    expect(await stack.refresh(world.run())).toEqual([]);
    await world.api("POST", `${path}/attach`, { vm_id: id });
    world.clock.advance(2_000);
    expect(failureOf(await stack.up(world.run(), program(64, 10)))).toContain('"data" cannot be added');
    expect(failureOf(await stack.up(world.run(), program(64, 10)))).toContain('give the Volume adopt: "<its id>" too');
    const volume: Declaration = {
      type: "Volume",
      name: "data",
      dependsOn: ["x"],
      args: (stateOf) => ({
        ...argsOf("Volume", world.simulator),
        ...{ name: "data", size: 10, vmId: stateOf("x").id, adopt: data },
      }),
    };
    const managed = await stack.up(world.run(), [...program(64, 10, { dataVolumes: undefined }), volume]);
    expect([failureOf(managed), stack.stateOf("data").id]).toEqual(["", data]);
  });

  it("fails if the volume was deleted, and forgets it", async () => {
    const stack = await grown(async (path) => {
      await world.api("POST", `${path}/detach`);
      world.clock.advance(2_000);
      return world.api("DELETE", path);
    });
    expect(stack.stateOf("x").outs["dataVolumes"]).toEqual([]);
  });
});
