import ipaddr from "ipaddr.js";
import { z } from "zod";
import { inputFields } from "./definition";
import { shownAt } from "./wire";
import type { Definition, Field, Fields, ValueType } from "./types";

/** Validates the inputs of a resource. Each reason names the limit. */
export function inputSchemas(definition: Definition): Record<string, z.ZodType> {
  return schemasOf(inputFields(definition), definition.planned);
}

/** Validates the arguments of a function. Which may be left out is not decided here. */
export function argumentsSchema(fields: Fields): z.ZodObject {
  return z.object(
    Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, inputSchema(type).nullish()])),
  );
}

function schemasOf(fields: Fields, planned: Fields = {}): Record<string, z.ZodType> {
  const entries = Object.entries(fields).map(([name, field]): [string, z.ZodType] => {
    if (name in planned) return [name, z.unknown().optional()];
    const schema = inputSchema(field.type);
    // Check has already put in the settings and the name. Only a static default may be absent.
    return [
      name,
      field.presence === "optional" || field.planned === true || "default" in field ? schema.optional() : schema,
    ];
  });
  return Object.fromEntries(entries);
}

function inputSchema(type: ValueType): z.ZodType {
  switch (type.kind) {
    case "text":
      return text(type);
    case "oneOf":
      return z.literal([...type.values], {
        error: ({ input }) => (input === undefined ? "is required" : notOneOf(type.values, input)),
      });
    case "integer":
      return integer(type);
    case "number":
      return z.number({ error: required("a number") });
    case "boolean":
      return z.boolean({ error: required("true or false") });
    case "instant":
      return z.iso.datetime({
        offset: true,
        error: required('a date and time in ISO 8601 such as "2027-01-31T00:00:00Z"'),
      });
    case "cidr":
      return z.string({ error: required("a CIDR string") }).superRefine((value, context) => {
        const reason = cidrFault(value);
        if (reason !== undefined) context.addIssue({ code: "custom", message: reason });
      });
    case "ports":
      // The specification shows no syntax for ranges: a hyphen and a colon both pass.
      return z.string({ error: notText }).refine(isPorts, {
        error: 'must be a port from 1 to 65535 such as "443", or a range such as "8000-9000"',
      });
    case "ipv4Source":
      return z.string({ error: notText }).refine(isIpv4Source, {
        error: 'must be an IPv4 address or CIDR such as "192.0.2.7" or "192.0.2.0/24"',
      });
    case "list":
      return list(type);
    case "object":
      return z.object(schemasOf(type.members), { error: required("an object") });
    case "anything":
      return z.unknown().optional();
  }
}

function text({ min = 0, max }: { readonly min?: number | undefined; readonly max?: number | undefined }): z.ZodType {
  const schema = z.string({ error: notText });
  if (max === undefined) return schema;
  const range = min === max ? `exactly ${min}` : `${min} to ${max}`;
  return schema.refine((value) => lengthOf(value) >= min && lengthOf(value) <= max, {
    error: ({ input }) => `must have ${range} characters (has ${lengthOf(input)})`,
  });
}

function integer({ min, max }: { readonly min?: number | undefined; readonly max?: number | undefined }): z.ZodType {
  return z
    .int({ error: notInteger })
    .min(min ?? Number.MIN_SAFE_INTEGER, {
      error: ({ input }) => `must be at least ${String(min)} (is ${String(input)})`,
    })
    .max(max ?? Number.MAX_SAFE_INTEGER, {
      error: ({ input }) => `must be at most ${String(max)} (is ${String(input)})`,
    });
}

function list(type: ValueType & { readonly kind: "list" }): z.ZodType {
  const { item, min = 0, max = Number.MAX_SAFE_INTEGER } = type;
  return z
    .array(inputSchema(item), { error: required("a list") })
    .min(min, { error: `must have at least ${min} ${min === 1 ? "item" : "items"}` })
    .max(max, { error: ({ input }) => `must have at most ${max} items (has ${lengthOf(input)})` });
}

function required(what: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) => (input === undefined || input === null ? "is required" : `must be ${what}`);
}

/** If a number is given for a text, such as a port, the message shows the right spelling. */
function notText({ input }: { readonly input?: unknown }): string {
  const reason = required("a string")({ input });
  return typeof input === "number" ? `${reason}: "${input}"` : reason;
}

/** A string that contains one of the numbers, as the configuration gives it, looks right and is wrong. */
function notOneOf(values: readonly (string | number)[], input: unknown): string {
  const meant = typeof input === "string" ? values.find((value) => String(value) === input.trim()) : undefined;
  if (typeof meant === "number") return numberAsText(meant);
  return `must be one of ${values.join(", ")}`;
}

function notInteger({ input }: { readonly input?: unknown }): string {
  const meant = typeof input === "string" && input.trim() !== "" ? Number(input) : NaN;
  return Number.isSafeInteger(meant) ? numberAsText(meant) : required("a whole number")({ input });
}

function numberAsText(meant: number): string {
  return `must be the number ${meant}, not a string: use Number(…) or requireNumber`;
}

function lengthOf(input: unknown): number {
  if (typeof input === "string") return Array.from(input).length;
  return Array.isArray(input) ? input.length : 0;
}

function isIpv4Source(value: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(value) || ipaddr.IPv4.isValidCIDRFourPartDecimal(value);
}

function isPorts(value: string): boolean {
  const [, first = "", last = first] = /^([1-9]\d{0,4})(?:[-:]([1-9]\d{0,4}))?$/.exec(value) ?? [];
  return first !== "" && Number(last) <= 65_535 && Number(first) <= Number(last);
}

/** Why a text is not a network-aligned CIDR in canonical form, or undefined if it is one. */
function cidrFault(value: string): string | undefined {
  if (!ipaddr.isValidCIDR(value)) return 'must be a CIDR such as "10.0.0.0/25"';
  const [address, mask] = ipaddr.parseCIDR(value);
  const network =
    address instanceof ipaddr.IPv4
      ? ipaddr.IPv4.networkAddressFromCIDR(value).toString()
      : ipaddr.IPv6.networkAddressFromCIDR(value).toRFC5952String();
  const canonical = `${network}/${mask}`;
  return value === canonical ? undefined : `must be network-aligned and in canonical form: ${canonical}`;
}

/** A member of an object in a response. Unknown members pass, and enumerations may grow. */
interface ShownShape {
  [member: string]: z.ZodType | ShownShape;
}

/** The schema of an object of this kind in a response. Unknown members pass. */
export function responseSchema(definition: Definition): z.ZodType<Listable> {
  const shape: ShownShape = { id: z.string(), ...shapeOf({ ...definition.inputs, ...definition.outputs }) };
  return looseObject(shape) as unknown as z.ZodType<Listable>;
}

/** The members of every object of the API. */
export type Listable = Readonly<Record<string, unknown>> & { readonly id: string };

/** The schema of an object with these fields in a response. Unknown members pass. */
export function fieldsSchema(fields: Fields): z.ZodType {
  return looseObject(shapeOf(fields));
}

function shapeOf(fields: Fields): ShownShape {
  const shape: ShownShape = {};
  const shown = Object.entries(fields)
    .filter(([, field]) => field.local !== true && field.shown !== "never")
    .map(([name, field]) => ({ path: shownAt(name, field), schema: presented(field) }))
    .sort((a, b) => a.path.length - b.path.length); // a whole object says more of it than one of its members
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
  switch (field.shown ?? (field.presence === "optional" ? "nullable" : "always")) {
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
