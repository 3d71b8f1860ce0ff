import { wireFields, inputFields } from "./definition";
import { isRecord } from "./compare-values";
import { inPresentNames, sameOf } from "./compare-fields";
import type { Props } from "./rule-context";
import type { Definition, Field, Fields, ValueType } from "./types";

/** The name of a field's member in requests and responses. */
export function wireName(name: string, { wireName: own }: Field): string {
  return own ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * The program's name for a member of a request: `external_provider.account_id` is `externalProvider.accountId`. A
 * member without a field keeps the API's name.
 */
export function inputName(definition: Definition, member: string): string {
  return nameAmong(Object.fromEntries(wireFields(definition)), member);
}

function nameAmong(fields: Fields, path: string): string {
  const [, member, index = "", rest = ""] = /^([^.[]*)((?:\[\d+\])*)\.?(.*)$/s.exec(path) ?? [];
  const found = Object.entries(fields).find(([name, field]) => wireName(name, field) === member);
  if (!found) return path;
  const [name, { type }] = found;
  const inner = type.kind === "list" ? type.item : type;
  const nested = inner.kind === "object" ? nameAmong(inner.members, rest) : rest;
  return `${name}${index}${rest === "" ? "" : `.${nested}`}`;
}

/** The body of a creation request. */
export function toWire(definition: Definition, inputs: Props, now: number): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, field] of wireFields(definition)) {
    const value = memberToWire(field, inputs[name], now);
    if (field.omitsDefault === true && sameOf(field)(inputs[name], field.default, now)) continue;
    if (value !== undefined) body[wireName(name, field)] = value;
  }
  return body;
}

/** The body of an update: the members of the changed fields. A removed field is cleared by its default, or by null. */
export function toWireUpdate(
  definition: Definition,
  inputs: Props,
  changed: readonly string[],
  now: number,
): Record<string, unknown> {
  const isSent = ([name, field]: [string, Field]): boolean =>
    changed.includes(name) && field.change !== "replace" && field.actions === undefined && field.part === undefined;
  const members = wireFields(definition)
    .filter(isSent)
    .map(([name, field]) => {
      const none = field.presence === "optional" && inputs[name] === undefined ? null : undefined;
      return [wireName(name, field), memberToWire(field, inputs[name], now) ?? none];
    });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

/**
 * All inputs and outputs from a response. A value is undefined if the response does not show it, and null if the
 * response shows that there is none.
 */
export function fromWire(definition: Definition, wire: Props): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(inputFields(definition))) {
    values[name] = field.local === true || field.shown === "never" ? undefined : shownValue(name, field, wire);
  }
  for (const [name, field] of Object.entries(definition.outputs))
    values[name] = shownValue(name, field, wire) ?? undefined;
  return values;
}

/** Adds the members of an output that equal an input: `subnet.name` is `subnetName`. */
export function withInputsInside({ inputs, outputs }: Definition, name: string, value: unknown, given: Props): unknown {
  const field = outputs[name];
  if (!field || field.type.kind !== "object" || !isRecord(value)) return value;
  const { members } = field.type;
  const inside = Object.entries(inputs).flatMap(([input, { shownAt = [] }]) => {
    const [at, inner = ""] = shownAt;
    return at === wireName(name, field) && inner in members && given[input] !== undefined
      ? [[inner, given[input]] as const]
      : [];
  });
  return { ...value, ...Object.fromEntries(inside) };
}

/** The path of a field in a response. */
export function shownAt(name: string, field: Field): readonly string[] {
  return field.shownAt ?? [wireName(name, field)];
}

function shownValue(name: string, field: Field, wire: Props): unknown {
  const shown = shownAt(name, field).reduce<unknown>((at, member) => (isRecord(at) ? at[member] : undefined), wire);
  // Every object has a value of a required field, so null only means that the response does not show it.
  if (shown === undefined || shown === null) return field.presence === "required" ? undefined : shown;
  return valueFromWire(field.type, shown);
}

/** The wire form of a field's value: undefined leaves the member out. */
export function memberToWire(field: Field, given: unknown, now: number): unknown {
  const value = given ?? field.default;
  if (value === undefined) return undefined;
  return field.toWire ? field.toWire(value as never, now) : valueToWire(field.type, value, now);
}

/**
 * A single IPv4 address as a network. The specification speaks of addresses, the public clients of networks: every API
 * takes the latter.
 */
export function asNetwork(source: unknown): unknown {
  return typeof source === "string" && !source.includes("/") ? `${source}/32` : source;
}

function valueToWire(type: ValueType, value: unknown, now: number): unknown {
  if (type.kind === "oneOf") return inPresentNames(type, value);
  if (type.kind === "instant") return new Date(String(value)).toISOString();
  if (type.kind === "ipv4Source") return asNetwork(value);
  if (type.kind === "list" && Array.isArray(value)) return value.map((item) => valueToWire(type.item, item, now));
  if (type.kind !== "object" || !isRecord(value)) return value;
  const members = Object.entries(type.members).map(([name, member]) => [
    wireName(name, member),
    memberToWire(member, value[name], now),
  ]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

/** Converts a value of a response to the program's form. */
export function valueFromWire(type: ValueType, value: unknown): unknown {
  if (type.kind === "oneOf") return inPresentNames(type, value);
  if (type.kind === "list" && Array.isArray(value)) return value.map((item) => valueFromWire(type.item, item));
  if (type.kind !== "object" || !isRecord(value)) return value;
  const members = Object.entries(type.members)
    .filter(([, member]) => member.shown !== "never")
    .map(([name, member]) => [name, shownValue(name, member, value) ?? undefined]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}
