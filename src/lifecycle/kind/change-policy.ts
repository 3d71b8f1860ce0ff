import { isRecord, sameValue, type Same } from "../../definition/values";
import { containsUnknown } from "../../engine/values";
import type { Props } from "../../definition/rules";
import type { Action } from "../../definition/types";

/** The effect of changing a field, and the field's effect on the price. */
export interface ChangePolicy {
  /** `update`: PATCH changes it in place. `replace`: the API cannot change it, so a new object replaces the old one. */
  readonly change: "update" | "replace";
  /** The members of an object that cause a replacement, although the others change in place. */
  readonly replacingMembers: readonly string[];
  /** A value with the API's present names. */
  readonly inPresentNames: (value: unknown) => unknown;
  /** Whether it is an object with its own endpoints at the API. */
  readonly isPart: boolean;
  /** Whether it is a list of such objects. Only those that the program names belong to the resource. */
  readonly isNamedOnly: boolean;
  /** Whether the API ever shows it. */
  readonly isShown: boolean;
  /** The members of an object that the API never shows, with a value for a quote. */
  readonly unshownMembers: Readonly<Record<string, (now: number) => unknown>>;
  /** Whether every object has it. */
  readonly isRequired: boolean;
  readonly same: Same;
  /** Whether the price can depend on the field, or the quote's path needs it. A change then asks for a new quote. */
  readonly priced: boolean;
  /** Whether it is a project, or a list of them. */
  readonly isProject: boolean;
  /** Whether only check and the state have the field. The API has no such member. */
  readonly isLocal: boolean;
  /** The requests that change the field, if the update request has no such member. */
  readonly actions?: ((before: unknown, after: unknown) => readonly Action[]) | undefined;
  /**
   * The value for a quote while the real one is unknown, at this time. For required fields that do not affect the price;
   * others are left out.
   */
  placeholder(now: number): unknown;
}

export type ChangePolicies = Readonly<Record<string, ChangePolicy>>;

/** The fields with different values. An unknown value counts as different, and so does a named part that there no longer is. */
export function changedFields(
  policies: ChangePolicies,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  now: number,
): string[] {
  return Object.entries(policies)
    .filter(([field, { same, isNamedOnly }]) => {
      const [old, present] = [before[field], after[field]];
      return containsUnknown(present) || !same(old, present, now) || (isNamedOnly && !same(present, old, now));
    })
    .map(([field]) => field);
}

export function policiesAtApi(policies: ChangePolicies): ChangePolicies {
  return Object.fromEntries(Object.entries(policies).filter(([, { isLocal }]) => !isLocal));
}

export function pricedPolicies(policies: ChangePolicies): ChangePolicies {
  return Object.fromEntries(Object.entries(policies).filter(([, { priced }]) => priced));
}

/** The policies of the fields that the API shows, and so can be compared. */
export function policiesShown(policies: ChangePolicies): ChangePolicies {
  return Object.fromEntries(Object.entries(policies).filter(([, { isLocal, isShown }]) => !isLocal && isShown));
}

/** The fields that an object shows otherwise than the program has them. What the response does not show, or the program does not name, says nothing. */
export function fieldsShownOtherwise(policies: ChangePolicies, shown: Props, inputs: Props, now: number): string[] {
  const isOtherwise = ([field, { same, isNamedOnly }]: [string, ChangePolicy]): boolean => {
    const [present, wanted] = [shown[field], inputs[field]];
    if (present === undefined) return false;
    return containsUnknown(wanted) || !(isNamedOnly ? same(wanted, present, now) : same(present, wanted, now));
  };
  return Object.entries(policiesShown(policies))
    .filter(isOtherwise)
    .map(([field]) => field);
}

/** The different fields that the API cannot change: a new object replaces the old one. */
export function replacingFields(
  policies: ChangePolicies,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  now: number,
): string[] {
  return changedFields(policies, before, after, now).filter((field) => {
    // The program says what an imported object was made with. The update puts it into the state.
    if (before[field] === undefined && isUnseen(policies[field], undefined)) return false;
    const {
      change = "update",
      replacingMembers = [],
      inPresentNames: present = (value: unknown) => value,
    } = policies[field] ?? {};
    const [old, wanted] = [present(before[field]), present(after[field])];
    return change === "replace" || replacingMembers.some((member) => differsIn(member, old, wanted));
  });
}

/**
 * Whether nobody knows the value, or a member of it: every object has one, the API never shows it, and the object was imported.
 */
export function isUnseen(policy: ChangePolicy | undefined, value: unknown): boolean {
  if (policy === undefined) return false;
  if (isRecord(value)) return Object.keys(policy.unshownMembers).some((member) => value[member] === undefined);
  return !policy.isShown && policy.isRequired && value === undefined;
}

/** Whether the program says for the first time what nobody knew of an imported object. */
export function isNewlySaid(
  policies: ChangePolicies,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(policies).some(
    ([field, policy]) =>
      isUnseen(policy, before[field]) && after[field] !== undefined && !isUnseen(policy, after[field]),
  );
}

function differsIn(member: string, before: unknown, after: unknown): boolean {
  return isRecord(before) && isRecord(after) && !sameValue(before[member], after[member]);
}

/**
 * The inputs, with the earlier spelling of every equal value. So neither the engine's comparison nor the state shows a
 * reordered list or another date format as a change.
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
    if (changed.has(field) || isUnseen(policies[field], before[field])) continue;
    if (before[field] === undefined) Reflect.deleteProperty(kept, field);
    else kept[field] = before[field];
  }
  return kept;
}
