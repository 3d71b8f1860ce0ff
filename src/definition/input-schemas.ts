import ipaddr from "ipaddr.js";
import { z } from "zod";
import { inputFields } from "./definition";
import { outputAsTextFault } from "../text/output-as-text";
import { shownInput } from "../text/redaction";
import type { Definition, Fields, ValueType } from "./types";
import { isRecord } from "./compare-values";

/** Validates the inputs of a resource. Each reason names the limit. */
export function inputSchemas(definition: Definition): Record<string, z.ZodType> {
  return schemasOf(inputFields(definition), definition.planned);
}

/** Validates the arguments of a function. It does not check whether required ones are missing. */
export function argumentsSchema(fields: Fields): z.ZodObject {
  return z.object(
    Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, inputSchema(type).nullish()])),
  );
}

function schemasOf(fields: Fields, planned: Fields = {}): Record<string, z.ZodType> {
  const entries = Object.entries(fields).map(([name, field]): [string, z.ZodType] => {
    if (name in planned) return [name, z.unknown().optional()];
    const schema = inputSchema(field.type);
    // check has already added the settings and the name. So only a field with a static default may be absent.
    return [
      name,
      field.presence === "optional" || field.planned === true || "default" in field ? schema.optional() : schema,
    ];
  });
  return Object.fromEntries(entries);
}

/** If a text contains an Output that was converted to text, only this is reported: other findings would mislead. */
function inputSchema(type: ValueType): z.ZodType {
  return checked(z.unknown(), outputAsTextFault).pipe(typeSchema(type));
}

/** Adds a check, whose fault is a sentence. */
function checked<Value>(schema: z.ZodType<Value>, faultOf: (value: Value) => string | undefined): z.ZodType<Value> {
  return schema.superRefine((value, context) => {
    const message = faultOf(value);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
}

/** A time with its offset: without one, it would depend on the time zone of the machine. */
export const instantSchema = z.iso.datetime({
  offset: true,
  error: required('a date and time in ISO 8601 such as "2027-01-31T00:00:00Z"'),
});

function typeSchema(type: ValueType): z.ZodType {
  switch (type.kind) {
    case "text":
      return text(type);
    case "oneOf":
      return z.literal([...type.values, ...Object.keys(type.enumeration?.renamed ?? {})], {
        error: ({ input }) => (input === undefined ? "is required" : notOneOf(type.values, input)),
      });
    case "integer": {
      const { min = -Infinity, max = Infinity } = type;
      const integer = z.int({ error: notInteger }).min(min, { error: mustBe(`at least ${min}`) });
      return integer.max(max, { error: mustBe(`at most ${max}`) });
    }
    case "number":
      return z.number({ error: required("a number") });
    case "boolean":
      return z.boolean({ error: required("true or false") });
    case "instant":
      return instantSchema;
    case "cidr":
      return checked(z.string({ error: required("a CIDR string") }), cidrFault);
    case "ports":
      return checked(z.string({ error: notText }), portsFault);
    case "ipv4Source":
      return checked(z.string({ error: notText }), ipv4SourceFault);
    case "list":
      return list(type);
    case "object":
      return object(type);
    case "anything":
      return z.unknown().optional();
  }
}

function text({
  ifEmpty,
  min = ifEmpty === undefined ? 0 : 1,
  max,
  form,
  pattern,
}: ValueType & { readonly kind: "text" }): z.ZodType {
  const range = max === undefined ? `at least ${min}` : min === max ? `exactly ${min}` : `${min} to ${max}`;
  return checked(z.string({ error: form === undefined ? notText : required(form) }), (value) => {
    if (ifEmpty !== undefined && value.trim() === "") return `is empty: ${ifEmpty}`;
    const length = lengthOf(value);
    if (length < min || length > (max ?? Infinity))
      return `must have ${range} characters (has ${length}: ${shownInput(value)})`;
    return pattern === undefined || pattern.regex.test(value) ? undefined : mustBe(pattern.words)({ input: value });
  });
}

function list(type: ValueType & { readonly kind: "list" }): z.ZodType {
  const { item, min = 0, max = Number.MAX_SAFE_INTEGER } = type;
  return z
    .array(inputSchema(item), { error: notList(item) })
    .min(min, {
      error: ({ input }) =>
        `must have at least ${min} ${min === 1 ? "item" : "items"} (has ${lengthOf(input)}): add one`,
    })
    .max(max, { error: ({ input }) => `must have at most ${max} items (has ${lengthOf(input)})` });
}

function object({ members, orWord }: ValueType & { readonly kind: "object" }): z.ZodType {
  const words = `an object with ${Object.keys(members).join(", ")}`;
  const schema = z.object(schemasOf(members), { error: required(words) });
  if (!orWord) return schema;
  const { values } = orWord.enumeration;
  const word = z.literal([...values], { error: required(`one of ${values.join(", ")}, or ${words}`) });
  // Not a union, which would not report the faults inside the object.
  return z.unknown().superRefine((value, context) => {
    for (const { path, message } of (isRecord(value) ? schema : word).safeParse(value).error?.issues ?? [])
      context.addIssue({ code: "custom", path: [...path], message });
  });
}

type Reason = (issue: { readonly input?: unknown }) => string;

function required(expected: string): Reason {
  return ({ input }) => (input === undefined || input === null ? "is required" : mustBe(expected)({ input }));
}

function mustBe(expected: string): Reason {
  return ({ input }) => `must be ${expected} (is ${shownInput(input)})`;
}

/** If a number is given instead of a text, such as a port, the message shows the right spelling. */
function notText({ input }: { readonly input?: unknown }): string {
  if (typeof input === "number") return `must be a string (is the number ${input}): write "${input}"`;
  return required("a string")({ input });
}

/** If an item is given instead of a list, or a map instead of words, the message shows the right spelling. */
function notList(item: ValueType): Reason {
  return ({ input }) => {
    const reason = required("a list")({ input });
    if (item.kind === "object") return isRecord(input) ? `${reason}: write it in brackets, [{ … }]` : reason;
    if (isRecord(input)) return `${reason}: write a list of strings, such as [${shownInput(wordIn(input))}]`;
    const isOne = ["string", "number"].includes(typeof input);
    return isOne ? `${reason}: write [${shownInput(String(input))}]` : reason;
  };
}

/** The first entry of a map as a word: `env=prod`. */
function wordIn(map: Record<string, unknown>): string {
  const [[key, value] = ["", undefined]] = Object.entries(map);
  return ["string", "number", "boolean"].includes(typeof value) ? `${key}=${String(value)}` : key;
}

/** The reason for a value outside the set. If it is one of the numbers as a string, the reason says how to write it. */
function notOneOf(values: readonly (string | number)[], input: unknown): string {
  const meant = typeof input === "string" ? values.find((value) => String(value) === input.trim()) : undefined;
  if (typeof meant === "number") return numberAsText(meant, input);
  return mustBe(`one of ${values.join(", ")}`)({ input });
}

function notInteger({ input }: { readonly input?: unknown }): string {
  if (Number.isInteger(input)) return mustBe(`a whole number up to ${Number.MAX_SAFE_INTEGER}`)({ input });
  const meant = typeof input === "string" && input.trim() !== "" ? Number(input) : NaN;
  return Number.isSafeInteger(meant) ? numberAsText(meant, input) : required("a whole number")({ input });
}

function numberAsText(meant: number, input: unknown): string {
  return `must be a number, and is the string ${shownInput(input)}: write ${meant}, or read it from the configuration as a number`;
}

function lengthOf(input: unknown): number {
  if (typeof input === "string") return Array.from(input).length;
  return Array.isArray(input) ? input.length : 0;
}

function ipv4SourceFault(value: string): string | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(value) || ipaddr.IPv4.isValidCIDRFourPartDecimal(value)) return undefined;
  return mustBe('an IPv4 address or CIDR such as "192.0.2.7" or "192.0.2.0/24"')({ input: value });
}

// The specification shows no syntax for ranges: a hyphen and a colon both pass.
const PORTS = /^([1-9]\d{0,4})(?:([-:])([1-9]\d{0,4}))?$/;

function isPorts(value: string): boolean {
  const [, first = "", , last = first] = PORTS.exec(value) ?? [];
  return first !== "" && Number(last) <= 65_535 && Number(first) <= Number(last);
}

function portsFault(value: string): string | undefined {
  if (isPorts(value)) return undefined;
  const [, first = "", separator = "", last = ""] = PORTS.exec(value) ?? [];
  const turned = `${last}${separator}${first}`;
  if (last !== "" && isPorts(turned)) return `${value} is reversed: write "${turned}"`;
  return mustBe('a port from 1 to 65535 such as "443", or a range such as "8000-9000"')({ input: value });
}

/** Why a text is not a network-aligned CIDR in canonical form, or undefined if it is one. */
function cidrFault(value: string): string | undefined {
  const network = canonicalNetwork(value);
  if (network === undefined) {
    const reason = mustBe('a CIDR such as "10.0.0.0/25"')({ input: value });
    if (value === "0.0.0.0") return `${reason}: for every address, write 0.0.0.0/0`;
    return ipaddr.IPv4.isValidFourPartDecimal(value) ? `${reason}: for this address alone, write ${value}/32` : reason;
  }
  const canonical = `${network}/${Number(value.slice(value.lastIndexOf("/") + 1))}`;
  return value === canonical
    ? undefined
    : `must be network-aligned and in canonical form (is ${value}): write ${canonical}`;
}

/**
 * The first address of a CIDR. Undefined if the text is no CIDR with decimal numbers. IPv4 comes first, because a
 * failed attempt at IPv6 takes long.
 */
function canonicalNetwork(value: string): string | undefined {
  const { IPv4, IPv6 } = ipaddr;
  // ipaddr.js also reads octal and hexadecimal numbers, which the API may read otherwise.
  if (IPv4.isValidCIDRFourPartDecimal(value)) return IPv4.networkAddressFromCIDR(value).toString();
  return IPv6.isValidCIDR(value) ? IPv6.networkAddressFromCIDR(value).toRFC5952String() : undefined;
}
