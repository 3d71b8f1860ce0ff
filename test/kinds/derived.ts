import { pathInputs } from "../../src/definition/definition";
import type { Definition, Field, ValueType } from "../../src/definition/types";
import { shownAt } from "../../src/definition/wire";
import type { Noun } from "../../src/simulator/nouns/noun";
import type { Change, Drift, KindDescriptor, Nowhere, Surroundings } from "./descriptor";

type Members = Readonly<Record<string, unknown>>;
type Rows = Readonly<Record<string, Drift | Nowhere>>;

const AROUND: Surroundings = { projectId: "project", region: "us-sva-2", vpcId: "vpc" };

/** Converts the names of members to snake case, at all levels. */
export function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [snakeCase(name), snakeCased(member)]);
  return Object.fromEntries(members) as unknown;
}

/** The API's name for a member. The definition has it if it differs. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * The body of the creation request for these arguments and the name `sample`. Written without the package's own
 * mapping, so that its errors are noticed.
 */
export function creationOf(definition: Definition, args: Members, { projectId, region }: Surroundings): Members {
  const settings: Members = { projectId, region };
  const members = Object.entries(definition.inputs).flatMap(([name, field]): [string, unknown][] => {
    if (field.local === true || pathInputs(definition).includes(name)) return [];
    const setting = field.configured && settings[field.configured];
    const configured = field.type.kind === "list" && setting !== undefined ? [setting] : setting;
    const isNamed = name === "name" || field.initially === "name";
    const value = args[name] ?? (isNamed ? "sample" : configured) ?? (field.omitsDefault ? undefined : field.default);
    return value === undefined ? [] : [[name, withDefaults(field.type, value)]];
  });
  return snakeCased(Object.fromEntries(members)) as Members;
}

function withDefaults(type: ValueType, value: unknown): unknown {
  if (type.kind === "instant") return new Date(String(value)).toISOString();
  if (type.kind !== "object") return value;
  const defaults = Object.entries(type.members).flatMap(([name, field]) =>
    field.default === undefined ? [] : [[name, field.default] as const],
  );
  return { ...Object.fromEntries(defaults), ...(value as Members) };
}

/** A change at the API of every input, and of every output without an input. */
export function driftsOf(
  definition: Definition,
  { computed }: Noun,
  own: Pick<KindDescriptor, "args" | "values" | "drifts">,
): { readonly inputs: Rows; readonly outputs: Rows } {
  const given = own.args(AROUND);
  const others: Members = { region: "us-wdc-1", name: "theirs", tags: ["theirs"], status: "error", ...own.values };
  const driftTo = (name: string, field: Field): Drift => {
    const shown = others[name] ?? otherOf(field, given[name] ?? field.default, name);
    return { wire: { [snakeCase(name)]: snakeCased(shown) }, shown };
  };
  const rowOfInput = ([name, field]: [string, Field]): [string, Drift | Nowhere] => [
    name,
    own.drifts?.[name] ?? nowhereOf(definition, name, field) ?? driftTo(name, field),
  ];
  const rowOfOutput = ([name, field]: [string, Field]): [string, Drift | Nowhere] => [
    name,
    own.drifts?.[name] ??
      (snakeCase(name) in (computed ?? {}) ? "follows from the objects around it" : driftTo(name, field)),
  ];
  const outputs = Object.entries(definition.outputs).filter(([, { secret }]) => secret !== true);
  return {
    inputs: Object.fromEntries(Object.entries({ ...definition.inputs, ...definition.planned }).map(rowOfInput)),
    outputs: Object.fromEntries(outputs.map(rowOfOutput)),
  };
}

function nowhereOf(definition: Definition, name: string, field: Field): Nowhere | undefined {
  if (pathInputs(definition).includes(name)) return "part of the path: another value is another object";
  if (definition.discovery?.by.includes(name) === true) return "tells it from others: another value is another object";
  if (field.part) return "at its own endpoint";
  if (field.local === true || field.shown === "never") return "not at the API";
  const isElsewhere = shownAt(name, field).length > 1 || field.actions !== undefined;
  return isElsewhere ? "follows from the objects around it" : undefined;
}

/** Another value of a field. Throws for an object: then the descriptor must have one. */
function otherOf({ type, growsOnly, names }: Field, present: unknown, name: string): unknown {
  const of = type.kind === "list" ? type.item : type;
  if (of.kind === "object") throw new Error(`${name} has members: say another value in the descriptor's values`);
  const other = growsOnly === true ? Number(present ?? 1) - 1 : otherValue(of, present, names);
  return type.kind === "list" ? [other] : other;
}

function otherValue(type: ValueType, present: unknown, word = "value"): unknown {
  switch (type.kind) {
    case "oneOf":
      return type.values.find((value) => value !== present);
    case "boolean":
      return present !== true;
    case "integer": {
      const own = Number(present ?? type.min ?? 1);
      return own === type.max ? own - 1 : own + 1;
    }
    case "number":
      return Number(present ?? 1) + 1;
    case "instant":
      return "2027-01-31T00:00:00Z";
    case "cidr":
    case "ipv4Source":
      return "192.0.2.0/24";
    case "ports":
      return "8443";
    default:
      return `another-${word}`;
  }
}

/** Changes that a program can make to fields whose drift is different. */
export function changesOfGrowth({ inputs }: Definition, args: Members): Readonly<Record<string, Change>> {
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([name, { type, growsOnly, default: none }]): [string, Change][] =>
      type.kind === "integer" && growsOnly === true
        ? [[name, { to: Math.min(Number(args[name] ?? none ?? type.min ?? 1) + 50, type.max ?? Infinity) }]]
        : [],
    ),
  );
}
