import type { Action } from "../definition/requests";
import { isRecord } from "../definition/record";
import { sameValue, type Same } from "../definition/same";
import { containsUnknown } from "./engine-values";

/** What changing a field does, and what the field means for the price. */
export interface ChangePolicy {
  /** `update`: changed in place by PATCH. `replace`: the API cannot change it, so a new object takes the old one's place. */
  readonly change: "update" | "replace";
  /** The members of an object that replace although the others are changed in place. */
  readonly replacingMembers: readonly string[];
  /** Whether it is an object of its own at the API, with endpoints of its own. */
  readonly isPart: boolean;
  /** Whether it is a list of such objects: only those that the program names belong to the resource. */
  readonly isNamedOnly: boolean;
  /** Whether the API ever shows it. */
  readonly isShown: boolean;
  readonly same: Same;
  /** Whether the price can depend on the field, or the quote's path needs it: then a change asks for a new quote. */
  readonly priced: boolean;
  /** Whether the field is between check and the state alone: the API has no such member, so no object there can tell it. */
  readonly isLocal: boolean;
  /** The requests that change the field, where it is no member of the update request. */
  readonly actions?: ((before: unknown, after: unknown) => readonly Action[]) | undefined;
  /**
   * What a quote is asked with while the value is not known yet, at this time. For fields that are required and that the
   * price cannot depend on; others are left out.
   */
  placeholder(now: number): unknown;
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

/** The policies of the fields that the API shows: an object at the API can be compared in these. */
export function policiesShown(policies: ChangePolicies): ChangePolicies {
  return Object.fromEntries(Object.entries(policies).filter(([, { isLocal, isShown }]) => !isLocal && isShown));
}

/** The fields whose value differs in what the API cannot change: a new object takes the old one's place. */
export function replacingFields(
  policies: ChangePolicies,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  now: number,
): string[] {
  return changedFields(policies, before, after, now).filter((field) => {
    const { change = "update", replacingMembers = [] } = policies[field] ?? {};
    return change === "replace" || replacingMembers.some((member) => differsIn(member, before[field], after[field]));
  });
}

function differsIn(member: string, before: unknown, after: unknown): boolean {
  return isRecord(before) && isRecord(after) && !sameValue(before[member], after[member]);
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
