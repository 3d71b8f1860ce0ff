import type { Journal } from "../../src/journal/journal";
import { sent, urnOf } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { plain } from "../support/mini-state";
import { argsOf, placeOf, World } from "../support/world";

const type = "FirewallRule";
let world: World;
let journal: MemoryJournal;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => {
  journal = new MemoryJournal();
});
afterEach(() => world.reset());
afterAll(() => world.close());

type Made = Awaited<ReturnType<World["create"]>>;
const make = (of = type, args: object = {}, run = world.run({}, { journal })): Promise<Made> =>
  world.create(of, { ...argsOf(of, world.simulator), ...args }, { run });

describe("when something has been created, its entry stays until the engine presents the id", () => {
  const presented: Record<string, (made: Made) => Promise<unknown>> = {
    diff: async ({ id, inputs, outs }) => world.run({}, { journal }).of(type).diff(id, outs, inputs),
    read: async ({ id, outs }) => world.run({}, { journal }).of(type).read(id, outs),
    update: async ({ id, inputs, outs }) => world.run({}, { journal }).of(type).update(id, outs, inputs),
    delete: async ({ id, outs }) => world.run({}, { journal }).of(type).delete(id, outs),
  };

  it.each(Object.keys(presented))("in %s", async (call) => {
    const made = await make();
    expect(journal.entries).toMatchObject([{ id: made.id, urn: urnOf(type, "x") }]);
    await presented[call]?.(made);
    expect(journal.entries).toEqual([]);
  });

  it("under whichever URN: an alias may have renamed it", async () => {
    const { id, outs } = await make();
    await world
      .run({}, { journal })
      .of(type)
      .read(id, { ...outs, __urn: urnOf(type, "renamed") });
    expect(journal.entries).toEqual([]);
  });

  it("and not with a get, which manages nothing", async () => {
    const { id } = await make();
    const get = { ...sent(type, "x", { vpcId: world.simulator.vpcId }, false) };
    await world.run({}, { journal }).of(type).read(id, get);
    expect(journal.entries).toHaveLength(1);
  });

  it("or ends the process in good order", async () => {
    const run = world.run({}, { journal });
    await make(type, {}, run);
    run.run.journal.endInOrder();
    expect(journal.entries).toEqual([]);
  });

  it("or ends it in good order after a creation whose answer was lost, and whose object was found", async () => {
    await world.fault({ method: "POST", path: "firewall_rules$", drop: "after" });
    const run = world.run({}, { journal });
    const { id } = await make(type, {}, run);
    expect(journal.entries).toMatchObject([{ id }]);
    run.run.journal.endInOrder();
    expect(journal.entries).toEqual([]);
  });

  it("or takes it over with adopt, under any name of a resource", async () => {
    const { id } = await make();
    await make(type, { adopt: id });
    expect(journal.entries).toEqual([]);
  });
});

it("when the process is ended while a creation is in flight, as by a second Ctrl-C, all entries stay", async () => {
  const run = world.run({}, { journal });
  await make(type, {}, run);
  let isEnded = false;
  world.clock.onSleep = () => {
    if (!isEnded) run.run.journal.endInOrder();
    isEnded = true;
  };
  await make("ConnectConnection", {}, run);
  world.clock.onSleep = undefined;
  expect(isEnded).toBe(true);
  expect(journal.entries).toHaveLength(2);
});

it("when the API surely has made nothing, no entry stays", async () => {
  await world.fault({ method: "POST", path: "firewall_rules$", status: 400 });
  await expect(make()).rejects.toThrow("400");
  expect(journal.entries).toEqual([]);
});

it("when the API may have made something that is not there yet, the entry stays, and the next run takes it over", async () => {
  await world.fault({ method: "POST", path: "firewall_rules$", drop: "before" });
  await expect(make()).rejects.toThrow("broke before the whole answer was here");
  const late = await world.create(type, { ...argsOf(type, world.simulator), name: journal.entries[0]?.name });
  const { id } = await make();
  expect(id).toBe(late.id);
  expect((await world.state()).firewallRules.filter(({ name }) => name.startsWith("x"))).toHaveLength(1);
});

it("when the answers to both creations of a key are lost, no key without a secret is left", async () => {
  await world.fault({ method: "POST", path: "/v1/api_keys$", drop: "after", times: 2 });
  const before = (await world.state()).apiKeys.length;
  await expect(make("ApiKey")).rejects.toThrow();
  expect((await world.state()).apiKeys).toHaveLength(before);
});

it.each(["ApiKey", "ConnectConnection", "FirewallRule"])(
  "when %s is replaced by --target-replace before anything has shown that the state has it, one is left, and the state's",
  async (of) => {
    const old = await make(of);
    const run = world.run({}, { journal });
    const { id, lifecycle } = await make(of, {}, run); // check without old inputs, and no diff
    await lifecycle.delete(old.id, plain(old.outs) as Record<string, unknown>);
    const objects = (await world.state())[placeOf(of).collection].filter(({ name }) => name.startsWith("x"));
    expect(objects.map((object) => object.id)).toEqual([id]);
  },
);

it("when another process is still at it, nobody is warned of its creations", async () => {
  await make();
  const warnings = async (pid: number): Promise<number> => {
    const others = new MemoryJournal();
    await others.write({ ...journal.entries[0]!, pid });
    const run = world.run({}, { journal: others });
    await run.of(type).check({}, sent(type, "x", argsOf(type, world.simulator)));
    return run.lines.filter(({ severity }) => severity === "warning").length;
  };
  expect(await warnings(process.ppid)).toBe(0);
  expect(await warnings(process.pid)).toBe(1);
});

it("when the journal cannot be written, a warning says so once, and everything is created", async () => {
  const broken: Journal = {
    write: () => Promise.reject(Object.assign(new Error("no"), { code: "EROFS" })),
    remove: () => Promise.reject(Object.assign(new Error("no"), { code: "EROFS" })),
    removeNow: () => undefined,
    of: () => Promise.resolve([]),
  };
  const run = world.run({}, { journal: broken });
  await make(type, {}, run);
  await make("ApiKey", {}, run);
  const warnings = run.lines.filter(({ severity }) => severity === "warning").map(({ text }) => text);
  expect(warnings).toEqual([
    "the journal of creations cannot be written (EROFS): if this run is killed, the next one does not know what it was making",
  ]);
});

it("when a key is created, its entry holds no secret and none of its fields", async () => {
  const { outs } = await make("ApiKey", { sourceIpRule: { allowed: ["203.0.113.0/24"] } });
  const text = JSON.stringify(journal.entries);
  expect(text).not.toContain(String(plain(outs["key"])));
  expect(text).not.toContain(world.simulator.apiKey);
  expect(text).not.toContain("203.0.113.0");
});
