import { inputFields } from "./definition";
import { isRecord } from "./compare-values";
import type { CatalogName } from "./catalogs";
import type { Props } from "./rule-context";
import type { Definition, Fields, ValueType } from "./types";

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
  return Object.entries(inputFields(definition)).flatMap(([field, of]) =>
    [...valuesIn({ [field]: of }, inputs)].flatMap(({ path, names: catalog, value }) =>
      catalog !== undefined && typeof value === "string" ? [{ path, field, catalog, value }] : [],
    ),
  );
}

interface ValueAt {
  readonly path: string;
  readonly type: ValueType;
  readonly names: CatalogName | undefined;
  readonly value: unknown;
}

/** The values of fields at every depth: of the members of objects, and of the items of lists. */
export function* valuesIn(fields: Fields, values: Props, above = ""): Iterable<ValueAt> {
  for (const [name, { type, names }] of Object.entries(fields))
    yield* valuesAt({ path: `${above}${name}`, type, names, value: values[name] });
}

function* valuesAt(at: ValueAt): Iterable<ValueAt> {
  const { path, type, names, value } = at;
  if (Array.isArray(value) && (type.kind === "list" || names !== undefined)) {
    const item = type.kind === "list" ? type.item : type;
    for (const [nth, one] of value.entries())
      yield* valuesAt({ path: `${path}[${nth}]`, type: item, names, value: one });
  } else if (type.kind === "object" && isRecord(value)) yield* valuesIn(type.members, value, `${path}.`);
  else yield at;
}
