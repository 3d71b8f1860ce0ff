import type { FieldChanges, FieldValue } from "../model/operations";

/** The old and new values of the members that an update changes. The list has no null: it is an empty text. */
export function changesBetween(before: object, members: object): FieldChanges {
  const was = before as Readonly<Record<string, unknown>>;
  const changed = Object.entries(members).filter(
    ([name, value]) => JSON.stringify(was[name]) !== JSON.stringify(value),
  );
  return Object.fromEntries(
    changed.map(([name, to]) => [name, { from: (was[name] ?? "") as FieldValue, to: (to ?? "") as FieldValue }]),
  );
}

/** The members that a request gave; an absent one changes nothing. */
export function given<T extends object>(members: T): Given<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** Members of which none is undefined. */
export type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The same without one member. */
export function without<T extends object, K extends keyof T>(object: T, name: K): Omit<T, K> {
  const rest = { ...object };
  Reflect.deleteProperty(rest, name);
  return rest;
}
