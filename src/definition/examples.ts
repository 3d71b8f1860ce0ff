import type { Field, Fields, ValueType } from "./types";

const MONTH_MS = 30 * 24 * 3600 * 1000;

/** A valid value, for quotes while the real one is not known yet. Undefined for a field that may be left out. */
export function exampleOf(field: Field, now: number): unknown {
  if (field.local === true) return undefined;
  return field.example ?? field.default ?? (field.presence === "optional" ? undefined : exampleOfType(field.type, now));
}

function exampleOfType(type: ValueType, now: number): unknown {
  switch (type.kind) {
    case "text":
      return "example".padEnd(type.min ?? 0, "0").slice(0, type.max);
    case "oneOf":
      return type.values[0];
    case "integer":
      return type.min ?? 1;
    case "number":
      return 1;
    case "boolean":
      return false;
    case "instant":
      return new Date(now + MONTH_MS).toISOString();
    case "cidr":
      return "10.0.0.0/16";
    case "ports":
      return "443";
    case "ipv4Source":
      return "192.0.2.0/24";
    case "list":
      return Array.from({ length: type.min ?? 0 }, () => exampleOfType(type.item, now));
    case "object":
      return examplesOf(type.members, now);
    case "anything":
      return undefined;
  }
}

/** A valid value for each field that cannot be left out. */
export function examplesOf(fields: Fields, now: number): Record<string, unknown> {
  const values = Object.entries(fields).map(([name, field]) => [name, exampleOf(field, now)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}
