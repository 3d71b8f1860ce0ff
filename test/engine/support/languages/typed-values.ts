import { schema, type Members, type PropertySchema } from "../../../support/package-schema";

export type PropertyType = Omit<PropertySchema, "description">;

/** How a language writes values of the types that its SDK has. */
export interface Notation {
  scalar(value: unknown, type: string): string;
  any(value: unknown): string;
  list(items: readonly string[], item: PropertyType): string;
  enumeration(name: string, value: unknown): string;
  object(name: string, members: readonly (readonly [name: string, text: string])[]): string;
}

/** A resource of a program: its kind, its logical name and its arguments. */
export interface Declaration {
  readonly type: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The arguments of a resource in a language, by their names in the schema. */
export function writtenArguments(notation: Notation, { type, args }: Declaration): (readonly [string, string])[] {
  return writtenMembers(notation, args, schema.resources[`cloudinfra:index:${type}`]!.inputProperties);
}

function writtenMembers(notation: Notation, values: object, types: Members): (readonly [string, string])[] {
  return Object.entries(values).map(([name, value]) => [name, written(notation, value, types[name]!)]);
}

function written(notation: Notation, value: unknown, { type = "", $ref = "", items, oneOf }: PropertyType): string {
  // A value of an enumeration, or its name: the name.
  if (oneOf !== undefined) return written(notation, value, oneOf.at(-1)!);
  if (items !== undefined)
    return notation.list(
      (value as unknown[]).map((item) => written(notation, item, items)),
      items,
    );
  const named = schema.types[$ref.replace("#/types/", "")];
  if (named === undefined) return $ref === "" ? notation.scalar(value, type) : notation.any(value);
  const name = nameOf($ref);
  if (named.enum !== undefined) return notation.enumeration(name, value);
  return notation.object(name, writtenMembers(notation, value as object, named.properties ?? {}));
}

/** The name of a type in an SDK. */
export function nameOf($ref: string): string {
  return $ref.split(":").at(-1)!;
}
