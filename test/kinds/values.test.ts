import { catalogs } from "../../src/definition/catalogs";
import { UNKNOWN } from "../../src/engine/values";
import { isQuotedIn } from "../../src/lifecycle/kind/collection-at";
import { kinds } from "../../src/resources/registry";
import { checkNew, sent } from "../support/lifecycle";
import { up } from "../support/mini-engine";
import { collectionOf, World } from "../support/world";
import { descriptorOf, nounAt } from ".";
import { creationOf } from "./derived";
import { argsElsewhere, changesOf, definitionOf, expectEqual, madeKinds, parentOf } from "./support/claims";
import { fieldsIn, nameOf, within } from "./support/defaults";

const world = World.forSuite();

/** Valid arguments with every input given that can be. */
const allArgs = (type: string): object => world.args(type, descriptorOf(type).others);

const all = kinds.map(({ type }) => [type, definitionOf(type)] as const);

it.each(all)("%s refuses an empty text", async (type, { inputs }) => {
  const faults: string[] = [];
  for (const { path, field } of fieldsIn(inputs)) {
    const isList = field.type.kind === "list" && field.type.item.kind === "text";
    if (path[0]?.[1].local === true || (field.type.kind !== "text" && !isList)) continue;
    const args = within(allArgs(type), path, () => (isList ? [""] : "")) as object;
    const { failures } = await checkNew(world.run({ preflight: "off" }), type, args);
    if (failures.length === 0) faults.push(`${type}.${nameOf(path)} takes an empty text: say ifEmpty`);
  }
  expect(faults).toEqual([]);
});

const named = all.filter(([, { inputs }]) => inputs["name"]?.chosen === true);

it.each(named)("an automatic name of %s is valid", async (type) => {
  const args = world.args(type, { name: undefined });
  const { failures } = await world
    .run({ preflight: "off" })
    .of(type)
    .check({}, sent(type, "x", args, false));
  expect(failures).toEqual([]);
});

it.each(all)("the examples of %s are valid", async (type, { inputs }) => {
  for (const { path, field } of fieldsIn(inputs)) {
    if (field.example === undefined) continue;
    const args = within(allArgs(type), path, () => field.example) as object;
    const { failures } = await checkNew(world.run(), type, args);
    // The example is of no object that is there, and of no two fields together.
    const own = failures.filter(({ reason }) => !/is (already )?in|has no/.test(reason));
    expectEqual(`example of ${type}.${nameOf(path)}`, own, []);
  }
});

it.each(madeKinds)("refers %s to the API's lists for its values", async (type, _kind, definition) => {
  const faults: string[] = [];
  const { parent, input } = parentOf(definition) ?? {};
  for (const { path, field } of fieldsIn(definition.inputs)) {
    const isNamed = path.some(([, { names }]) => names !== undefined);
    // The requests of an action have their own rules.
    const isList = field.type.kind === "list" && field.type.item.kind === "text";
    if ((field.type.kind !== "text" && !isList) || isNamed || field.actions) continue;
    const other = isList ? ["nothing-such"] : "nothing-such";
    const given = within({ name: "sample", ...allArgs(type) }, path, () => other) as Record<string, unknown>;
    const answer = await world
      .api("POST", collectionOf(type, world.simulator), creationOf(definition, given, world.simulator))
      .catch(String);
    const isLooked = typeof answer === "string" && answer.includes("no such");
    const isParent = path[0]?.[0] === input && Object.values(catalogs).some((one) => one.path === parent?.path);
    if (isLooked || isParent) faults.push(`${type}.${nameOf(path)}: the API looks for it in a list, so say names`);
    await world.reset();
  }
  expect(faults).toEqual([]);
});

it.each(all.filter(([, { isQuoted }]) => isQuoted === false))(
  "an unquoted %s says what it is billed for",
  async (type, { billedFor, path }) => {
    const kind = kinds.find((each) => each.type === type)!;
    for (const [field, value] of [
      ["name", undefined],
      ...changesOf(kind).map(([name, { to }]) => [name, to]),
    ] as const) {
      const args = world.args(type, { ...(value !== undefined && { [String(field)]: value }) });
      const { state } = await up(world.run(), type, args, undefined);
      const object = (await world.objects(type)).find(({ id }) => id === state.id)!;
      const isBilled =
        nounAt(path)
          ?.usage?.(object as never, world as never)
          .some(({ quantity }) => quantity > 0) === true;
      expectEqual(`billedFor of ${type} with ${String(field)}`, billedFor?.(state.inputs) !== undefined, isBilled);
      await world.reset();
    }
  },
);

const inParents = madeKinds.flatMap(([type, , definition]) => {
  const { parent, input = "" } = parentOf(definition) ?? {};
  return parent && isQuotedIn(definition, "spec") ? [[type, parent.type, parent, input] as const] : [];
});

it.each(inParents)("prices %s although its %s is new", async (type, parentType, parent, input) => {
  const args = world.args(type, { ...(await argsElsewhere(world, type, parent, input)) });
  const quoted = async (id: unknown): Promise<unknown> => {
    const run = world.run({ preflight: "off" });
    await checkNew(run, parentType, world.args(parentType), "new");
    const { inputs } = await checkNew(run, type, { ...args, [input]: id });
    return (inputs["cost"] as { readonly monthlyTotal: string } | undefined)?.monthlyTotal ?? "unknown";
  };
  const known = await quoted(args[input]);
  if ((await quoted(UNKNOWN)) !== known)
    throw new Error(
      `${type}: in a new ${parentType} its price is unknown, and in another one it is ${String(known)}. Say standIn, with the inputs that ` +
        "lead to the other one and those that have to fit it",
    );
});
