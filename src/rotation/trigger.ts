import { failure, type Finding } from "../definition/rule-context";

/**
 * A failure if a value whose change rotates a key holds an empty object. Pulumi's SDK sends a Date, a Map and a Set as
 * one, so another date would rotate nothing.
 */
export function triggerFindings(field: string, value: unknown): readonly Finding[] {
  if (!holdsEmptyObject(value)) return [];
  const reason = "holds an empty object. A Date, a Map or a Set arrives as one, so a change of it would rotate nothing";
  return [failure(field, `${reason}. Write a text instead, for a Date its toISOString()`)];
}

function holdsEmptyObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const members: readonly unknown[] = Object.values(value);
  return (!Array.isArray(value) && members.length === 0) || members.some(holdsEmptyObject);
}
