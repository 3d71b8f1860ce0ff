import type { Field, ValueType } from "../../src/definition/types";
import { z } from "zod";
import { wireName } from "../../src/definition/wire";
import { checkNew } from "../support/lifecycle";
import { collectionOf, World } from "../support/world";
import { nounAt } from ".";
import { creationOf } from "./derived";
import { expectEqual, madeKinds } from "./support/claims";

type Members = Readonly<Record<string, unknown>>;

const world = World.forSuite();

/** Values around limits that are usual for an API, and around those of the definition. */
function* probesOf(
  { type, names, example }: Pick<Field, "type" | "names" | "example">,
  present: unknown,
): Iterable<unknown> {
  if (type.kind === "integer") yield* [-1, 0, 1, ...around(type), 1_000_000];
  // An empty text is a mistake of the program, whether or not the API takes it.
  const isFreeText = type.kind === "text" && names === undefined;
  if (isFreeText) yield* lengths(type, 300).flatMap((length) => (length === 0 ? [] : ["n".repeat(length)]));
  if (isFreeText) yield* ["A-name", "name-A", "a_name", "a.name", "a name", "-name", "name-", "9-name"];
  if (type.kind === "list" && type.item.kind !== "object") {
    const [one = example ?? "n"] = (present ?? []) as readonly unknown[];
    yield* lengths(type, 300).map((length) => Array.from({ length }, () => one));
  }
  if (type.kind !== "object" || present === undefined) return;
  for (const [name, member] of Object.entries(type.members))
    for (const probe of probesOf(member, (present as Members)[name])) yield { ...(present as Members), [name]: probe };
}

function around({ min, max }: { readonly min?: number | undefined; readonly max?: number | undefined }): number[] {
  return [min, max].flatMap((limit) => (limit === undefined ? [] : [limit - 1, limit, limit + 1]));
}

function lengths(type: ValueType & { readonly kind: "text" | "list" }, long: number): number[] {
  return [0, 1, ...around(type), long].filter((length) => length >= 0);
}

interface Json {
  readonly enum?: readonly unknown[];
  readonly items?: Json;
  readonly properties?: Readonly<Record<string, Json>>;
}

/** The values of each enumeration, in the definition and at the API. */
function* enumerations(
  name: string,
  field: Pick<Field, "type" | "wireName">,
  { properties }: Json = {},
): Iterable<[path: string, own: readonly unknown[], api: readonly unknown[]]> {
  const { type } = field;
  const of = type.kind === "list" ? type.item : type;
  const member = properties?.[wireName(name, field as Field)];
  const json = type.kind === "list" ? member?.items : member;
  if (of.kind === "oneOf" && json?.enum) yield [name, of.values, json.enum];
  if (of.kind === "object")
    for (const [inner, one] of Object.entries(of.members)) yield* enumerations(inner, one, json);
}

it.each(madeKinds)("the values of %s are those of the API", (type, _kind, { inputs, path }) => {
  const body = z.toJSONSchema(nounAt(path)!.create!, { unrepresentable: "any", io: "input" }) as Json;
  const found = Object.entries(inputs).flatMap(([name, field]) => [...enumerations(name, field, body)]);
  const lacking = (have: readonly unknown[], all: readonly unknown[]) => all.filter((value) => !have.includes(value));
  const faults = found.flatMap(([name, own, api]) => [
    ...lacking(own, api).map((value) => `${name}: the enumeration in src/resources lacks ${String(value)}`),
    ...lacking(api, own).map((value) => `${name}: the simulator's noun, or its catalogs.ts, lacks ${String(value)}`),
  ]);
  expectEqual(type, faults, []);
});

/** A long text is its beginning and its length. */
function shownProbe(probe: unknown): string {
  const text = JSON.stringify(probe);
  return text.length <= 60 ? text : `${text.slice(0, 60)}… (${text.length} characters)`;
}

it.each(madeKinds)("the limits of %s are those of the API", async (type, kind, definition) => {
  const faults: string[] = [];
  const args = world.args(type);
  for (const [name, field] of Object.entries(definition.inputs)) {
    if (field.local === true || field.actions !== undefined || kind.pathFields.includes(name)) continue;
    for (const probe of probesOf(field, args[name] ?? field.default)) {
      const given = { name: "sample", ...args, [name]: probe };
      const { failures } = await checkNew(world.run({ preflight: "off" }), type, given);
      const answer = await world
        .api("POST", collectionOf(type, world.simulator), creationOf(definition, given, world.simulator))
        .catch(String);
      // A value that does not exist is still within the limits.
      const isRefused = typeof answer === "string" && /: 400 (?!.*no such)/.test(answer);
      const verdicts = `check ${failures.length > 0 ? "refuses" : "accepts"} it, and the API ${isRefused ? "refuses" : "accepts"} it`;
      if (failures.length > 0 !== isRefused) faults.push(`${type}.${name} = ${shownProbe(probe)}: ${verdicts}`);
    }
    await world.reset();
  }
  expect(faults).toEqual([]);
});
