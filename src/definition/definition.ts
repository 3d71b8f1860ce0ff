import { catalogs } from "./catalogs";
import type { GivenValues, ShownValues } from "./field";
import type { Definition, Field, Fields, NamePattern, WrittenDefinition } from "./types";

export type InputValues<D extends Definition> = GivenValues<D["inputs"]>;

export type OutputValues<D extends Definition> = ShownValues<D["inputs"]> &
  ShownValues<D["outputs"]> &
  (D extends Definition<Fields, Fields, infer Planned> ? ShownValues<Planned> : unknown);

/** The names of the secret outputs that only the creation shows. An adoption may give them. */
export type SecretNames<D extends Definition> = {
  [Name in keyof D["outputs"]]: D["outputs"][Name] extends { readonly readSeparately: string }
    ? never
    : D["outputs"][Name] extends { readonly secret: true }
      ? Name
      : never;
}[keyof D["outputs"]] &
  string;

/** The planned outputs of a definition without any. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- it has no members
type NoFields = Readonly<Record<never, Field>>;

/** Lets the compiler infer and check the types of a definition. */
export function define<Inputs extends Fields, Outputs extends Fields, Planned extends Fields = NoFields>(
  definition: WrittenDefinition<Inputs, Outputs, Planned> & {
    readonly discovery?: { readonly by: readonly (keyof Inputs)[] };
    readonly credential?: { readonly secret: keyof Outputs; readonly endsAt: keyof Inputs };
  },
): Definition<Inputs, Outputs, Planned> {
  return { ...definition, nouns: definition.noun.replace(/([^aeiou])y$/, "$1ie") + "s" };
}

/** All inputs of the lifecycle: those of the program, and those that check makes. */
export function inputFields({ inputs, planned }: Definition): Fields {
  return { ...inputs, ...planned };
}

/** The names of all outputs except the cost. */
export function outputNames(definition: Definition): string[] {
  return Object.keys({ ...inputFields(definition), ...definition.outputs });
}

/** The inputs in the path, in the order of the path. */
export function pathInputs({ path }: Definition): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
}

/**
 * The input that its lists must name in the query: the project of an object (specification, section 4). Undefined if it
 * has none.
 */
export function listedBy({ inputs }: Definition): string | undefined {
  return Object.keys(inputs).find((name) => inputs[name]?.names === "project" && inputs[name].type.kind === "text");
}

/** The kinds whose objects are inside an object of this kind, each with the input that has the id of that object. */
export function kindsInside({ path }: Definition, all: readonly Definition[]): [kind: Definition, input: string][] {
  return all.flatMap((kind): [Definition, string][] => {
    const [, parent, input = ""] = /^(.*)\/\{(\w+)\}\/\w+$/.exec(kind.path) ?? [];
    return parent === path && kind.discovery === undefined ? [[kind, input]] : [];
  });
}

/** The fields of requests: all except those in the path and those that only the program and the state use. */
export function wireFields(definition: Definition): [name: string, field: Field][] {
  const inPath = pathInputs(definition);
  return Object.entries(inputFields(definition)).filter(
    ([name, { local }]) => local !== true && !inPath.includes(name),
  );
}

export function secretOutputNames({ outputs }: Definition): string[] {
  return Object.keys(outputs).filter((name) => outputs[name]?.secret === true);
}

export interface NameRules {
  readonly max: number | undefined;
  readonly pattern: NamePattern | undefined;
  /** True if two objects of a collection cannot have the same name. */
  readonly isUnique: boolean;
}

/** The rules for the names of a kind. Undefined if programs do not name its objects. */
export function namingOf({ inputs }: Definition): NameRules | undefined {
  const name = inputs["name"];
  if (name?.type.kind !== "text") return undefined;
  const { max, pattern } = name.type;
  return { max, pattern, isUnique: name.unique !== undefined };
}

/** Adapts a logical name to the pattern of names. */
export function spelled(logicalName: string, suffix: string, pattern: NamePattern | undefined): string {
  const fits = (name: string): boolean => pattern === undefined || pattern.regex.test(`${name}-${suffix}`);
  const lower = logicalName.toLowerCase();
  const plain = lower.replace(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+|-+$/g, "");
  return [logicalName, lower, plain].find(fits) ?? plain;
}

/** Whether the price can depend on a field: the definition says so, or the field says where the object is. */
export function isPriced(field: Field): boolean {
  const isLocation = field.names !== undefined && catalogs[field.names].isLocation === true;
  return isLocation || field.priced === true || Object.values(membersOf(field)).some(isPriced);
}

/** The fields of an object, or of the objects in a list. */
export function membersOf({ type }: Pick<Field, "type">): Fields {
  const of = type.kind === "list" ? type.item : type;
  return of.kind === "object" ? of.members : {};
}
