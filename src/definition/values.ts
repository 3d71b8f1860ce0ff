import { isDeepStrictEqual } from "node:util";

/** Whether a value is an object with named members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two values of a field mean the same to the API, at this time (milliseconds since the epoch). */
export type Same = (before: unknown, after: unknown, now: number) => boolean;

/** Equal in every part; absent equals null. */
export const sameValue = (before: unknown, after: unknown): boolean =>
  isDeepStrictEqual(before ?? undefined, after ?? undefined);

/** Lists without an order; an absent list equals an empty one. */
export const sameSet = (before: unknown, after: unknown): boolean => isDeepStrictEqual(sorted(before), sorted(after));

/** The same instant, in any spelling. */
export const sameInstant = (before: unknown, after: unknown): boolean =>
  sameValue(before, after) ||
  (typeof before === "string" && typeof after === "string" && Date.parse(before) === Date.parse(after));

function sorted(value: unknown): unknown {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return value;
  return value.map(canonicalText).sort();
}

/** A text that is the same for equal values, in any order of an object's members. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}

/** A form that a text has. */
export interface NamePattern {
  readonly regex: RegExp;
  /** The form in words: `lower-case letters, digits and hyphens`. */
  readonly words: string;
}
