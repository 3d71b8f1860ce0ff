import { z } from "zod";
import { dateTime } from "../time/date-time";
import { quotaFields } from "./quota-fields";
import { memoize } from "./memoize";
import { shownAt } from "./wire";
import type { Definition, Field, Fields, ValueType } from "./types";

/** The schema of an object of this kind in a response. Unknown members pass. */
export const responseSchema = memoize(({ inputs, outputs }: Definition): z.ZodType<ApiObject> =>
  z.looseObject({ id: z.string(), ...shapeOf({ ...inputs, ...outputs }) }),
);

export type ApiObject = Readonly<Record<string, unknown>> & { readonly id: string };

/** The schema of an object with these fields in a response. Unknown members pass. */
export const fieldsSchema = memoize((fields: Fields): z.ZodObject => z.looseObject(shapeOf(fields)));

export const quotaSchema = fieldsSchema(quotaFields) as z.ZodType<Readonly<Record<string, unknown>>>;

/** An input that a response shows inside an output, such as `subnet.name`, is checked with that output. */
function shapeOf(fields: Fields): Readonly<Record<string, z.ZodType>> {
  const members = Object.entries(fields).flatMap(([name, field]) => {
    const [member = "", ...inside] = shownAt(name, field);
    const isChecked = field.local !== true && field.shown !== "never" && inside.length === 0;
    return isChecked ? [[member, presented(field)] as const] : [];
  });
  return Object.fromEntries(members);
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
      return dateTime;
    case "list":
      return z.array(shownSchema(type.item));
    case "object":
      return fieldsSchema(type.members);
    case "anything":
      return z.unknown();
  }
}
