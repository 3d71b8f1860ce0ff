import { isRecord, sameInstant, sameSet, sameValue, type Same } from "./compare-values";
import { memoize } from "./memoize";
import type { Props } from "./rule-context";
import type { Fields, ValueType, Field } from "./types";

/** Replaces former names in a value by the API's present ones. */
export function inPresentNames(type: ValueType, value: unknown): unknown {
  if (type.kind === "oneOf") return type.enumeration?.renamed?.[String(value)] ?? value;
  if (type.kind === "list" && Array.isArray(value)) return value.map((item) => inPresentNames(type.item, item));
  return type.kind === "object" && isRecord(value) ? valuesInPresentNames(type.members, value) : value;
}

/** As `inPresentNames`, for all fields of an object. */
export function valuesInPresentNames<Values extends Props>(fields: Fields, values: Values): Values {
  const present = Object.entries(values).map(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [name, field ? inPresentNames(field.type, value) : value];
  });
  return Object.fromEntries(present) as Values;
}

/** True if a value of this type can have a former name. */
function hasFormerNames(type: ValueType): boolean {
  if (type.kind === "list") return hasFormerNames(type.item);
  if (type.kind === "object") return Object.values(type.members).some((member) => hasFormerNames(member.type));
  return type.kind === "oneOf" && type.enumeration?.renamed !== undefined;
}

/**
 * The comparison of two values of a field as the API sees them. A missing value equals the default, and a former name
 * equals the present one.
 */
export const sameOf = memoize((field: Field): Same => {
  const { type, default: none } = field;
  const sameGiven = sameOfGiven(field);
  const isLeftToApi = field.presence === "optional" && field.shown === "always";
  const same: Same = isLeftToApi
    ? (before, after, now) => after === undefined || sameGiven(before, after, now)
    : sameGiven;
  if (!hasFormerNames(type) && none === undefined) return same;
  const present = (value: unknown): unknown => inPresentNames(type, value ?? none);
  return (before, after, now) => same(present(before), present(after), now);
});

function sameOfGiven(field: Field): Same {
  const { same, unordered, type, part } = field;
  if (same) return same;
  if (unordered === true) return sameSet;
  if (part !== undefined && type.kind === "object") return sameMembers(type.members);
  if (part !== undefined && type.kind === "list" && type.item.kind === "object") return sameNamed(type.item.members);
  return type.kind === "instant" ? sameInstant : sameValue;
}

/** Compares objects member by member. */
function sameMembers(members: Fields): Same {
  return (before, after, now) => {
    if (!isRecord(before) || !isRecord(after)) return sameValue(before, after);
    return Object.entries(members).every(([name, member]) => sameOf(member)(before[name], after[name], now));
  };
}

/**
 * True if the second list has each item of the first, by name. Additional items of the second list do not belong to the
 * resource. A program without the list has no items.
 */
function sameNamed(members: Fields): Same {
  const isSame = sameMembers(members);
  return (before, after, now) => {
    if (after === undefined) return true;
    const others = Array.isArray(after) ? after.filter(isRecord) : [];
    const own = Array.isArray(before) ? before.filter(isRecord) : [];
    return own.every((one) => others.some((other) => one["name"] === other["name"] && isSame(one, other, now)));
  };
}
