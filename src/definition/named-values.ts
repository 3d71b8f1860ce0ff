import { inputFields } from "./definition";
import { isRecord } from "./compare-values";
import type { CatalogName } from "./catalogs";
import type { Props } from "./rule-context";
import type { Definition, Field, ValueType } from "./types";

/** A value that must exist in a list of the API. */
export interface NamedValue {
  /** The path of the value, for messages: `nodeConfig.instanceType`, `projectIds[0]`. */
  readonly path: string;
  /** The input that contains it. */
  readonly field: string;
  readonly catalog: CatalogName;
  readonly value: string;
}

/** The values of the inputs that must exist in lists of the API. */
export function namedValues(definition: Definition, inputs: Props): NamedValue[] {
  return Object.entries(inputFields(definition)).flatMap(([name, field]) =>
    valuesOf(field, inputs[name], name).map((found) => ({ ...found, field: name })),
  );
}

type ListValue = Omit<NamedValue, "field">;

function valuesOf({ type, names }: Pick<Field, "type" | "names">, value: unknown, path: string): ListValue[] {
  if (names !== undefined) {
    const each = Array.isArray(value) ? value.map((item: unknown, index) => [item, `${path}[${index}]`] as const) : [];
    return (Array.isArray(value) ? each : [[value, path] as const]).flatMap(([one, at]) =>
      typeof one === "string" ? [{ path: at, catalog: names, value: one }] : [],
    );
  }
  return insideOf(type, value, path);
}

function insideOf(type: ValueType, value: unknown, path: string): ListValue[] {
  if (type.kind === "object" && isRecord(value))
    return Object.entries(type.members).flatMap(([member, field]) =>
      valuesOf(field, value[member], `${path}.${member}`),
    );
  if (type.kind === "list" && Array.isArray(value))
    return value.flatMap((item: unknown, index) => insideOf(type.item, item, `${path}[${index}]`));
  return [];
}
