import { isDeepStrictEqual } from "node:util";

/** True if a value is an object with named members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The texts of a list. Empty for any other value. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Whether two values of a field mean the same to the API, at a time in epoch milliseconds. */
export type Same = (before: unknown, after: unknown, now: number) => boolean;

/** Compares values deeply. Absent equals null. */
export const sameValue = (before: unknown, after: unknown): boolean =>
  isDeepStrictEqual(before ?? undefined, after ?? undefined);

/** Compares lists without regard to their order. An absent list equals an empty one. */
export const sameSet = (before: unknown, after: unknown): boolean => isDeepStrictEqual(sorted(before), sorted(after));

/** Compares instants in any spelling. */
export const sameInstant = (before: unknown, after: unknown): boolean =>
  sameValue(before, after) ||
  (typeof before === "string" && typeof after === "string" && Date.parse(before) === Date.parse(after));

function sorted(value: unknown): unknown {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return value;
  return value.map(canonicalText).sort();
}

/** A text that is the same for equal values, whatever the order of an object's members. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}
