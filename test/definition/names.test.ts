import { nameFindings } from "../../src/definition/findings";
import { named } from "../../src/definition/standard-fields";
import { pluginCallsOf } from "../../src/dynamic/plugin-calls";
import { newKind } from "../../src/lifecycle/kind/kind";
import { vpc } from "../../src/resources/vpc";
import { sent } from "../support/lifecycle";
import { World } from "../support/world";

const words = "lower-case letters, digits and hyphens";
const bucket = newKind({
  ...vpc,
  inputs: {
    ...vpc.inputs,
    ...named({ max: 20, pattern: { regex: /^[a-z][a-z0-9-]*$/, words }, unique: "enforced", example: "files" }),
  },
});

const world = World.forSuite();
const callsOf = () => {
  const { run } = world.run();
  return pluginCallsOf(bucket, () => run);
};
const check = async (name: string, args: object = {}) => callsOf().check({}, sent("Vpc", name, args));

it.each([
  ["logs", /^logs-[0-9a-f]{7}$/],
  ["myBucket", /^mybucket-[0-9a-f]{7}$/],
  ["My Bucket_2", /^my-bucket-2-[0-9a-f]{7}$/],
  ["2nd", /^nd-[0-9a-f]{7}$/],
  ["a-very-long-logical-name", /^a-very-long--[0-9a-f]{7}$/],
])("chooses a name for %s that fits pattern and length", async (name, form) => {
  const { inputs, failures } = await check(name);
  expect([inputs["name"], failures]).toEqual([expect.stringMatching(form), []]);
});

it("refuses a given name that does not fit", async () => {
  const { failures } = await check("x", { name: "My" });
  expect(failures.map(({ reason }) => reason)).toEqual([`name: must be ${words} (is "My")`]);
});

it("a refused creation says which object has the name", async () => {
  const { id } = await world.create("Vpc", { name: "files" }, { name: "other" });
  await world.runOut({ [world.simulator.region]: ["networking.vpcs"] }); // a 409, as for a taken name
  const calls = callsOf();
  const { inputs } = await calls.check({}, sent("Vpc", "x", { name: "files" }, false));
  const { message } = await calls.create(inputs).then(
    () => new Error("it was made"),
    (error: unknown) => error as Error,
  );
  expect(message).toContain(
    `The name "files" is taken by VPC ${id}: give another name, or adopt it with adopt: "${id}". If --replace replaces that VPC, set ` +
      "the option deleteBeforeReplace instead.",
  );
  expect(message).not.toContain("An earlier run failed or was interrupted"); // this is the first
});

it("requires a new unique name for a replacement created first", () => {
  const [before, after] = [{ name: "files", region: "r" }, { name: "files" }];
  const facts = { previous: undefined, adopted: undefined, now: 0 };
  const reasons = (deleteBeforeReplace: boolean) =>
    nameFindings(bucket, after, { ...facts, replaced: before, deleteBeforeReplace }).map(({ reason }) => reason);
  expect(reasons(false)).toEqual([
    expect.stringContaining('"files" is still the name of the VPC that this one replaces'),
  ]);
  expect(reasons(true)).toEqual([]);
});
