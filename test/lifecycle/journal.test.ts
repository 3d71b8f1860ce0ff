import { madeTypes } from "../kinds";
import type { Journal, JournalEntry } from "../../src/journal/journal";
import { thisProcess } from "../../src/journal/process-identity";
import { sent, startRun, urnOf } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { plain } from "../support/mini-state";
import { argsOf, World } from "../support/world";

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

  it("and outlasts the end of the process, in good order or not, without a warning in the next run", async () => {
    await world.fault({ method: "POST", path: "firewall_rules$", drop: "after" });
    const run = world.run({}, { journal });
    const { id, inputs, outs } = await make(type, {}, run);
    run.run.journal.end(false);
    expect(journal.entries).toMatchObject([{ id, isHandedOver: true }]);
    const next = world.run({}, { journal });
    await next.of(type).diff(id, outs, inputs);
    expect(journal.entries).toEqual([]);
    expect(next.lines).toEqual([]);
  });

  it("and if two updates pass it over, the run after them warns of it, once", async () => {
    const first = world.run({}, { journal });
    const { id } = await make(type, {}, first);
    first.run.journal.end(false);
    const warnings: number[] = [];
    for (let nth = 0; nth < 4; nth += 1) {
      const run = world.run({}, { journal });
      await run.of(type).check({}, sent(type, "another", argsOf(type, world.simulator), false));
      run.run.journal.end(false);
      const told = run.lines.filter(({ severity, text }) => severity === "warning" && text.includes(id));
      expect(told.some(({ text }) => text.includes("interrupted"))).toBe(false); // no run was
      warnings.push(told.length);
    }
    expect(warnings).toEqual([0, 0, 1, 0]);
    expect(journal.entries).toHaveLength(1); // for the doctor
  });

  it("or takes it over with adopt, under any name of a resource", async () => {
    const { id } = await make();
    await make(type, { adopt: id });
    expect(journal.entries).toEqual([]);
  });
});

describe.each(["ApiKey", "FirewallRule"])(
  "when a run has ended in good order, and a state has what it made, of %s",
  (kind) => {
    it("and a stack of the same address creates its own, as after a change of the stack's name, it is named and not touched", async () => {
      const first = world.run({}, { journal });
      const { id } = await make(kind, {}, first);
      first.run.journal.end(false);
      const next = world.run({}, { journal });
      const own = await make(kind, {}, next);
      expect(own.id).not.toBe(id);
      const held = (await world.objects(kind)).map((object) => object.id);
      expect(held).toEqual(expect.arrayContaining([id, own.id]));
      const warnings = next.lines.filter(({ severity }) => severity === "warning");
      expect(warnings).toHaveLength(1);
      expect(warnings[0]?.text).toContain(`${id} for this resource. This run left it alone`);
      expect(journal.entries).toMatchObject([{ id: own.id }]);
    });

    it("and it is gone from the API, nothing is said", async () => {
      const first = world.run({}, { journal });
      const { id, outs } = await make(kind, {}, first);
      first.run.journal.end(false);
      await world.run().of(kind).delete(id, outs);
      const next = world.run({}, { journal });
      await make(kind, {}, next);
      expect(next.lines.filter(({ severity }) => severity === "warning")).toEqual([]);
      expect(journal.entries).toHaveLength(1);
    });
  },
);

describe("when a person has cancelled the run, and nothing is in flight when the process ends", () => {
  it.each([
    ["FirewallRule", "This run takes it over"],
    ["ApiKey", "whose secret is lost. This run deletes it and makes a new one"],
  ])("what the engine has not saved is taken up by the next run, of %s: %s", async (kind, told) => {
    const first = world.run({}, { journal });
    const { id } = await make(kind, {}, first);
    first.run.journal.end(true);
    const next = world.run({}, { journal });
    const own = await make(kind, {}, next);
    const held = (await world.objects(kind)).map((object) => object.id);
    expect(held.filter((each) => each === id || each === own.id)).toEqual([own.id]);
    expect(next.lines.map(({ text }) => text)).toEqual([expect.stringContaining(told)]);
    next.run.journal.end(false);
    expect(journal.entries).toMatchObject([{ id: own.id, isHandedOver: true }]);
    expect(journal.entries[0]?.isCancelled).toBeUndefined();
  });

  it("what the engine has saved is said nothing of, and what the next update passes over is warned of by the run after it", async () => {
    const first = world.run({}, { journal });
    const saved = await make(type, {}, first);
    const dropped = await make("ConnectConnection", {}, first);
    first.run.journal.end(true);
    const warnings: boolean[] = [];
    for (let nth = 0; nth < 3; nth += 1) {
      const run = world.run({}, { journal });
      await run.of(type).check({}, sent(type, "another", argsOf(type, world.simulator), false));
      await run.of(type).diff(saved.id, saved.outs, saved.inputs);
      run.run.journal.end(nth === 0); // a cancelled update has not passed over anything
      expect(run.lines.some(({ text }) => text.includes(saved.id))).toBe(false);
      warnings.push(run.lines.some(({ text }) => text.includes(dropped.id)));
    }
    expect(warnings).toEqual([false, false, true]);
  });
});

it("when the process is ended while a creation is in flight, as by a second Ctrl-C, all entries stay", async () => {
  const run = world.run({}, { journal });
  await make(type, {}, run);
  let isEnded = false;
  world.clock.onSleep = () => {
    if (!isEnded) run.run.journal.end(false);
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
  await expect(make()).rejects.toThrow("broke before the complete answer arrived");
  const { simulator } = world;
  const version = `0.0.0 (${String(journal.entries[0]?.token)})`;
  const held = startRun({ baseUrl: simulator.url, apiKey: simulator.apiKey }, world.clock, {}, version);
  const late = await world.create(type, { ...argsOf(type, simulator), name: journal.entries[0]?.name }, { run: held });
  const { id } = await make();
  expect(id).toBe(late.id);
  expect((await world.objects("FirewallRule")).filter(({ name }) => name.startsWith("x"))).toHaveLength(1);
});

it("when the answers to both creations of a key are lost, no key without a secret is left", async () => {
  await world.fault({ method: "POST", path: "/v1/api_keys$", drop: "after", times: 2 });
  const before = (await world.objects("ApiKey")).length;
  await expect(make("ApiKey")).rejects.toThrow();
  expect(await world.objects("ApiKey")).toHaveLength(before);
});

it.each(madeTypes)(
  "when %s is replaced by --target-replace before anything has shown that the state has it, one is left, and the state's",
  async (of) => {
    const old = await make(of);
    const run = world.run({}, { journal });
    const { id, lifecycle } = await make(of, {}, run); // check without old inputs, and no diff
    await lifecycle.delete(old.id, plain(old.outs) as Record<string, unknown>);
    const objects = (await world.objects(of)).filter(({ name }) => name.startsWith("x"));
    expect(objects.map((object) => object.id)).toEqual([id]);
  },
);

it("when a key is replaced by --target-replace, the old one signs in until the engine deletes it", async () => {
  const first = world.run({}, { journal });
  const old = await make("ApiKey", {}, first);
  first.run.journal.end(false);
  const signIn = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${String(plain(old.outs["key"]))}` };
    return (await fetch(`${world.simulator.url}/v1/regions`, { headers })).status;
  };
  const run = world.run({}, { journal });
  const { lifecycle } = await make("ApiKey", {}, run);
  expect(await signIn()).toBe(200);
  expect(run.lines.map(({ text }) => text).join()).toContain(
    `An earlier run made API key ${old.id} for this resource.`,
  );
  await lifecycle.delete(old.id, plain(old.outs) as Record<string, unknown>);
  expect(await signIn()).toBe(401);
  expect(journal.entries.map(({ id }) => id)).not.toContain(old.id);
});

it("when another process is still at it, nobody is warned of its creations", async () => {
  await make();
  const warnings = async (sender: JournalEntry["sender"]): Promise<number> => {
    const others = new MemoryJournal();
    await others.write({ ...journal.entries[0]!, sender });
    const run = world.run({}, { journal: others });
    await run.of(type).check({}, sent(type, "x", argsOf(type, world.simulator)));
    return run.lines.filter(({ severity }) => severity === "warning").length;
  };
  const { space } = thisProcess();
  expect(await warnings({ pid: process.ppid, space })).toBe(0);
  expect(await warnings({ pid: process.ppid, space, startedAt: "1" })).toBe(1); // the number was given to another
  expect(await warnings({ pid: process.ppid, space: "another machine" })).toBe(1);
  expect(await warnings(thisProcess())).toBe(1);
});

it("when the journal cannot be written, a warning says so once, and everything is created", async () => {
  const broken: Journal = {
    write: () => Promise.reject(Object.assign(new Error("no"), { code: "EROFS" })),
    remove: () => Promise.reject(Object.assign(new Error("no"), { code: "EROFS" })),
    writeNow: () => undefined,
    of: () => Promise.resolve({ entries: [], unreadable: [] }),
  };
  const run = world.run({}, { journal: broken });
  await make(type, {}, run);
  await make("ApiKey", {}, run);
  const warnings = run.lines.filter(({ severity }) => severity === "warning").map(({ text }) => text);
  expect(warnings).toEqual([
    "the journal of creations cannot be written (EROFS): if this run is killed, the next run will not know what it was creating",
  ]);
});

it("when a key is created, its entry holds no secret and none of its fields", async () => {
  const { outs } = await make("ApiKey", { sourceIpRule: { allowed: ["203.0.113.0/24"] } });
  const text = JSON.stringify(journal.entries);
  expect(text).not.toContain(String(plain(outs["key"])));
  expect(text).not.toContain(world.simulator.apiKey);
  expect(text).not.toContain("203.0.113.0");
});

it("when an entry ends while a newer version of it is being written, it has ended", async () => {
  await make();
  const [entry] = journal.entries;
  const slow: Journal = {
    write: async (newer) => {
      await new Promise((resolve) => setImmediate(resolve));
      await journal.write(newer);
    },
    writeNow: (entries) => journal.writeNow(entries),
    remove: (ended) => journal.remove(ended),
    of: (stack) => journal.of(stack),
  };
  const run = world.run({}, { journal: slow });
  await run.run.journal.interrupted(urnOf(type, "x"));
  const writing = run.run.journal.supersede(entry!);
  await run.run.journal.close(entry!);
  await writing;
  await run.run.journal.supersede(entry!);
  expect(journal.entries).toEqual([]);
});

describe("when a run gave up waiting for a connection, and --target-replace asks for a new one before the engine presents it", () => {
  const of = "ConnectConnection";
  const ids = async (): Promise<string[]> => (await world.objects("ConnectConnection")).map(({ id }) => id);
  async function stuck(): Promise<string> {
    await world.fault({ method: "POST", path: "/connections$", operation: "never" });
    const run = world.run({ operationTimeout: "5s" }, { journal });
    const error = (await make(of, {}, run).catch((failure: unknown) => failure)) as { readonly id: string };
    run.run.journal.end(false);
    expect(journal.entries).toMatchObject([{ id: error.id, isHalfMade: true, isHandedOver: true }]);
    return error.id;
  }

  it("a new one is made, and the old one, which the log proves to be ours, is deleted", async () => {
    const old = await stuck();
    const { id, outs } = await make(of);
    expect(id).not.toBe(old);
    expect(outs["status"]).toBe("ready");
    world.clock.advance(10_000);
    expect(await ids()).toEqual([id]);
  });

  it("and nothing proves whose the old one is, a new one is made, the old one is named, and its entry stays", async () => {
    const old = await stuck();
    await world.fault({ method: "GET", path: "^/v1/audit_logs$", status: 403, every: 1 });
    const run = world.run({}, { journal });
    const { id } = await make(of, {}, run);
    expect((await ids()).sort()).toEqual([id, old].sort());
    expect(run.lines.filter(({ text }) => text.includes(old))).toMatchObject([{ severity: "warning" }]);
    expect(journal.entries).toContainEqual(expect.objectContaining({ id: old, isSuperseded: true }));
  });

  it("and it has become ready since, it is taken over", async () => {
    const run = world.run({ operationTimeout: "1ms" }, { journal });
    const error = (await make(of, {}, run).catch((failure: unknown) => failure)) as { readonly id: string };
    world.clock.advance(10_000);
    expect((await make(of)).id).toBe(error.id);
    expect(await ids()).toEqual([error.id]);
  });
});
