import { leftOpenAdvice } from "../../src/lifecycle/recovery/lost-creation";
import { failureOf } from "../support/failure-of";
import { toWire } from "../../src/definition/wire";
import { userAgent } from "../../src/process/version";
import { kinds } from "../../src/resources/registry";
import { urnParts } from "../../src/engine/urn";
import { awaited, harmless, hasCredential, takenOver, withTwins } from "../kinds";
import { replacementIn } from "../kinds/support/claims";
import { journalEntry } from "../support/journal-entry";
import { sent, withFacts, type TestRun } from "../support/lifecycle";
import { KilledConnections, type Kill } from "../support/killed-run";
import { MemoryJournal } from "../support/memory-journal";
import { collectionOf, collectionPath, World, type WireObject, type WorldRunOptions } from "../support/world";

// The next run makes another object beside the lost one.
const types = withTwins;
type Answer = { readonly id: string; readonly outs: Record<string, unknown> };

const world = World.forSuite();
const journal = MemoryJournal.forSuite();
let killed: { readonly connections: KilledConnections; readonly end: Promise<unknown> }[] = [];
afterEach(async () => {
  for (const { connections, end } of killed) {
    await connections.bury();
    await end;
  }
  killed = [];
});

async function heldIds(type: string): Promise<string[]> {
  return await world.ids(type);
}

async function inputsOf(run: TestRun, type: string, args: object): Promise<Record<string, unknown>> {
  const { inputs, failures } = await run.of(type).check({}, sent(type, "x", args, false));
  expect(failures).toEqual([]);
  return { ...inputs, __provider: "loader" };
}

/** A run whose process is killed while it creates a resource. */
async function killedRun(type: string, args: object, kill: Kill, config = {}, options: WorldRunOptions = {}) {
  const connections = new KilledConnections(kill);
  const run = world.run(config, { journal, client: { dispatcher: connections.dispatcher }, ...options });
  const creation = run.of(type).create(await inputsOf(run, type, args));
  killed.push({ connections, end: failureOf(creation) });
  await connections.death;
}

/** Updates a resource of the state. */
async function present({ id, outs }: Answer): Promise<void> {
  const calls = world.run({}, { journal }).of(urnParts(String(outs["__urn"])).type);
  await calls.check(outs, outs);
  await calls.diff(id, outs, outs);
}

/** A run that is not killed. */
async function nextRun(
  type: string,
  args: object,
  run = world.run({}, { journal }),
): Promise<Answer & { run: TestRun }> {
  return { run, ...(await run.of(type).create(await inputsOf(run, type, args))) };
}

/** Checks that the warning names the object, why it was left, and what to do. */
function expectNamed(run: TestRun, id: string, reason: string): void {
  const named = run.lines.filter(({ severity, text }) => severity === "warning" && text.includes(`It had made ${id}`));
  expect(named.map(({ text }) => text)).toEqual([expect.stringContaining(`It had made ${id}, ${reason}`)]);
  expect(named[0]?.text).toContain(`run \`cloudinfra doctor --delete ${id}\``);
}

const nounOf = (type: string): string => kinds.find((kind) => kind.type === type)?.noun ?? type;

const post = (type: string, moment: Kill["moment"]): Kill => ({
  method: "POST",
  path: new RegExp(`^${collectionPath(type)}$`),
  moment,
});

describe.each(types)("when a run is killed while it creates %s", (type) => {
  const args = (): Record<string, unknown> => world.args(type);
  /** The object that a killed run has left. */
  const lost = async (): Promise<WireObject> => {
    await killedRun(type, args(), post(type, "after"));
    return (await world.made(type))[0]!;
  };

  it.each(["before", "after"] as const)("leaves exactly one object if killed %s the effect", async (moment) => {
    await killedRun(type, args(), post(type, moment));
    const left = await heldIds(type);
    expect(left).toHaveLength(moment === "after" ? 1 : 0);
    expect(journal.entries).toHaveLength(1);

    const { id, outs, run } = await nextRun(type, args());
    if (!takenOver.includes(type)) {
      if (hasCredential(type)) expect(await world.signIn(outs["key"])).toBe(200);
      expect(await heldIds(type)).toEqual([...left, id]); // the secret of the first was lost with the response
      for (const each of left) expectNamed(run, each, "whose secret is lost");
    } else {
      expect(await heldIds(type)).toEqual([id]);
      if (moment === "after") expect(left).toEqual([id]);
      expect(outs["status"] ?? "ready").toBe("ready"); // a kind that is created at once has no status
    }
  });

  it("a preview says that the update looks for its object first", async () => {
    await lost();
    const run = world.run({}, { journal });
    await run.of(type).check({}, sent(type, "x", args()));
    const texts = run.texts().filter((text) => text.includes(`while it created this ${nounOf(type)}: the update`));
    expect(texts).toHaveLength(takenOver.includes(type) ? 1 : 0);
  });

  it("explains a 409 for its name by the lost creation", async () => {
    await world.lag({ lists: "10m", audit: "10m" });
    const left = await lost();
    world.clock.advance(31_000);
    await world.fault({ method: "POST", path: post(type, "after").path.source, status: 409 });
    const { message } = await failureOf(nextRun(type, args()));
    expect(message).toContain("failed: 409");
    expect(message).toContain(`while it created this ${nounOf(type)}, and may have made`);
    expect(message).toContain(`named ${JSON.stringify(left.name)}. Run again when the API shows it, or adopt it`);
    expect(await heldIds(type)).toEqual([left.id]);

    await world.lag({});
    const { id, run } = await nextRun(type, args());
    if (!takenOver.includes(type)) expect(run.texts().join("\n")).toContain(`It had made ${left.id}`);
    else expect(id).toBe(left.id);
  });

  it("names the lost object if the program has changed", async () => {
    const left = await lost();
    const { id, run } = await nextRun(type, { ...args(), ...harmless(type, "new") });
    const [kept, made] = await world.made(type);
    expect([kept?.id, kept?.name, kept?.tags]).toEqual([left.id, left.name, left.tags]);
    expect(made).toMatchObject({ id, ...harmless(type, "new") });
    expectNamed(
      run,
      left.id,
      !takenOver.includes(type) ? "whose secret is lost" : "which differs from what your program says now",
    );
    expect(journal.entries).toContainEqual(expect.objectContaining({ id: left.id, isSuperseded: true }));

    const later = await nextRun(type, { ...args(), ...harmless(type, "newer") });
    expect(later.run.lines.some(({ text }) => text.includes(left.id))).toBe(false); // it was told
  });

  it.each<readonly [string, (run: TestRun, id: string) => Promise<unknown>, string]>([
    [
      "another resource adopts it",
      (run, id) => run.of(type).check({}, sent(type, "taker", { ...args(), adopt: id }, false)),
      'which the resource "taker" adopts',
    ],
    [
      "the program only reads it",
      (run, id) => run.of(type).read(id, sent(type, "reader", args(), false)),
      "which the program only reads (get)",
    ],
  ])("names the lost object if %s", async (_how, takes, reason) => {
    const left = await lost();
    const run = world.run({}, { journal });
    await takes(run, left.id);
    expect((await nextRun(type, args(), run)).id).not.toBe(left.id);
    expectNamed(run, left.id, reason);
  });

  it("says what to do if the search fails", async () => {
    const left = await lost();
    await world.fault({ method: "GET", path: "^/v1/audit_logs$", status: 500, every: 1 });
    const error = await failureOf(nextRun(type, args()));
    expect(error.message).toContain("An earlier run failed or was interrupted");
    expect(error.message).toContain("The next run on this machine looks again");
    expect(error.message).toContain(left.name);
    expect(await world.made(type)).toHaveLength(1);
    await world.clearFaults();
    const { id } = await nextRun(type, args());
    if (takenOver.includes(type)) expect(left.id).toBe(id);
  });

  it("warns once of a lost object that is no longer declared", async () => {
    const left = await lost();
    const warnings = async (): Promise<string[]> => {
      const run = world.run({}, { journal });
      await run.of(type).check({}, sent(type, "another", args(), true));
      return run.warnings();
    };
    const [warning, ...others] = await warnings();
    expect(others).toEqual([]);
    expect(warning).toContain(`"x" (if made, it is named "${left.name}")`);
    expect(warning).toContain(
      'adopt it with adopt: "<its id>", or delete it with `cloudinfra doctor --delete <its id>`',
    );
    expect(await warnings()).toEqual([]);
    expect(journal.entries).toHaveLength(1); // for the doctor, and for the day the resource comes back
  });

  it("notes a warning only after it was given", async () => {
    await killedRun(type, args(), post(type, "after"));
    const run = world.run({}, { journal });
    const before: number[] = [];
    jest.spyOn(journal, "recordWarning").mockImplementation(() => {
      before.push(run.lines.length);
      return Promise.resolve();
    });
    await run.of(type).check({}, sent(type, "another", args(), true));
    expect(before).toEqual([1]);
  });
});

describe.each(awaited)("when a run is killed while it waits for a new %s", (type) => {
  const pathOf = ({ id }: WireObject): string => `${collectionOf(type, world.simulator)}/${id}`;
  const killedWhileWaiting = async (args: object): Promise<WireObject> => {
    await killedRun(type, args, { method: "GET", path: /operations/, moment: "before" });
    const [left] = await world.made(type);
    return left!;
  };

  it("takes over a new object by its id", async () => {
    const args = world.args(type, { name: "mine" });
    const left = await killedWhileWaiting(args);
    expect(journal.entries).toMatchObject([{ id: left.id }]);
    await world.api("PATCH", pathOf(left), { name: "xyz" });
    const failure: unknown = await nextRun(type, args).catch((error: unknown) => error);
    expect(failure).toMatchObject({ id: left.id, message: expect.stringContaining("does not show it") as unknown });
    expect(await heldIds(type)).toEqual([left.id]);
  });

  it("names its object if the program has moved it", async () => {
    const args = world.args(type);
    const left = await killedWhileWaiting(args);
    const kind = kinds.find((each) => each.type === type)!;
    const { id, run } = await nextRun(type, { ...args, ...(await replacementIn(world, kind)) });
    expect(id).not.toBe(left.id);
    expect(await world.api("GET", pathOf(left))).toMatchObject({ id: left.id });
    expectNamed(run, left.id, "which differs from what your program says now");
  });

  it("makes another object if the operation left none", async () => {
    const args = world.args(type);
    const left = await killedWhileWaiting(args);
    await world.api("DELETE", pathOf(left));
    world.clock.advance(60_000);
    expect(await world.made(type)).toEqual([]);
    const { id, run } = await nextRun(type, args);
    expect(await heldIds(type)).toEqual([id]);
    expect(run.texts().join("\n")).toContain(`It had made ${left.id}, which the API does not show`);
  });
});

it.each(["before", "after"] as const)("leaves a namesake of the given name if killed %s the effect", async (moment) => {
  const args = world.args("FirewallRule", { name: "mine" });
  await killedRun("FirewallRule", args, post("FirewallRule", moment));
  const [ours] = await heldIds("FirewallRule");
  const namesake = await world.create("FirewallRule", args);
  const { id } = await nextRun("FirewallRule", args);
  expect(id).not.toBe(namesake.id);
  if (moment === "after") expect(id).toBe(ours);
  expect((await heldIds("FirewallRule")).sort()).toEqual([namesake.id, id].sort());
});

/** A request that was delayed on its way, and arrives now. */
async function comesThrough(type: string, args: Record<string, unknown>): Promise<string> {
  const [entry] = journal.entries;
  const { simulator, clock } = world;
  const kind = kinds.find((each) => each.type === type)!;
  const response = await fetch(simulator.url + collectionOf(type, simulator), {
    method: "POST",
    headers: {
      authorization: `Bearer ${simulator.apiKey}`,
      "content-type": "application/json",
      "user-agent": `${userAgent} (${String(entry?.token)})`,
    },
    body: JSON.stringify(toWire(kind, { ...args, name: entry?.name }, clock.now())),
  });
  const { resource_id: id } = (await response.json()) as { readonly resource_id: string };
  return id;
}

describe("a request that may be carried out after its run was killed", () => {
  const type = "FirewallRule";
  const args = (): Record<string, unknown> => world.args(type);
  beforeEach(() => killedRun(type, args(), post(type, "before")));

  it("waits for a request that may still be carried out", async () => {
    const run = world.run({}, { journal });
    const inputs = await inputsOf(run, type, args());
    let arrived: string | undefined;
    world.clock.onSleep = async () => {
      world.clock.onSleep = undefined;
      arrived = await comesThrough(type, args());
    };
    const { id } = await run.of(type).create(inputs);
    expect(id).toBe(arrived);
    expect(await heldIds(type)).toEqual([id]);
  });

  it("names once an object that a delayed request made", async () => {
    const remade = await nextRun(type, args());
    expect(remade.run.texts().join("\n")).toContain("this run makes a new one");
    const late = await comesThrough(type, args());
    const namings = async (): Promise<number> => {
      const run = world.run({}, { journal });
      await run.of(type).read(remade.id, remade.outs);
      return run.lines.filter(({ severity, text }) => severity === "warning" && text.includes(late)).length;
    };
    expect(await namings()).toBe(1);
    expect(await namings()).toBe(0);
    expect((await heldIds(type)).sort()).toEqual([late, remade.id].sort());
  });

  it("forgets a delayed request after an hour", async () => {
    const remade = await nextRun(type, args());
    const read = async (): Promise<number> => {
      await present(remade);
      await world.run({}, { journal }).of(type).read(remade.id, remade.outs);
      return (await world.requests()).filter((request) => request.includes("audit_logs")).length;
    };
    await read();
    expect(journal.entries).toMatchObject([{ isSuperseded: true }]);
    world.clock.advance(3_600_000);
    await read();
    expect(journal.entries).toEqual([]);
    const before = (await world.requests()).filter((request) => request.includes("audit_logs")).length;
    expect(await read()).toBe(before);
  });
});

it("keeps an entry for the second object of a repeated request", async () => {
  const type = "Volume";
  const args = world.args(type);
  await killedRun(type, args, post(type, "after"));
  const [entry] = journal.entries;
  const [{ name, project_id, region, size, type: kind } = {} as Record<string, unknown>] = await world.made(type);
  await fetch(`${world.simulator.url}${collectionPath(type)}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${world.simulator.apiKey}`,
      "content-type": "application/json",
      "user-agent": `pulumi-cloudinfra/0.0.0 (${entry?.token})`,
    },
    body: JSON.stringify({ name, project_id, region, size, type: kind }),
  });
  const { id, outs, run } = await nextRun(type, args);
  const [twin = ""] = (await heldIds(type)).filter((each) => each !== id);
  expect(run.texts().join()).toContain(`and had also made ${twin}`);
  await present({ id, outs });
  expect(journal.entries).toMatchObject([{ id: twin, isSuperseded: true, token: entry?.token }]);
  expect(journal.entries[0]?.key).not.toBe(entry?.key);
  await world.api("DELETE", `${collectionPath(type)}/${twin}`);
  world.clock.advance(60_000);
  await nextRun(type, args);
  expect(journal.entries.map((each) => each.id)).not.toContain(twin);
});

it("records the time of day, including time asleep", async () => {
  world.clock.sleptMs = 7_200_000;
  await killedRun("Volume", world.args("Volume"), post("Volume", "before"));
  const sentHereAt = Date.parse(journal.entries[0]?.sentHereAt ?? "");
  expect(world.clock.timeOfDay() - sentHereAt).toBeLessThan(60_000);
});

it("finds its object if the machine's clock was wrong", async () => {
  const type = "FirewallRule";
  const args = world.args(type);
  await killedRun(type, args, post(type, "after"), { costQuotes: "false" }, { aheadMs: 7_200_000 });
  const { id } = await nextRun(type, args);
  expect(await heldIds(type)).toEqual([id]);
});

describe("after a rename that follows a killed run", () => {
  const type = "Volume";
  const urnIn = (stack: string, project = "test"): string => `urn:pulumi:${stack}::${project}::x:index:Volume::other`;

  /** The warnings of a run that checks one resource of this stack. */
  async function warningsIn(urn: string, provider?: string): Promise<readonly string[]> {
    const run = world.run({}, { journal, ...(provider !== undefined && { provider }) });
    await run.of(type).check({}, withFacts(sent(type, "other", world.args(type), false), { urn }));
    return run.warnings();
  }

  it.each<[string, string, string | undefined]>([
    ["the stack", urnIn("prod"), undefined],
    ["the project", urnIn("dev", "shop"), undefined],
    ["the project and the stack", urnIn("prod", "shop"), undefined],
    ["the provider", urnIn("dev"), "eu"],
  ])("names the lost object if %s was renamed", async (_case, urn, provider) => {
    await killedRun(type, world.args(type), post(type, "after"));
    const [left] = await world.made(type);
    const [warning, ...others] = await warningsIn(urn, provider);
    expect(others).toEqual([]);
    expect(warning).toContain(
      "An earlier run of another stack or provider, or at another base URL, failed or was interrupted",
    );
    expect(warning).toContain(`(if made, it is named "${String(left?.name)}") in stack test/dev`);
    expect(await warningsIn(urn, provider)).toEqual([]);
    expect(await heldIds(type)).toEqual([left?.id]);
    expect(await warningsIn(urnIn("dev"))).toHaveLength(1); // Its own stack is still told.
  });

  it("says how to delete an interrupted with-key's key", async () => {
    const stack = { backend: "", baseUrl: world.simulator.url, project: "cloudinfra command", stack: "with-key" };
    await journal.write(journalEntry({ stack, id: "left-key", noun: "API key" }));
    const [warning, ...others] = await warningsIn(urnIn("dev"));
    expect(others).toEqual([]);
    expect(warning).toMatch(/interrupted before it deleted .*left-key.* `cloudinfra doctor --delete <id>`\.$/);
    expect(await warningsIn(urnIn("dev"))).toEqual([]);
    expect(leftOpenAdvice(journalEntry({ stack }), "look for one")).toMatch(
      /^No run deletes .*: look for one, and delete it/,
    );
  });
});
