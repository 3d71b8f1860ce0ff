import fc from "fast-check";
import type { Json } from "./harness";

/** Values that exist, by the name of the member or parameter. Random values would only lead to 404. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** Texts that often break parsers of addresses, dates, numbers and objects. */
export const oddText = fc.oneof(
  // Any UTF-16, including lone surrogates. `unit: "binary"` would first list a million characters.
  fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    ...["", "0.0.0.0/0", "::/0", "999.1.1.1/8", "1e400", "-1", "__proto__", "constructor", "🗝", "\u0000"],
    ...["2026-02-30T00:00:00Z", "+275760-09-13T00:00:00Z", "9999-12-31T23:59:59-23:00", "0000-01-01T00:00:00+23:00"],
  ),
);

const oddValue = fc.oneof(
  oddText,
  fc.double(),
  fc.constantFrom(null, true, [], {}, [null], [[]]),
  fc.array(oddText, { maxLength: 60 }),
  fc.object({ maxDepth: 2 }),
);

/** Values for a JSON schema of the document. Mostly known values, if there are any for the name. */
export function valueOf(schema: Json, known: KnownValues, name = ""): fc.Arbitrary<unknown> {
  const described = describedBy(schema, known, name);
  const values = known[name];
  const isLeaf = schema["type"] !== "object" && schema["type"] !== "array";
  if (!values || !isLeaf) return described;
  return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: described });
}

function describedBy(schema: Json, known: KnownValues, name: string): fc.Arbitrary<unknown> {
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...(schema["enum"] as unknown[]));
  if (Array.isArray(schema["anyOf"])) {
    return fc.oneof(...(schema["anyOf"] as Json[]).map((one) => valueOf(one, known, name)));
  }
  const { type } = schema;
  if (Array.isArray(type))
    return fc.oneof(...type.map((one: unknown) => describedBy({ ...schema, type: one }, known, name)));
  switch (type) {
    case "string":
      return stringOf(schema);
    case "integer":
      return fc.integer({ min: Number(schema["minimum"]), max: Number(schema["maximum"]) });
    case "number":
      return fc.integer({ min: 0, max: 1000 });
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(valueOf(schema["items"] as Json, known, name), {
        minLength: Number(schema["minItems"] ?? 0),
        maxLength: Math.min(Number(schema["maxItems"] ?? 3), 3),
      });
    case "object":
      return objectOf(schema, known);
    case "null":
      return fc.constant(null);
    default:
      throw new Error(`no arbitrary for ${JSON.stringify(schema)}`);
  }
}

const anyInstant = fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString());
const anyString = fc.string({ unit: "grapheme" });
/** The strings of each pattern, cached, because reading a pattern takes longer than a request. */
const matching = new Map<string, fc.Arbitrary<string>>();

function stringOf({ format, pattern }: Json): fc.Arbitrary<string> {
  if (format === "date-time") return anyInstant;
  if (typeof pattern !== "string") return anyString;
  const strings = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern, "u"));
  matching.set(pattern, strings);
  return strings;
}

function objectOf(schema: Json, known: KnownValues): fc.Arbitrary<Json> {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Json>);
  const members = Object.fromEntries(properties.map(([key, member]) => [key, valueOf(member, known, key)]));
  return fc.record(members, { requiredKeys: (schema["required"] ?? []) as string[] });
}

/** A value of a schema with odd, missing or additional members, or another value. */
export function brokenValueOf(schema: Json, known: KnownValues): fc.Arbitrary<unknown> {
  const members = Object.keys(schema["properties"] ?? {});
  const changes = fc.dictionary(
    fc.constantFrom(...members, "extra", "constructor"),
    fc.oneof(oddValue, fc.constant(undefined)),
    { minKeys: 1, maxKeys: 3 },
  );
  const changed = fc.tuple(objectOf(schema, known), changes).map(([good, odd]) => ({ ...good, ...odd }));
  return fc.oneof({ weight: 5, arbitrary: changed }, oddValue);
}
