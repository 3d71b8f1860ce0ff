import { inputFields, pathInputs } from "./definition";
import type { NamePattern } from "./name-pattern";
import { isRecord } from "./record";
import type { Finding, Props, RuleContext } from "./rules";
import type { Definition } from "./types";

/** What the API takes as a name. */
export interface Naming {
  readonly max: number | undefined;
  readonly pattern: NamePattern | undefined;
  /** Whether two objects of one collection cannot have the same. */
  readonly isUnique: boolean;
}

/** The names of the objects of a kind. Undefined if a program gives them none. */
export function namingOf({ inputs }: Definition): Naming | undefined {
  const name = inputs["name"];
  if (name?.type.kind !== "text") return undefined;
  const { max, pattern } = name.type;
  return { max, pattern, isUnique: name.unique !== undefined };
}

/** A logical name as a part of a name that fits the pattern, as far as spelling goes. */
export function spelled(logicalName: string, suffix: string, pattern: NamePattern | undefined): string {
  const fits = (name: string): boolean => pattern === undefined || pattern.regex.test(`${name}-${suffix}`);
  const lower = logicalName.toLowerCase();
  const plain = lower.replace(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+|-+$/g, "");
  return [logicalName, lower, plain].find(fits) ?? plain;
}

/** Names that two objects would have at once: of a replacement and the old object, and of items of a list that are known by name. */
export function nameFindings(definition: Definition, values: Props, context: RuleContext<Props>): Finding[] {
  const lists = Object.entries(inputFields(definition)).flatMap(([field, { part }]) =>
    part && Array.isArray(values[field]) ? twice(field, values[field].filter(isRecord)) : [],
  );
  return [...heldFindings(definition, values, context), ...lists];
}

function twice(field: string, items: readonly Props[]): Finding[] {
  return items.flatMap(({ name }, index) => {
    const first = items.findIndex((other) => other["name"] === name);
    if (first === index || name === undefined) return [];
    const reason = `has the name of ${field}[${first}]: give each another`;
    return [{ severity: "failure", field: `${field}[${index}].name`, reason } as const];
  });
}

/** Both objects are there for a while, unless the old one was never ready. */
function heldFindings(
  definition: Definition,
  values: Props,
  { replaced, isReplacedGone }: RuleContext<Props>,
): Finding[] {
  const { name } = values;
  if (definition.inputs["name"]?.unique === undefined || isReplacedGone || name === undefined) return [];
  const same = ["name", ...pathInputs(definition)].every((input) => replaced?.[input] === values[input]);
  if (replaced === undefined || !same) return [];
  const noun = shortNoun(definition);
  const reason =
    `${JSON.stringify(name)} is still the name of the ${noun} that this one replaces, and both are there for a while: ` +
    `leave the name out, or give the new ${noun} another one`;
  return [{ severity: "failure", field: "name", reason }];
}

/** The last word of the noun: `pool`. */
function shortNoun({ noun }: Definition): string {
  return noun.split(" ").at(-1) ?? noun;
}
