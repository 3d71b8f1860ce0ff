import { isRecord } from "../definition/compare-values";

/**
 * The engine's placeholder for a value that is unknown before the update. Written here with the next two, because
 * Pulumi's SDK, which exports them, takes 0.1 s to load.
 */
export const UNKNOWN: string = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const MARK_KEY = "4dabf18193072939515e22adb298388d";
const SECRET_MARK = "1b47061264138c4ac30d75fd1eb44270";

export function isUnknown(value: unknown): boolean {
  return value === UNKNOWN;
}

/** True if the value, or a value inside it, is not known yet. */
export function containsUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  if (Array.isArray(value)) return value.some(containsUnknown);
  if (isRecord(value)) return Object.values(value).some(containsUnknown);
  return false;
}

/**
 * True if the path leads to or through an unknown value. (A list with unknown items is known, because it has a length.)
 */
export function unknownAt(root: unknown, path: readonly PropertyKey[]): boolean {
  let value = root;
  for (const key of path) {
    if (isUnknown(value)) return true;
    if (typeof value !== "object" || value === null) return false;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return isUnknown(value);
}

/** Marks a value as secret for the engine: encrypted in the state, `[secret]` on the screen. */
export function asSecret(value: unknown): Record<string, unknown> {
  return { [MARK_KEY]: SECRET_MARK, value };
}

export function isSecret(value: unknown): boolean {
  return isRecord(value) && value[MARK_KEY] === SECRET_MARK;
}

/** True if the value, or a value inside it, is marked as secret. */
export function containsSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(containsSecret);
  return isSecret(value) || (isRecord(value) && Object.values(value).some(containsSecret));
}

/** The texts, numbers and booleans that are marked as secret, at any depth. */
export function secretTexts(value: unknown, isMarked = false): readonly string[] {
  if (typeof value !== "object" || value === null) {
    const isText = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return isMarked && isText ? [String(value)] : [];
  }
  if (isSecret(value)) return secretTexts((value as { readonly value?: unknown }).value, true);
  return Object.values(value).flatMap((member) => secretTexts(member, isMarked));
}

/** A value without secret marks, at any depth. */
export function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapped);
  if (!isRecord(value)) return value;
  if (isSecret(value)) return unwrapped(value["value"]);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unwrapped(inner)]));
}

/** The object without undefined members, which the engine's wire format cannot carry. */
export function withoutUndefined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The object without undefined and null members: a program that gives `name: null` gives no name. */
export function withoutAbsent(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}

/** As `withoutAbsent`, also for the objects inside. */
export function withoutAbsentInside(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside);
    return isRecord(value) ? withoutAbsentInside(value) : value;
  };
  return Object.fromEntries(Object.entries(withoutAbsent(values)).map(([name, value]) => [name, inside(value)]));
}

/**
 * True if a value contains no output, promise or resource. Such a value is known and not secret, so it needs no
 * `pulumi.output`, which takes long for a program with many resources: it makes an output of each value inside.
 */
export function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  const isContainer = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isContainer && Object.values(value).every(isPlain);
}

/**
 * The inputs in the answer of a check. In an update, the engine fails for a planned value that is unknown, and shows no
 * failure. So if the check refuses the resource, and has made a value unknown, the answer has the program's inputs.
 */
export function answeredInputs<Inputs extends object>(sent: Inputs, completed: Inputs, isRefused: boolean): Inputs {
  return isRefused && containsUnknown(completed) && !containsUnknown(sent) ? sent : completed;
}
