import { isRecord } from "./record";
import type { Finding, Props } from "./rules";
import type { Fields, ValueType } from "./types";

/** A value with the API's present names in place of former ones. */
export function inPresentNames(type: ValueType, value: unknown): unknown {
  if (type.kind === "oneOf") return type.enumeration?.renamed?.[String(value)] ?? value;
  if (type.kind === "list" && Array.isArray(value)) return value.map((item) => inPresentNames(type.item, item));
  return type.kind === "object" && isRecord(value) ? valuesInPresentNames(type.members, value) : value;
}

/** Values of fields with the API's present names. */
export function valuesInPresentNames<Values extends Props>(fields: Fields, values: Values): Values {
  const present = Object.entries(values).map(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [name, field ? inPresentNames(field.type, value) : value];
  });
  return Object.fromEntries(present) as Values;
}

/** Whether a value of this type can have a former name. */
export function hasFormerNames(type: ValueType): boolean {
  if (type.kind === "list") return hasFormerNames(type.item);
  if (type.kind === "object") return Object.values(type.members).some((member) => hasFormerNames(member.type));
  return type.kind === "oneOf" && type.enumeration?.renamed !== undefined;
}

/** Warnings of former names. */
export function renamedFindings(fields: Fields, values: Props, at = ""): Finding[] {
  return Object.entries(fields).flatMap(([name, { type }]) => findingsIn(type, values[name], `${at}${name}`));
}

function findingsIn(type: ValueType, value: unknown, field: string): Finding[] {
  if (type.kind === "object" && isRecord(value)) return renamedFindings(type.members, value, `${field}.`);
  if (type.kind === "list" && Array.isArray(value))
    return value.flatMap((item: unknown, index) => findingsIn(type.item, item, `${field}[${index}]`));
  const present = inPresentNames(type, value);
  if (type.kind !== "oneOf" || present === value) return [];
  const reason = `"${String(value)}" is now called "${String(present)}". Both mean the same: write "${String(present)}"`;
  return [{ severity: "warning", field, reason }];
}
