import { z } from "zod";
import { wireName } from "../../src/definition/wire";
import { kinds } from "../../src/resources/registry";
import { up } from "../support/mini-engine";
import { preview, refresh } from "../support/mini-refresh";
import { argsOf, World } from "../support/world";
import { descriptorOf, nounAt } from ".";
import { changesInPlace, definitionOf, madeKinds } from "./support/claims";
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
  expect({ [type]: faults }).toEqual({ [type]: [] });
});

it.each(kinds)("only fields changed in place affect outputs of $type", ({ type, outputs, policies }) => {
  const faults = Object.entries(outputs).flatMap(([name, { changesWith = [] }]) =>
    (changesWith === "any" ? [] : changesWith)
      .filter((input) => policies[input]?.change !== "update")
      .map((input) => `${type}.${name}: changesWith ${input}, which no update changes`),
  );
  expect(faults).toEqual([]);
});

it.each(madeKinds)("clears the removable fields of %s", async (type, kind, { inputs }) => {
  const all = { ...argsOf(type, world.simulator), ...descriptorOf(type).others };
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
    expect([`${type}.${nameOf(path)}`, operation]).toEqual([`${type}.${nameOf(path)}`, "same"]);
    await world.reset();
  }
});
