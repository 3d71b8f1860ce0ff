import { z } from "zod";
import { isUnseen } from "../../src/lifecycle/kind/changed-fields";
import { isRecord } from "../../src/definition/compare-values";
import { pathInputs } from "../../src/definition/definition";
import { partFields } from "../../src/definition/parts";
import type { Definition } from "../../src/definition/types";
import { wireName } from "../../src/definition/wire";
import { kinds } from "../../src/resources/registry";
import { urnOf } from "../support/lifecycle";
import { MiniStack, up } from "../support/mini-engine";
import { preview, refresh } from "../support/mini-refresh";
import { plain, type Props } from "../support/mini-state";
import { collectionOf, World } from "../support/world";
import { descriptorOf, nounAt } from ".";
import { changesInPlace, definitionOf, expectEqual, madeKinds, replacementIn } from "./support/claims";
import { fieldsIn, nameOf, within, type Step } from "./support/defaults";

const world = World.forSuite();

it.each(kinds.map(({ type }) => [type]))("updates the same fields of %s in place as the API", (type) => {
  const { inputs, path } = definitionOf(type);
  const body = nounAt(path)?.update ?? z.object({});
  const { properties = {} } = z.toJSONSchema(body, { unrepresentable: "any", io: "input" });
  const own = Object.entries(inputs).filter(
    ([, { local, actions, part, change }]) => !local && !actions && !part && change !== "replace",
  );
  const here = own.map(([name, field]) => wireName(name, field));
  const atApi = Object.keys(properties);
  const faults = [
    ...here
      .filter((member) => !atApi.includes(member))
      .map(
        (member) =>
          `${member}: changes in place, so add it to update of the simulator's noun, or say change: "replace"`,
      ),
    ...atApi
      .filter((member) => !here.includes(member))
      .map((member) => `${member}: update of the simulator's noun takes it, so declare a field that changes in place`),
  ];
  expectEqual(type, faults, []);
});

it.each(kinds)("only fields changed in place affect outputs of $type", ({ type, outputs, fields }) => {
  const faults = Object.entries(outputs).flatMap(([name, { changesWith = [] }]) =>
    (changesWith === "any" ? [] : changesWith)
      .filter((input) => fields[input] === undefined || fields[input].change === "replace")
      .map((input) => `${type}.${name}: changesWith ${input}, which no update changes`),
  );
  expect(faults).toEqual([]);
});

it.each(madeKinds)("clears the removable fields of %s", async (type, kind, { inputs }) => {
  const all = world.args(type, descriptorOf(type).others);
  const changes = new Map(changesInPlace(kind));
  for (const { path, field } of fieldsIn(inputs)) {
    const [[name, { change, local }]] = path as [Step];
    // The objects of a part come and go with it: a rule says so.
    if (field.presence === "required" || field.part || change === "replace" || local) continue;
    // Left out, a field that only grows must not become smaller.
    const another = (field.growsOnly ? field.default : undefined) ?? changes.get(name)?.to;
    const value = path.length === 1 ? another : field.type.kind === "list" ? ["any"] : undefined;
    const given = within(all, path, (present) => present ?? value) as Record<string, unknown>;
    const { state } = await up(world.run(), type, given, undefined);
    const args = within(given, path, () => undefined) as Record<string, unknown>;
    const left = await up(world.run(), type, args, state).catch((cause: unknown) => {
      throw new Error(`${type}.${nameOf(path)} cannot be left out again: does the noun's update take null?`, { cause });
    });
    const refreshed = await refresh(world.run(), type, left.state);
    const { operation } = await preview(world.run(), type, args, refreshed!);
    expectEqual(`${type}.${nameOf(path)}`, operation, "same");
    await world.reset();
  }
});

const repriced = madeKinds.flatMap(([type, kind]) =>
  changesInPlace(kind).flatMap(([field, change]) =>
    field in kind.pricedFields ? [[type, field, change] as const] : [],
  ),
);

it.each(repriced)("an adopted %s has the cost of what it shows if its %s stays", async (type, field, { from, to }) => {
  const args = world.args(type, { name: "sample", ...(from !== undefined && { [field]: from }) });
  const { id, outs } = await world.create(type, args);
  await world.fault({ method: "PATCH", path: "/", status: 500, every: 1 });
  const stack = new MiniStack();
  const { failures } = await stack.up(world.run(), [world.declare(type, { ...args, [field]: to, adopt: id })]);
  expect(failures).toHaveLength(1);
  expect(stack.stateOf("x").outs["cost"]).toMatchObject({ monthlyTotal: monthlyTotalOf(outs) });
});

function monthlyTotalOf({ cost }: Props): unknown {
  return (cost as { monthlyTotal: string }).monthlyTotal;
}

it.each(madeKinds)("an imported %s differs only in fields that the API hides", async (type, kind, definition) => {
  const args = world.args(type);
  const { state } = await up(world.run(), type, args, undefined);
  const id = [...pathInputs(definition).map((input) => String(state.outs[input])), state.id].join("/");
  const found = await world
    .run()
    .of(type)
    .read(id, { __urn: urnOf(type, "x") });
  const [outs, inputs] = [plain(found.props) as Props, plain(found.inputs) as Props];
  const { fields } = await preview(world.run(), type, args, { ...state, outs, inputs });
  const differing = fields.filter((field) => !field.startsWith("__") && field !== "cost");
  const unseen = Object.keys(kind.fields).filter((field) => isUnseen(kind.fields[field]!, outs[field]));
  expectEqual(`differences of an imported ${type}`, differing, unseen.sort());
});

it.each(madeKinds)("forbids shrinking the same fields of %s as the API", async (type, _kind, { inputs }) => {
  const faults: string[] = [];
  const args = world.args(type);
  const amounts = Object.entries(inputs).flatMap(([name, { type: of, change, local, default: none }]) =>
    of.kind === "integer" && change !== "replace" && local !== true
      ? [[name, Number(args[name] ?? none ?? of.min ?? 1)] as const]
      : [],
  );
  const more = Object.fromEntries(amounts.map(([name, amount]) => [name, amount + 1]));
  const { id } = await world.create(type, { ...args, ...more });
  for (const [name, amount] of amounts) {
    const growsOnly = inputs[name]?.growsOnly === true;
    const path = `${collectionOf(type, world.simulator)}/${id}`;
    const isRefused = await world.api("PATCH", path, { [wireName(name, inputs[name]!)]: amount }).then(
      () => false,
      () => true,
    );
    if (isRefused && !growsOnly) faults.push(`${type}.${name}: the API refuses a smaller value, so say growsOnly`);
    if (!isRefused && growsOnly) faults.push(`${type}.${name}: growsOnly, and the API accepts a smaller value`);
  }
  expect(faults).toEqual([]);
});

describe("the members of a part", () => {
  const parts = madeKinds.flatMap(([type, kind]) =>
    partFields(kind).map(({ name, members, part }) => [`${type}.${name}`, members, part.of] as const),
  );

  it.each(parts)("%s grow and replace like the fields of their kind", (path, members, of) => {
    for (const [name, { growsOnly = false, change = "update" }] of Object.entries(members)) {
      const own = of.inputs[name];
      if (own === undefined || name === "name") continue;
      expectEqual(`${path}.${name}`, [growsOnly, change], [own.growsOnly ?? false, own.change ?? "update"]);
    }
  });
});

describe.each(madeKinds)("fields of %s that only grow", (type, kind, { inputs }) => {
  it("rejects a smaller value, but not in a replacement", async () => {
    const given = world.args(type, descriptorOf(type).others);
    const smallerIn = (values: Readonly<Record<string, unknown>>): Smaller[] =>
      Object.entries(inputs).flatMap(([name, field]) => smallerOf(name, field, values[name]));
    for (const { path, args } of smallerIn(given)) {
      const { state } = await up(world.run(), type, given, undefined);
      await expect(preview(world.run(), type, { ...given, ...args }, state)).rejects.toThrow(
        `${path}: cannot become smaller`,
      );
      const another = { ...given, ...(await replacementIn(world, kind)) };
      const smaller = smallerIn(another).find((each) => each.path === path)?.args;
      const { operation: done } = await preview(world.run(), type, { ...another, ...smaller }, state);
      expectEqual(path, done, "replace");
      await world.reset();
    }
  });
});

interface Smaller {
  readonly path: string;
  readonly args: Record<string, unknown>;
}

/** The arguments with each number reduced by one if it can only grow. */
function smallerOf(
  name: string,
  { type, growsOnly }: { type: Definition["inputs"][string]["type"]; growsOnly?: boolean },
  value: unknown,
): Smaller[] {
  if (growsOnly === true && typeof value === "number") return [{ path: name, args: { [name]: value - 1 } }];
  if (type.kind === "object" && isRecord(value))
    return Object.entries(type.members).flatMap(([member, field]) =>
      smallerOf(member, field, value[member]).map(({ path, args }) => ({
        path: `${name}.${path}`,
        args: { [name]: { ...value, ...args } },
      })),
    );
  if (type.kind === "list" && Array.isArray(value))
    return value.slice(0, 1).flatMap((item: unknown) =>
      smallerOf(`${name}[0]`, { type: type.item }, item).map(({ path, args }) => ({
        path,
        args: { [name]: Object.values(args) },
      })),
    );
  return [];
}
