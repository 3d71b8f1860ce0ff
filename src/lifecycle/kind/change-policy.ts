import { isRecord, sameValue, type Same } from "../../definition/compare-values";
import { containsUnknown } from "../../engine/values";
import type { Props } from "../../definition/rule-context";
import type { Action } from "../../definition/types";

/** The effect of changing a field, and the field's effect on the price. */
export interface ChangePolicy {
  /** `update`: a PATCH changes the field in place. `replace`: the API cannot change it, so a new object replaces the old one. */
  readonly change: "update" | "replace";
  /** The members of an object that cause a replacement, although the others change in place. */
  readonly replacingMembers: readonly string[];
  /** Replaces former names of enumeration values by the present ones. */
  readonly inPresentNames: (value: unknown) => unknown;
  /** True if the value is a separate object at the API (a part). */
  readonly isPart: boolean;
  /** True if it is a list of parts. Only those that the program names belong to the resource. */
  readonly isNamedOnly: boolean;
  /** False if the API never shows the field. */
  readonly isShown: boolean;
  /** The required members of the value that the API never shows, each with a placeholder for quotes. */
  readonly unshownMembers: Readonly<Record<string, (now: number) => unknown>>;
  /** True if every object has the field. */
  readonly isRequired: boolean;
  readonly same: Same;
  /** True if the price can depend on the field, or if the path of the quote needs it. A change then needs a new quote. */
  readonly priced: boolean;
  /** True if the value is a project id, or a list of them. */
  readonly isProject: boolean;
  /** True if the API has no such member. Only check and the state have the field. */
  readonly isLocal: boolean;
  /** The requests that change the field, if the update request has no such member. */
  readonly actions?: ((before: unknown, after: unknown) => readonly Action[]) | undefined;
  /**
   * A stand-in for a value that is still unknown, for quotes. `now` is in epoch milliseconds. It is used for required fields that do
   * not affect the price. Other unknown fields are left out of the quote.
   */
  placeholder(now: number): unknown;
}

export type ChangePolicies = Readonly<Record<string, ChangePolicy>>;

/** The fields with different values. An unknown value counts as different, and so does a named part that no longer exists. */
export function changedFields(policies: ChangePolicies, before: Props, after: Props, now: number): string[] {
  return Object.entries(policies)
    .filter(([field, { same, isNamedOnly }]) => {
      const [old, present] = [before[field], after[field]];
      return containsUnknown(present) || !same(old, present, now) || (isNamedOnly && !same(present, old, now));
    })
    .map(([field]) => field);
}

/**
 * The fields whose value at the API differs from the program's. `policies`: those of the fields that the API shows. Fields that the response
 * does not show, and parts that the program does not name, do not count.
 */
export function differingFields(policies: ChangePolicies, shown: Props, inputs: Props, now: number): string[] {
  const isOtherwise = ([field, { same, isNamedOnly }]: [string, ChangePolicy]): boolean => {
    const [present, wanted] = [shown[field], inputs[field]];
    if (present === undefined) return false;
    return containsUnknown(wanted) || !(isNamedOnly ? same(wanted, present, now) : same(present, wanted, now));
  };
  return Object.entries(policies)
    .filter(isOtherwise)
    .map(([field]) => field);
}

/** The changed fields that the API cannot change in place, so that a new object replaces the old one. */
export function replacingFields(policies: ChangePolicies, before: Props, after: Props, now: number): string[] {
  return changedFields(policies, before, after, now).filter((field) => {
    // The object was imported, so the value was not known until now. It is no change: the update only saves it in the state.
    if (before[field] === undefined && isUnseen(policies[field], undefined)) return false;
    const {
      change = "update",
      replacingMembers = [],
      inPresentNames: present = (value: unknown) => value,
    } = policies[field] ?? {};
    const [old, wanted] = [present(before[field]), present(after[field])];
    const differs = (member: string): boolean =>
      isRecord(old) && isRecord(wanted) && !sameValue(old[member], wanted[member]);
    return change === "replace" || replacingMembers.some(differs);
  });
}

/**
 * True if the value, or a member of it, is not known, because the API never shows it and the object was imported. Only for a value
 * that every object has.
 */
export function isUnseen(policy: ChangePolicy | undefined, value: unknown): boolean {
  if (policy === undefined) return false;
  if (isRecord(value)) return Object.keys(policy.unshownMembers).some((member) => value[member] === undefined);
  return !policy.isShown && policy.isRequired && value === undefined;
}

/** True if the program now gives a value that was not known until now (see `isUnseen`). */
export function isNewlyGiven(policies: ChangePolicies, before: Props, after: Props): boolean {
  return Object.entries(policies).some(
    ([field, policy]) =>
      isUnseen(policy, before[field]) && after[field] !== undefined && !isUnseen(policy, after[field]),
  );
}

/**
 * The inputs, with the earlier spelling of every equal value. So a reordered list or another date format is no change, neither in the
 * engine's comparison nor in the state.
 */
export function keepSpelling(
  policies: ChangePolicies,
  before: Props,
  after: Props,
  now: number,
): Record<string, unknown> {
  const kept: Record<string, unknown> = { ...after };
  const changed = new Set(changedFields(policies, before, after, now));
  for (const field of Object.keys(policies)) {
    if (changed.has(field) || isUnseen(policies[field], before[field])) continue;
    if (before[field] === undefined) Reflect.deleteProperty(kept, field);
    else kept[field] = before[field];
  }
  return kept;
}
