import { UNKNOWN } from "../../src/engine/values";
import { sent, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { MiniStack } from "../support/mini-engine";
import { preview as previewOf } from "../support/mini-refresh";
import { World } from "../support/world";
import { reasonsOf } from "./support/reasons";

const world = World.forSuite();
const journal = MemoryJournal.forSuite();

/** A preview of a new resource. */
async function preview(run: TestRun, type: string, name: string, args: object = {}): Promise<void> {
  expect(await reasonsOf(run, type, name, world.args(type, args))).toEqual([]);
}

/** The text under the stack when the engine has ended its plugin. */
async function stackMessages({ run, lines }: TestRun): Promise<readonly string[]> {
  await run.duplicates.warn();
  return lines.flatMap(({ urn, text }) => (urn === "" ? [text] : []));
}

async function lists(since = 0): Promise<readonly string[]> {
  return (await world.requests()).slice(since).filter((request) => /^GET .*\/(volumes|firewall_rules)$/.test(request));
}

it("warns of an existing namesake, with its price", async () => {
  const { id } = await world.create("Volume", {}, { name: "data" });
  const run = world.run();
  await preview(run, "Volume", "data");
  await preview(run, "Volume", "other");
  const [message, ...more] = await stackMessages(run);
  expect(more).toEqual([]);
  expect(message).toContain("1 of 2 new resources has the name of an existing object that this state does not have.");
  expect(message).toContain("an update makes it a second time (+$10.00/mo).");
  expect(message).toContain(`\n  Volume data, made by user "owner" 2026-06-15: adopt: "${id}"\n`);
  expect(message).not.toContain("Volume other");
});

it("leaves out an object that only a late list shows", async () => {
  const { id } = await world.create("Volume", {}, { name: "data" });
  await world.fault({ method: "GET", path: `/${id}$`, status: 404, every: 1 });
  const run = world.run();
  await preview(run, "Volume", "data");
  expect(await stackMessages(run)).toEqual([]);
});

it("marks the total as incomplete if a price is unknown", async () => {
  for (const type of ["Volume", "ConnectConnection"]) await world.create(type, {}, { name: "x" });
  await world.fault({ method: "POST", path: "/connections/cost$", status: 500, every: 1 });
  const run = world.run();
  for (const type of ["Volume", "ConnectConnection"]) await preview(run, type, "x");
  expect((await stackMessages(run)).at(-1)).toContain("a second time (+$10.00/mo or more).");
});

it("lists a collection once, and only for new resources", async () => {
  const stack = new MiniStack();
  const args = (): object => world.args("Volume");
  expect((await stack.up(world.run(), [{ type: "Volume", name: "kept", args }])).failures).toEqual([]);
  const { inputs } = stack.resources[0]!;
  const run = world.run();
  const before = (await world.requests()).length;
  const { failures } = await run.of("Volume").check(inputs, sent("Volume", "kept", args()));
  expect([failures, await lists(before)]).toEqual([[], []]);
  for (const name of ["a", "b", "c"]) await preview(run, "Volume", name);
  expect(await lists(before)).toHaveLength(1);
});

it.each([
  ["in an update", false, {}],
  ["with preflight off", true, { preflight: "off" }],
])("sends no list request %s", async (_case, isPreview, config) => {
  const run = world.run(config);
  const given = world.args("Volume");
  await run.of("Volume").check({}, sent("Volume", "data", given, isPreview));
  expect(await lists()).toEqual([]);
});

it.each(["has", "adopts"])("ignores an object that another resource %s", async (how) => {
  const args = world.args("Volume", { name: "same" });
  const made = await world.create("Volume", args, { name: "old" });
  const run = world.run();
  await preview(run, "Volume", "new", args);
  if (how === "adopts") await preview(run, "Volume", "adopting", { ...args, adopt: made.id });
  else await previewOf(run, "Volume", args, made, { name: "old" });
  expect(await stackMessages(run)).toEqual([]);
});

it("ignores an object that the update will take over", async () => {
  await world.create("Volume", {}, { name: "data", run: world.run({}, { journal }) });
  const preview1 = world.run({}, { journal });
  await preview(preview1, "Volume", "data");
  expect(await stackMessages(preview1)).toEqual([expect.stringContaining("has the name of an existing object")]);
  await journal.undoHandOver();
  const preview2 = world.run({}, { journal });
  await preview(preview2, "Volume", "data");
  expect(await stackMessages(preview2)).toEqual([expect.not.stringContaining("has the name of an existing object")]);
});

it("ignores objects older than the replaced one", async () => {
  const args = (type: string): object => world.args("Volume", { type, name: "data" });
  const make = async (): ReturnType<World["create"]> => {
    const made = await world.create("Volume", args("abs"), { name: "data" });
    world.clock.advance(60_000);
    return made;
  };
  await make(); // stays from an earlier replacement
  const { id, inputs, outs } = await make();
  const replace = async (): Promise<readonly string[]> => {
    const run = world.run();
    await previewOf(run, "Volume", args("nvme"), { id, inputs, outs }, { name: "data" });
    return stackMessages(run);
  };
  expect(await replace()).toEqual([]);
  const newer = await make();
  expect(await replace()).toEqual([
    expect.stringContaining(`Volume data, made by user "owner" 2026-06-15: adopt: "${newer.id}"`),
  ]);
});

it("looks in the existing parents of a new object", async () => {
  const net = await world.create("Vpc", {}, { name: "net" });
  const { cidr } = net.outs["subnet"] as { readonly cidr: string };
  const inNet = { vpcId: net.id, destinationAddress: cidr };
  const rule = await world.create("FirewallRule", inNet);
  const run = world.run();
  await preview(run, "FirewallRule", "early", { vpcId: UNKNOWN });
  expect(await lists()).toEqual([]);
  await preview(run, "Vpc", "net");
  await preview(run, "FirewallRule", "x", { vpcId: UNKNOWN });
  expect((await stackMessages(run)).at(-1)).toContain(
    `FirewallRule x, made by user "owner" 2026-06-15: adopt: "${net.id}/${rule.id}"`,
  );
});

it("lists every matching object", async () => {
  const args = world.args("Volume", { name: "same" });
  const made = [await world.create("Volume", args, { name: "a" }), await world.create("Volume", args, { name: "b" })];
  const run = world.run({ costQuotes: "false" });
  await preview(run, "Volume", "new", args);
  const [message] = await stackMessages(run);
  expect(message).toContain("1 of 1 new resource has the name of an existing object that this state does not have.");
  expect(message).toContain("an update makes it a second time.\n");
  for (const { id } of made) expect(message).toContain(`Volume new, made by user "owner" 2026-06-15: adopt: "${id}"`);
});

describe("objects of a stack with an id", () => {
  const stackId = "5d3f";
  const args = (): object => world.args("Volume");
  const check = (run: TestRun): Promise<readonly string[]> => reasonsOf(run, "Volume", "data", args());

  it("fails the preview if the stack's own object exists", async () => {
    const { id } = await world.create("Volume", args(), { name: "data", run: world.run({ stackId }) });
    const run = world.run({ stackId });
    const [failure, ...more] = await check(run);
    expect(more).toEqual([]);
    expect(failure).toContain("run `CLOUDINFRA_ADOPT_OWN=true pulumi up`: it adopts what this program made. To list");
    expect(failure).toMatch(
      new RegExp(`^its name is taken by volume ${id}, which this program made on 2026-06-15, and this state does not`),
    );
    expect(await stackMessages(run)).toEqual([]); // the rest of the program is not presented
  });

  it("only warns of an old key that deleteOld: atExpiry has kept", async () => {
    const key = (rotationTrigger: number): object => {
      return world.args("ApiKey", { rotationTrigger, deleteOld: "atExpiry" });
    };
    const stack = new MiniStack();
    for (const args of [[key(1)], [key(2)], []]) {
      const program = args.map((each) => ({ type: "ApiKey", name: "x", args: () => each }));
      expect(await stack.up(world.run({ stackId }, { journal }), program)).toMatchObject({ failures: [] });
      world.clock.advance(60_000);
    }
    const run = world.run({ stackId }, { journal });
    expect(await reasonsOf(run, "ApiKey", "x", key(2))).toEqual([]);
    expect(await stackMessages(run)).toEqual([expect.stringContaining("This program made it.")]);
  });

  it("only warns of the stack's own object with preflight warn", async () => {
    const { id } = await world.create("Volume", args(), { name: "data", run: world.run({ stackId }) });
    const run = world.run({ stackId, preflight: "warn" });
    expect(await check(run)).toEqual([]);
    const [message] = await stackMessages(run);
    expect(message).toContain(
      "1 of 1 new resource has the name of an existing object that this state does not have. This program made it.\n",
    );
    expect(message).toContain(`\n  Volume data, made by this program 2026-06-15: adopt: "${id}"\n`);
  });

  it.each([
    ["another id", { stackId: "77e0" }, "dev", " for another stack or resource"],
    ["another stack of the same id", { stackId }, "prod", " for another stack or resource"],
    ["no id", {}, "dev", ""],
  ])("warns of an object of a stack with %s", async (_case, others, stack, purpose) => {
    const made = world.run(others).of("Volume");
    const named = { ...args(), name: "data-same" };
    await made.create((await made.check({}, sent("Volume", "data", named, false, stack))).inputs);
    const run = world.run({ stackId });
    await preview(run, "Volume", "data", named);
    const [message] = await stackMessages(run);
    expect(message).toContain("an existing object that this state does not have");
    expect(message).toContain(`Volume data, made by user "owner" 2026-06-15${purpose}: adopt: "`);
  });

  it.each([
    ["is refused", { status: 403, body: '{"type":"AUTHORIZATION_ERROR"}' }],
    ["does not exist", { status: 404 }],
  ])("warns once if the audit log %s", async (_case, answer) => {
    const made = world.run({ stackId });
    await world.create("Volume", args(), { name: "data", run: made });
    await world.fault({ method: "GET", path: "/audit_logs", every: 1, ...answer });
    const run = world.run({ stackId });
    expect(await check(run)).toEqual([]);
    expect(await stackMessages(run)).toEqual([
      expect.stringContaining("The preview could not find out who made the existing objects: "),
      expect.stringContaining("an existing object that this state does not have"),
    ]);
  });
});

it("a refused list does not affect other kinds", async () => {
  const stackId = "7f0e";
  await world.create("Vpc", {}, { name: "net", run: world.run({ stackId }) });
  await world.fault({ method: "GET", path: "/volumes$", status: 404, every: 1 });
  const run = world.run({ stackId });
  await preview(run, "Volume", "data");
  expect(await reasonsOf(run, "Vpc", "net", world.args("Vpc"))).toEqual([
    expect.stringContaining("which this program made on"),
  ]);
});

it("asks for the secret of a key to adopt", async () => {
  const { id } = await world.create("ApiKey", {}, { name: "ci" });
  const run = world.run();
  await preview(run, "ApiKey", "ci");
  const [message] = await stackMessages(run);
  expect(message).toContain(`adopt: { id: "${id}", key: "…" }`);
  expect(message).toContain("The key of API keys was in the state only.");
});

it("looks for existing objects although the price is unknown", async () => {
  await world.fault({ path: "/volumes(/cost)?$", status: 500, every: 1 });
  const run = world.run();
  for (const name of ["a", "b"]) await preview(run, "Volume", name);
  expect((await stackMessages(run)).filter((text) => text.includes("already exist"))).toHaveLength(1);
});

it.each([
  ["is refused", { status: 403, body: '{"type":"AUTHORIZATION_ERROR"}' }, "403"],
  ["is broken", { status: 500 }, "500"],
  ["is no list", { body: "{}" }, "does not have the expected form"],
  ["does not exist", { status: 404, body: '{"type":"NOT_FOUND"}' }, "404"],
  ["cannot be read now", { status: 409, body: '{"type":"CONFLICT"}' }, "409"],
])("reports once that a list %s, without failing", async (_case, fault, reason) => {
  await world.fault({ method: "GET", path: "/volumes$|/connections$", every: 1, ...fault });
  const run = world.run();
  await preview(run, "Volume", "a");
  await preview(run, "Volume", "b");
  await preview(run, "ConnectConnection", "c");
  const messages = await stackMessages(run);
  expect(messages).toEqual([
    expect.stringContaining("The preview could not find out whether new resources already exist: "),
  ]);
  expect(messages[0]).toContain(reason);
});
