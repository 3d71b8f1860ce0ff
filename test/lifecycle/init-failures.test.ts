import { kinds } from "../../src/resources/registry";
import { journalWith } from "../../src/journal/journal";
import type { ObjectsFile } from "../../src/lifecycle/memory/known-objects";
import { awaited, descriptorOf, hasCredential, madeTypes, sampleOf, takenOver } from "../kinds";
import { sent, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { MiniStack } from "../support/mini-engine";
import { collectionOf, collectionPath, World } from "../support/world";

const { nodeConfig: OTHER_NODE } = sampleOf("NksNodePool", { nodeConfig: { instanceType: "n1-standard-4" } });

const world = World.forSuite();

describe.each(awaited)("after a run gave up waiting for a new %s", (type) => {
  const program = () => [world.declare(type)];
  const up = (stack: MiniStack, operationTimeout = "30s") => stack.up(world.run({ operationTimeout }), program());
  const path = collectionPath(type);
  const ids = () => world.ids(type);

  /** A stack whose only resource was still being created when its run ended. */
  async function initFailed(operation?: "fail"): Promise<MiniStack> {
    const stack = new MiniStack();
    await world.fault({ method: "POST", path: `^${path}$`, ...(operation ? { operation } : { delay: "0" }) });
    const { failures } = await up(stack, "1ms");
    expect(failures).toHaveLength(1);
    expect(stack.stateOf("x").outs["status"]).toBe("creating");
    expect(stack.stateOf("x").outs["__provider"]).toBe("loader"); // or a later deletion could not find its provider
    return stack;
  }

  // As a program's hook for errors can ask for.
  it("a repeated creation waits for the same object", async () => {
    const run = world.run({ operationTimeout: "1ms" });
    const { inputs } = await run.of(type).check({}, sent(type, "x", world.args(type), false));
    const create = (): Promise<{ id: string }> => run.of(type).create(inputs);
    await expect(create()).rejects.toThrow("It may end later");
    world.clock.advance(60_000);
    const { id } = await create();
    expect(await ids()).toEqual([id]);
  });

  const ends = ["its creation fails afterwards", "somebody deletes it"] as const;
  it.each(ends)("replaces a half-made object if %s", async (how) => {
    const stack = await initFailed(how === "somebody deletes it" ? undefined : "fail");
    const first = stack.stateOf("x").id;
    world.clock.advance(10_000);
    if (how === "somebody deletes it") {
      await world.api("DELETE", `${collectionOf(type, world.simulator)}/${first}`);
      world.clock.advance(10_000);
    }
    const { failures, operations } = await up(stack);
    expect([failures, operations.get("x")]).toEqual([[], "replace"]);
    expect(stack.stateOf("x").outs["status"]).toBe("ready");
    expect(stack.stateOf("x").id).not.toBe(first);
    expect(await ids()).toEqual([stack.stateOf("x").id]);
  });

  it("replaces a failed object that one answer showed as deleted", async () => {
    const stack = await initFailed("fail");
    const first = stack.stateOf("x").id;
    world.clock.advance(10_000);
    const [object] = await world.made(type);
    await world.place(descriptorOf(type).collection, { ...object!, status: "deleted" });
    await stack.refresh(world.run());
    await world.place(descriptorOf(type).collection, object!);
    await stack.refresh(world.run());
    expect((await up(stack)).operations.get("x")).toBe("replace");
    expect(stack.stateOf("x").id).not.toBe(first);
  });

  it("keeps an object that fails after a refresh saw it ready", async () => {
    const stack = await initFailed();
    const first = stack.stateOf("x").id;
    world.clock.advance(60_000);
    expect(await stack.refresh(world.run())).toEqual([]);
    expect(stack.stateOf("x").outs["status"]).toBe("ready");
    world.clock.advance(86_400_000);
    for (const object of await world.made(type))
      await world.place(descriptorOf(type).collection, { ...object, status: "error" });
    await stack.refresh(world.run());
    expect((await up(stack)).operations.get("x")).not.toBe("replace");
    expect(stack.stateOf("x").id).toBe(first);
    expect(await ids()).toContain(first);
  });

  it.each([500, 400])("keeps an object that was complete before the %i", async (status) => {
    const stack = await initFailed();
    const first = stack.stateOf("x").id;
    world.clock.advance(60_000);
    await world.fault({ method: "PATCH", path: `/${first}$`, status, every: 1 });
    const changed = [world.declare(type, { tags: ["new"] })];
    expect((await stack.up(world.run({ preflight: "off" }), changed)).failures).toHaveLength(1);
    for (const object of await world.made(type))
      await world.place(descriptorOf(type).collection, { ...object, status: "error" });
    const { operations } = await stack.up(world.run({ preflight: "off" }), changed);
    // The run could not read the kubeconfig of a cluster, without which its creation has not ended.
    const isComplete = kinds.find((kind) => kind.type === type)?.subResources.length === 0;
    expect(operations.get("x") === "replace").toBe(!isComplete);
    expect((await ids()).includes(first)).toBe(isComplete);
  });

  it.each(["that a refresh shows as not ready", "that is ready meanwhile"])("waits for an object %s", async (how) => {
    const stack = await initFailed();
    const first = stack.stateOf("x").id;
    if (how === "that is ready meanwhile") world.clock.advance(10_000);
    else expect(await stack.refresh(world.run())).toEqual([]);
    expect(stack.stateOf("x").outs["status"]).toBe("creating");
    const { failures, operations } = await up(stack);
    expect([failures, operations.get("x")]).toEqual([[], "update"]);
    expect(stack.stateOf("x")).toMatchObject({ id: first, outs: { status: "ready" } });
    expect(await ids()).toEqual([first]);
    expect((await up(stack)).operations.get("x")).toBe("same");
  });
});

it("compares an object that its creation could not read with the program", async () => {
  const program = [world.declare("Volume", { tags: ["ours"] })];
  const stack = new MiniStack();
  await world.fault({ method: "GET", path: "/volumes/", status: 403, every: 1 });
  expect((await stack.up(world.run(), program)).failures).toHaveLength(1);
  await world.clearFaults();
  await world.api("PATCH", `/v1/compute/volumes/${stack.stateOf("x").id}`, { tags: ["theirs"] });
  world.clock.advance(60_000);
  expect((await stack.up(world.run(), program)).failures).toEqual([]);
  expect(await world.made("Volume")).toMatchObject([{ id: stack.stateOf("x").id, tags: ["ours"] }]);
});

it.each([
  ["replaces an object that the API is deleting", "never", "replace"],
  ["keeps an object whose deletion has failed", "fail", "same"],
])("%s", async (_title, operation, expected) => {
  const type = "ConnectConnection";
  const program = [world.declare(type)];
  const stack = new MiniStack();
  await stack.up(world.run(), program);
  const first = stack.stateOf("x").id;
  await world.fault({ method: "DELETE", path: "/connections/", operation });
  await world.api("DELETE", `${collectionPath(type)}/${first}`);
  await stack.refresh(world.run());
  expect(stack.stateOf("x").outs["status"]).toBe("deleting");
  const { failures, operations } = await stack.up(world.run(), program);
  expect([failures, operations.get("x")]).toEqual([[], expected]);
  world.clock.advance(10_000);
  const { id, outs } = stack.stateOf("x");
  expect([id === first, outs["status"]]).toEqual(expected === "same" ? [true, "deleting"] : [false, "ready"]);
  expect((await world.objects(type)).map((each) => each.id)).toEqual([id]);
});

/** The methods of the creations and deletions in a collection from now on. */
async function changesSince(collection: string): Promise<() => Promise<(string | undefined)[]>> {
  const pattern = new RegExp(`^(POST|DELETE) .*${collection}(?:/ID)?$`);
  const before = (await world.requests()).length;
  return async () => (await world.requests()).slice(before).flatMap((text) => pattern.exec(text)?.slice(1) ?? []);
}

it("replaces a failed new object before deleting the old one", async () => {
  const type = "ConnectConnection";
  const program = (bandwidthMbps: number) => [world.declare(type, { bandwidthMbps })];
  const stack = new MiniStack();
  await stack.up(world.run(), program(50));
  await world.fault({ method: "POST", path: "/connections$", operation: "fail" });
  expect((await stack.up(world.run(), program(200))).failures).toHaveLength(1);
  const since = await changesSince("connections");
  expect((await stack.up(world.run(), program(200))).failures).toEqual([]);
  expect(await since()).toEqual(["POST", "DELETE", "DELETE"]);
});

it("deletes a failed pool with a given name first", async () => {
  const type = "NksNodePool";
  const program = [world.declare(type, { name: "workers" })];
  const stack = new MiniStack();
  await world.fault({ method: "POST", path: "/pools$", operation: "fail" });
  expect((await stack.up(world.run(), program)).failures).toHaveLength(1);
  const first = stack.stateOf("x").id;

  const since = await changesSince("pools");
  const { failures, operations } = await stack.up(world.run(), program);
  expect([failures, operations.get("x")]).toEqual([[], "replace"]);
  expect(await since()).toEqual(["DELETE", "POST"]);
  const [pool, ...others] = await world.objects(type);
  expect([pool, others]).toMatchObject([{ id: stack.stateOf("x").id, name: "workers", status: "ready" }, []]);
  expect(pool?.id).not.toBe(first);
  // A pool that was ready once still needs another name for its replacement.
  const refused = await stack.up(world.run(), [world.declare(type, { name: "workers", nodeConfig: OTHER_NODE })]);
  expect(String(refused.failures[0]?.error)).toContain(
    '"workers" is still the name of the pool that this one replaces',
  );
});

describe("if the disk is full after the API has accepted a request", () => {
  const journal = MemoryJournal.forSuite();

  /**
   * A run whose disk is full as soon as the journal is to have an object's id, or others are to know of an adoption.
   */
  function runUntilFull(): TestRun {
    let isFull = false;
    const fault = (): string | undefined => (isFull ? "ENOSPC: no space left on device" : undefined);
    const failing = journalWith(journal, {
      write: (entry) => {
        isFull ||= entry.id !== undefined;
        return isFull ? Promise.reject(new Error(fault())) : journal.write(entry);
      },
    });
    const append = (note: object): string | undefined => {
      isFull ||= JSON.stringify(note).includes('"isDone":true');
      return fault();
    };
    const objectsFile = { append, fault, readNew: () => [] } as unknown as ObjectsFile;
    return world.run({}, { journal: failing, objectsFile });
  }

  async function expectInState(type: string, args: object, stack = new MiniStack()): Promise<void> {
    const declared = [world.declare(type, args)];
    const { failures } = await stack.up(runUntilFull(), declared);
    expect(failures).toMatchObject([{ error: { message: expect.stringContaining("cannot be written") as string } }]);
    const { id } = stack.stateOf("x");
    expect(await stack.up(world.run({}, { journal }), declared)).toMatchObject({ failures: [] });
    expect(await world.ids(type)).toEqual([id]);
  }

  it.each(madeTypes)("the state has a new %s", (type) => expectInState(type, {}));

  it.each(madeTypes.filter(hasCredential))("the state has a new %s and its predecessor", async (type) => {
    const stack = new MiniStack();
    await stack.up(world.run({}, { journal }), [world.declare(type, { rotationTrigger: 1 })]);
    await expectInState(type, { rotationTrigger: 2 }, stack);
  });

  it.each(takenOver)("the state has an adopted %s", async (type) => {
    const { id } = await world.create(type, { name: "mine" });
    await expectInState(type, { name: "mine", adopt: id });
  });
});
