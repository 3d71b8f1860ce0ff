import { importId } from "../../src/definition/import-id";
import { kinds } from "../../src/resources/registry";
import { madeTypes } from "../kinds";
import { OUTPUT_AS_TEXT } from "../support/output-as-text";
import { sent } from "../support/lifecycle";
import { MiniStack } from "../support/mini-engine";
import type { Declaration, KeptResource } from "../support/mini-state";
import { World } from "../support/world";
import { reasonsOf } from "./support/reasons";

type Props = Record<string, unknown>;

const world = World.forSuite();

/** An object that somebody else has made: arguments that describe it, and reasons that name the resource "first". */
async function existing(
  type: string,
): Promise<{ id: string; args: Props; held: string; rival: string; taken: string }> {
  const kind = kinds.find((each) => each.type === type)!;
  const args = world.args(type, { name: "theirs" });
  const { id } = await world.create(type, args, { name: "theirs" });
  const held =
    `${kind.noun} ${id} already belongs to the resource "first" of this program. ` +
    "Declare one resource for it, and remove the other one: the object stays";
  const rival =
    `"second" and "first" of this program both take over ${kind.noun} ${id}, and it can belong to one resource only. ` +
    'Decide which: remove or correct adopt of "second", or adopt of "first"';
  const taken = held.replace(/Declare.*/, 'Remove or correct adopt of "second"');
  return { id, args: { ...args, adopt: importId(kind, id, args) }, held, rival, taken };
}

const declared = (type: string, name: string, args: Props): Declaration => ({ type, name, args: () => args });
const withoutAdoption = (args: Props): Props => ({ ...args, adopt: undefined });
const idsOf = async (type: string): Promise<string[]> => await world.ids(type);

it.each(madeTypes)("a preview refuses the second adoption of a %s", async (type) => {
  const { id, args, rival } = await existing(type);
  const run = world.run();
  const reasons = (name: string, own: Props): Promise<string[]> => reasonsOf(run, type, name, own);
  expect(await reasons("first", args)).toEqual([]);
  expect(await reasons("second", args)).toEqual([`adopt: ${rival}`]);
  const inCapitals = { ...args, adopt: String(args["adopt"]).replace(id, id.toUpperCase()) };
  expect(await reasons("second", inCapitals)).toEqual([`adopt: ${rival.replace(id, id.toUpperCase())}`]);
  expect(await reasons("first", args)).toEqual([]);
});

it.each(madeTypes)("a preview refuses to adopt another resource's %s", async (type) => {
  const { args, taken, id } = await existing(type);
  const stack = new MiniStack();
  expect((await stack.up(world.run(), [declared(type, "old", args)])).failures).toEqual([]);
  const { inputs, outs } = stack.stateOf("old");
  const run = world.run().of(type);
  const checked = async (olds: Props, name: string, own: Props) => run.check(olds, sent(type, name, own));
  // The new one first.
  expect((await checked({}, "first", args)).failures).toEqual([]);
  const { inputs: news } = await checked(inputs, "old", withoutAdoption(args));
  const noun = kinds.find((each) => each.type === type)!.noun;
  await expect(run.diff(id, outs, news)).rejects.toThrow(
    `the resource "first" of this program adopts ${noun} ${id}, which belongs to "old". ` +
      '"old" keeps it: remove or correct adopt of "first".',
  );
  // The old one first.
  const other = world.run().of(type);
  const again = await other.check(inputs, sent(type, "first", withoutAdoption(args)));
  await other.diff(id, outs, again.inputs);
  const second = await other.check({}, sent(type, "second", args));
  expect(second.failures).toMatchObject([{ reason: `adopt: ${taken}` }]);
});

describe("a state with two resources for one object", () => {
  const type = "Volume";
  let stack: MiniStack;
  let id: string;
  let args: Props;
  let held: string;

  beforeEach(async () => {
    ({ id, args, held } = await existing(type));
    await (stack = new MiniStack()).up(world.run(), [declared(type, "first", args)]);
    const [first] = stack.resources;
    const second = JSON.parse(JSON.stringify(first).replaceAll("::first", "::second")) as KeptResource;
    stack = new MiniStack([first!, { ...second, name: "second" }]);
  });
  const up = async (...names: string[]) => {
    const run = world.run();
    const program = names.map((name) => declared(type, name, withoutAdoption(args)));
    return { failed: (await stack.up(run, program)).messages, lines: run.texts() };
  };

  it("fails each run that declares both owners", async () => {
    expect((await up("first", "second")).failed).toEqual([`${held}.`]);
  });

  it("keeps the object when one of two resources is deleted", async () => {
    expect(await up("second")).toEqual({
      failed: [],
      lines: [`volume ${id} stays: it belongs to the resource "second" too`],
    });
    expect([stack.resources.map(({ name }) => name), await idsOf(type)]).toEqual([["second"], [id]]);
    expect((await up("second")).failed).toEqual([]);
    expect((await up()).failed).toEqual([]);
    expect(await idsOf(type)).toEqual([]);
  });

  it("refreshes a state with two resources for one object", async () => {
    const run = world.run().of(type);
    for (const name of ["first", "second"]) {
      const { outs, inputs } = stack.stateOf(name);
      await run.read(id, outs);
      await expect(run.diff(id, outs, inputs)).resolves.toMatchObject({ changes: false });
    }
  });
});

describe("a resource with a new URN, by an alias or `pulumi state rename`", () => {
  const type = "Volume";

  it("refreshes, updates and replaces a resource with a new URN", async () => {
    const args = world.args(type);
    const stack = new MiniStack();
    await stack.up(world.run(), [declared(type, "old", args)]);
    const { id, inputs, outs } = stack.stateOf("old");
    const run = world.run().of(type);
    const news = sent(type, "new", args, false);
    await run.read(id, outs);
    await run.diff(id, outs, inputs);
    const checked = await run.check(inputs, news);
    expect(await run.diff(id, outs, checked.inputs)).not.toHaveProperty("replaces", ["size"]);
    // `replaceOnChanges`: only the engine knows of it.
    const made = await run.create((await run.check({}, news)).inputs);
    await run.delete(id, outs);
    expect(await idsOf(type)).toEqual([made.id]);
  });
});

it("does not adopt an object that the run has made", async () => {
  const type = "Volume";
  const args = world.args(type);
  const run = world.run();
  const { id } = await world.create(type, args, { name: "first", run });
  expect(await reasonsOf(run, type, "second", { ...args, adopt: id }, false)).toEqual([
    expect.stringContaining('belongs to the resource "first"'),
  ]);
});

it.each<readonly [string, unknown, RegExp]>([
  ...["", " ", 5, {}, { id: "" }, { id: null }, ["id"]].map(
    (wrong) => [JSON.stringify(wrong), wrong, /^adopt(\.id)?: must be an id, and is /] as const,
  ),
  ["an Output's text", OUTPUT_AS_TEXT, /^adopt: contains an Output, and not its value: write pulumi\.interpolate/],
])("refuses %s as adopt, without a request", async (_case, adopt, reason) => {
  const before = (await world.requests()).length;
  const args = world.args("Volume", { adopt });
  expect(await reasonsOf(world.run(), "Volume", "data", args, false)).toEqual([expect.stringMatching(reason)]);
  expect((await world.requests()).length).toBe(before);
});

it.each([
  ["", "is empty: give it as the API showed it at the creation"],
  ["…", "has spaces or letters that no key has: give it as the API showed it at the creation"],
])("refuses the secret %j of an adopted key", async (key, reason) => {
  const { id } = await world.create("ApiKey", {}, { name: "first" });
  const args = world.args("ApiKey", { adopt: { id, key } });
  expect(await reasonsOf(world.run(), "ApiKey", "second", args)).toEqual([`adopt.key: ${reason}`]);
});
