import { isDeepStrictEqual } from "node:util";
import { containsUnknown, isRecord } from "./engine-values";

/** Whether two values of a field mean the same to the API, at this time (milliseconds since the epoch). */
export type Same = (before: unknown, after: unknown, now: number) => boolean;

/** What changing a field does, and what the field means for the price. */
export interface ChangePolicy {
  /** `update`: changed in place by PATCH. `replace`: the API cannot change it, so a new object takes the old one's place. */
  readonly change: "update" | "replace";
  readonly same: Same;
  /** Whether the price can depend on the field, or the quote's path needs it: then a change asks for a new quote. */
  readonly priced: boolean;
  /** Whether the field is between check and the state alone: the API has no such member, so no object there can tell it. */
  readonly isLocal: boolean;
  /**
   * What a quote is asked with while the value is not known yet, at this time. For fields that are required and that the
   * price cannot depend on; others are left out.
   */
  placeholder(now: number): unknown;
}

type PolicyOptions = Partial<Omit<ChangePolicy, "change">>;

/** The field is changed in place. */
export function update(options: PolicyOptions = {}): ChangePolicy {
  return { change: "update", same: sameValue, priced: false, isLocal: false, placeholder: () => undefined, ...options };
}

/** A change of the field replaces the object. */
export function replace(options: PolicyOptions = {}): ChangePolicy {
  return { ...update(options), change: "replace" };
}

/** Equal in every part; absent and null are one. */
export const sameValue = (before: unknown, after: unknown): boolean =>
  isDeepStrictEqual(before ?? undefined, after ?? undefined);

/** Lists without an order; an absent list is an empty one. */
export const sameSet = (before: unknown, after: unknown): boolean => isDeepStrictEqual(sorted(before), sorted(after));

/** The same instant, however it is spelled. */
export const sameInstant = (before: unknown, after: unknown): boolean =>
  sameValue(before, after) ||
  (typeof before === "string" && typeof after === "string" && Date.parse(before) === Date.parse(after));

function sorted(value: unknown): unknown {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return value;
  return value.map(canonicalText).sort();
}

/** A text that is equal for values that are equal, whatever the order of an object's members. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}

/** Policies by field, without the type of the inputs. */
export type ChangePolicies = Readonly<Record<string, ChangePolicy>>;

/** The fields whose value differs; one that is not known yet counts as different. */
export function changedFields(
  policies: ChangePolicies,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  now: number,
): string[] {
  return Object.entries(policies)
    .filter(([field, policy]) => containsUnknown(after[field]) || !policy.same(before[field], after[field], now))
    .map(([field]) => field);
}

/** The policies of the fields that an object at the API can be compared in. */
export function policiesAtApi(policies: ChangePolicies): ChangePolicies {
  return Object.fromEntries(Object.entries(policies).filter(([, { isLocal }]) => !isLocal));
}

/**
 * The inputs with the earlier spelling wherever it means the same, so that neither the engine's own comparison nor the
 * state ever shows a reordered list or a differently written date as a change.
 */
export function keepSpelling(
  policies: ChangePolicies,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  now: number,
): Record<string, unknown> {
  const kept: Record<string, unknown> = { ...after };
  const changed = new Set(changedFields(policies, before, after, now));
  for (const field of Object.keys(policies)) {
    if (changed.has(field)) continue;
    if (before[field] === undefined) Reflect.deleteProperty(kept, field);
    else kept[field] = before[field];
  }
  return kept;
}
