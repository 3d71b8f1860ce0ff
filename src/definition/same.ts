import { isRecord, sameInstant, sameSet, sameValue, type Same } from "./values";
import type { Props } from "./rules";
import type { Fields, ValueType, Field } from "./types";

/** A value with the API's present names in place of former ones. */
export function inPresentNames(type: ValueType, value: unknown): unknown {
  if (type.kind === "oneOf") return type.enumeration?.renamed?.[String(value)] ?? value;
  if (type.kind === "list" && Array.isArray(value)) return value.map((item) => inPresentNames(type.item, item));
  return type.kind === "object" && isRecord(value) ? valuesInPresentNames(type.members, value) : value;
}

/** Values of fields with the API's present names. */
export function valuesInPresentNames<Values extends Props>(fields: Fields, values: Values): Values {
  const present = Object.entries(values).map(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [name, field ? inPresentNames(field.type, value) : value];
  });
  return Object.fromEntries(present) as Values;
}

/** Whether a value of this type can have a former name. */
function hasFormerNames(type: ValueType): boolean {
  if (type.kind === "list") return hasFormerNames(type.item);
  if (type.kind === "object") return Object.values(type.members).some((member) => hasFormerNames(member.type));
  return type.kind === "oneOf" && type.enumeration?.renamed !== undefined;
}

/** When two values of a field mean the same to the API. None is the default, and a former name is the present one. */
export function sameOf(field: Field): Same {
  const { type, default: none } = field;
  const same = sameInPresentNames(field);
  if (!hasFormerNames(type) && none === undefined) return same;
  const present = (value: unknown): unknown => inPresentNames(type, value ?? none);
  return (before, after, now) => same(present(before), present(after), now);
}

function sameInPresentNames(field: Field): Same {
  const { same, unordered, type, part } = field;
  if (same) return same;
  if (unordered === true) return sameSet;
  if (part !== undefined && type.kind === "object") return sameMembers(type.members);
  if (part !== undefined && type.kind === "list" && type.item.kind === "object") return sameNamed(type.item.members);
  return type.kind === "instant" ? sameInstant : sameValue;
}

/** Objects that are the same member by member. */
function sameMembers(members: Fields): Same {
  return (before, after, now) => {
    if (!isRecord(before) || !isRecord(after)) return sameValue(before, after);
    return Object.entries(members).every(([name, member]) => sameOf(member)(before[name], after[name], now));
  };
}

/**
 * True if the second list has each item of the first, by its name. Other items of the second list came later and are no part
 * of the resource. A program without a list does not mention them.
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
