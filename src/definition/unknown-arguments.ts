import { nameMeant } from "../text/closest";
import { isRecord } from "./record";
import type { Finding, Props } from "./rules";
import type { Fields, ValueType } from "./types";

/** Findings on the names in `values` that no field has, at every depth. `owner` is the resource or the function. */
export function unknownArguments(owner: string, fields: Fields, values: Props): Finding[] {
  return unknownIn(fields, values, "").map(({ path, name, known, at }) => {
    const meant = nameMeant(name, known);
    const advice =
      meant === undefined
        ? `${at === "" ? "It" : at} takes ${known.length === 0 ? "none" : known.join(", ")}.`
        : `Did you mean ${pathOf(at, meant)}?`;
    return { severity: "failure", field: path, reason: `is no argument of ${owner}. ${advice}` };
  });
}

/** A name that no field has, and the names that are possible there. */
interface Unknown {
  readonly path: string;
  readonly name: string;
  /** The path of the object that has it. */
  readonly at: string;
  readonly known: readonly string[];
}

function unknownIn(fields: Fields, values: Props, at: string): Unknown[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    const path = pathOf(at, name);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field === undefined
      ? [{ path, name, at, known: Object.keys(fields) }]
      : unknownInside(field.type, value, path);
  });
}

function unknownInside(type: ValueType, value: unknown, path: string): Unknown[] {
  if (type.kind === "object" && isRecord(value)) return unknownIn(type.members, value, path);
  if (type.kind === "list" && Array.isArray(value))
    return value.flatMap((item: unknown, index) => unknownInside(type.item, item, `${path}[${index}]`));
  return [];
}

function pathOf(at: string, name: string): string {
  return at === "" ? name : `${at}.${name}`;
}
