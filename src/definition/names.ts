import type { NamePattern } from "./values";
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
