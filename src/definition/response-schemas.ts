import { z } from "zod";
import { quotaFields } from "./quota-fields";
import { shownAt } from "./wire";
import type { Definition, Field, Fields, ValueType } from "./types";

/** The schemas of an object's members in a response, nested by their paths. Enumerations may grow. */
interface ShownShape {
  [member: string]: z.ZodType | ShownShape;
}

/** The schema of an object of this kind in a response. Unknown members pass. */
export function responseSchema(definition: Definition): z.ZodType<ApiObject> {
  const shape: ShownShape = { id: z.string(), ...shapeOf({ ...definition.inputs, ...definition.outputs }) };
  return looseObject(shape) as unknown as z.ZodType<ApiObject>;
}

export type ApiObject = Readonly<Record<string, unknown>> & { readonly id: string };

/** The schema of an object with these fields in a response. Unknown members pass. */
export function fieldsSchema(fields: Fields): z.ZodType {
  return looseObject(shapeOf(fields));
}

export const quotaSchema = fieldsSchema(quotaFields) as z.ZodType<Readonly<Record<string, unknown>>>;

function shapeOf(fields: Fields): ShownShape {
  const shape: ShownShape = {};
  const shown = Object.entries(fields)
    .filter(([, field]) => field.local !== true && field.shown !== "never")
    .map(([name, field]) => ({ path: shownAt(name, field), schema: presented(field) }))
    .sort((a, b) => a.path.length - b.path.length); // shorter paths first, so that an object comes before its members
  for (const { path, schema } of shown) putAt(shape, path, schema);
  return shape;
}

function putAt(shape: ShownShape, path: readonly string[], schema: z.ZodType): void {
  const [member = "", ...rest] = path;
  if (rest.length === 0) {
    shape[member] ??= schema;
    return;
  }
  const inner = (shape[member] ??= {});
  if (!(inner instanceof z.ZodType)) putAt(inner, rest, schema);
}

function looseObject(shape: ShownShape): z.ZodObject {
  const members = Object.entries(shape).map(([name, member]): [string, z.ZodType] => [
    name,
    member instanceof z.ZodType ? member : looseObject(member),
  ]);
  return z.looseObject(Object.fromEntries(members));
}

function presented(field: Field): z.ZodType {
  const schema = shownSchema(field.type);
  const byPresence = field.omitsDefault === true ? "maybe" : field.presence === "optional" ? "nullable" : "always";
  switch (field.shown ?? byPresence) {
    case "always":
      return schema;
    case "nullable":
      return schema.nullable();
    case "maybe":
    case "never":
      return schema.nullish();
  }
}

function shownSchema(type: ValueType): z.ZodType {
  switch (type.kind) {
    case "text":
    case "cidr":
    case "ports":
    case "ipv4Source":
      return z.string();
    case "oneOf":
      return type.values.every((value) => typeof value === "number")
        ? z.int()
        : z.string().meta({ examples: [...type.values] });
    case "integer":
      return z.number().int();
    case "number":
      return z.number();
    case "boolean":
      return z.boolean();
    case "instant":
      return z.string().refine((value) => !Number.isNaN(Date.parse(value)), "a date-time");
    case "list":
      return z.array(shownSchema(type.item));
    case "object":
      return looseObject(shapeOf(type.members));
    case "anything":
      return z.unknown();
  }
}
