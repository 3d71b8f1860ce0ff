import { membersOf } from "../../definition/definition";
import { inPresentNames, sameOf } from "../../definition/compare-fields";
import { isRecord, sameValue } from "../../definition/compare-values";
import type { Props } from "../../definition/rule-context";
import type { Field, Fields } from "../../definition/types";
import { containsUnknown } from "../../engine/values";

/**
 * The fields with different values. An unknown value counts as different, and so does a named part that no longer
 * exists.
 */
export function changedFields(fields: Fields, before: Props, after: Props, now: number): string[] {
  return changes(fields, before, after, now).map(([name]) => name);
}

function changes(fields: Fields, before: Props, after: Props, now: number): [name: string, field: Field][] {
  return Object.entries(fields).filter(([name, field]) => {
    const [old, present, same] = [before[name], after[name], sameOf(field)];
    return containsUnknown(present) || !same(old, present, now) || (isListOfParts(field) && !same(present, old, now));
  });
}

/**
 * The fields whose value at the API differs from the program's. `fields`: those that the API shows. Fields that the
 * response does not show, and parts that the program does not name, do not count.
 */
export function differingFields(fields: Fields, shown: Props, inputs: Props, now: number): string[] {
  const isOtherwise = ([name, field]: [string, Field]): boolean => {
    const [present, wanted, same] = [shown[name], inputs[name], sameOf(field)];
    if (present === undefined) return false;
    return containsUnknown(wanted) || !(isListOfParts(field) ? same(wanted, present, now) : same(present, wanted, now));
  };
  return Object.entries(fields)
    .filter(isOtherwise)
    .map(([name]) => name);
}

/** The changed fields that the API cannot change in place, so that a new object replaces the old one. */
export function replacingFields(fields: Fields, before: Props, after: Props, now: number): string[] {
  const isReplacing = ([name, field]: [string, Field]): boolean => {
    // The object was imported, so the value was not known until now. It is no change: the update only saves it in the
    // state.
    if (before[name] === undefined && isUnseen(field, undefined)) return false;
    const [old, wanted] = [before, after].map((values) => inPresentNames(field.type, values[name]));
    const differs = (member: string): boolean =>
      isRecord(old) && isRecord(wanted) && !sameValue(old[member], wanted[member]);
    return field.change === "replace" || replacingMembers(field).some(differs);
  };
  return changes(fields, before, after, now)
    .filter(isReplacing)
    .map(([name]) => name);
}

/** Only the parts that the program names belong to the resource. */
export function isListOfParts({ part, type }: Field): boolean {
  return part !== undefined && type.kind === "list";
}

/** The members of a part that cause a replacement, although the others change in place. */
export function replacingMembers(field: Field): readonly string[] {
  if (field.part === undefined) return [];
  const members = Object.entries(membersOf(field));
  return members.filter(([, { change }]) => change === "replace").map(([name]) => name);
}

/**
 * True if the value, or a member of it, is not known, because the API never shows it and the object was imported. Only
 * for a value that every object has.
 */
export function isUnseen(field: Field, value: unknown): boolean {
  if (isRecord(value)) return Object.keys(unshownMembers(field)).some((member) => value[member] === undefined);
  const isRequired = field.optional !== true && field.default === undefined && field.configured === undefined;
  return field.shown === "never" && isRequired && value === undefined;
}

/** The required members of the value that the API never shows. */
export function unshownMembers({ type }: Field): Fields {
  const members = type.kind === "object" ? Object.entries(type.members) : [];
  return Object.fromEntries(members.filter(([, { shown, presence }]) => shown === "never" && presence !== "optional"));
}

/** True if the program now gives a value that was not known until now (see `isUnseen`). */
export function isNewlyGiven(fields: Fields, before: Props, after: Props): boolean {
  return Object.entries(fields).some(
    ([name, field]) => isUnseen(field, before[name]) && after[name] !== undefined && !isUnseen(field, after[name]),
  );
}

/**
 * The inputs, with the earlier spelling of every equal value. So a reordered list or another date format is no change,
 * neither in the engine's comparison nor in the state.
 */
export function keepSpelling(fields: Fields, before: Props, after: Props, now: number): Record<string, unknown> {
  const kept: Record<string, unknown> = { ...after };
  const changed = new Set(changedFields(fields, before, after, now));
  for (const [name, field] of Object.entries(fields)) {
    if (changed.has(name) || isUnseen(field, before[name])) continue;
    if (before[name] === undefined) Reflect.deleteProperty(kept, name);
    else kept[name] = before[name];
  }
  return kept;
}
