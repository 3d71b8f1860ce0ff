import type { Definition, Field, Fields, ValueType } from "../../src/definition/types";
import { fromWire, shownAt } from "../../src/definition/wire";
import { connectConnection } from "../../src/resources/connect-connection";
import { firewallRule } from "../../src/resources/firewall-rule";
import { definitions } from "../../src/resources/registry";
import { shownBy } from "../kinds/support/claims";
import { World } from "../support/world";

// The types of a class come from its definition. So the definition must match the API: each member of the object is an
// input or an output, and each value has the type in the definition.

function isOfType(type: ValueType, value: unknown): boolean {
  switch (type.kind) {
    case "text":
    case "cidr":
    case "ports":
    case "ipv4Source":
      return typeof value === "string";
    case "oneOf":
      return type.values.some((known) => typeof known === typeof value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "instant":
      return typeof value === "string" && !Number.isNaN(Date.parse(value));
    case "list":
      return Array.isArray(value) && value.every((item) => isOfType(type.item, item));
    case "object":
      return typeof value === "object" && value !== null && areOfTypes(type.members, value as Record<string, unknown>);
    case "anything":
      return true;
  }
}

function areOfTypes(members: Fields, values: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(members).every(([name, { type, presence, shown }]) =>
    values[name] === undefined || values[name] === null
      ? presence !== "required" || shown === "never"
      : isOfType(type, values[name]),
  );
}

const world = World.forSuite();
const shown: Record<string, Readonly<Record<string, unknown>>> = {};
beforeAll(async () => {
  for (const { type } of definitions) shown[type] = await shownBy(world, type);
});

/** The differences between a definition and the object at the API. */
function lies(definition: Definition): string[] {
  const wire = shown[definition.type]!;
  const fields: readonly [string, Field][] = Object.entries({ ...definition.inputs, ...definition.outputs });
  const values = fromWire(definition, wire);
  const members = new Set(["id", ...fields.flatMap(([name, field]) => [shownAt(name, field)[0], field.part?.idAt])]);
  return [
    ...Object.keys(wire)
      .filter((member) => !members.has(member))
      .map((member) => `no output for ${member}`),
    ...fields
      .filter(
        ([name, { type }]) => values[name] !== undefined && values[name] !== null && !isOfType(type, values[name]),
      )
      .map(([name]) => `${name} is of another type`),
  ];
}

it.each(definitions.map((definition) => [definition.type, definition] as const))(
  "has outputs for every member that the API shows of %s",
  (_type, definition) => {
    expect(lies(definition)).toEqual([]);
  },
);

describe("detecting a false definition", () => {
  it("detects an output under another name", () => {
    const { asn, ...outputs } = connectConnection.outputs;
    expect(lies({ ...connectConnection, outputs: { ...outputs, asNumber: asn } })).toContain("no output for asn");
  });

  it.each(definitions.map((definition) => [definition.type, definition] as const))(
    "detects a wrong type in %s",
    (_type, it) => {
      const name = Object.keys(it.inputs).at(-1)!;
      const wrong: Field = { ...it.inputs[name]!, type: { kind: "integer" } };
      expect(lies({ ...it, inputs: { ...it.inputs, [name]: wrong } })).toEqual([`${name} is of another type`]);
    },
  );

  it("detects a missing output", () => {
    const { inputs } = firewallRule;
    const rest = Object.fromEntries(Object.entries(inputs).filter(([name]) => name !== "protocol"));
    expect(lies({ ...firewallRule, inputs: rest })).toEqual(["no output for protocol"]);
  });
});
