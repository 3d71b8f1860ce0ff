import type { Field, Fields } from "../../../src/definition/types";
import { isRecord } from "../../../src/definition/compare-values";
import { wireName } from "../../../src/definition/wire";

export type Step = readonly [name: string, field: Field];

/** A field of a definition, at any level. */
export interface FieldAt {
  readonly path: readonly Step[];
  readonly field: Field;
  /** True if the API has it and answers show it. */
  readonly isShown: boolean;
}

/** All fields, including those of nested objects and of objects in lists. */
export function fieldsIn(fields: Fields, above: readonly Step[] = []): FieldAt[] {
  return Object.entries(fields).flatMap(([name, field]): FieldAt[] => {
    const path: readonly Step[] = [...above, [name, field]];
    const isShown = path.every(
      ([, { local, part, shown }]) => local !== true && part === undefined && shown !== "never",
    );
    const inner = field.type.kind === "list" ? field.type.item : field.type;
    return [{ path, field, isShown }, ...(inner.kind === "object" ? fieldsIn(inner.members, path) : [])];
  });
}

/** Its path, as in `bootVolume.tags`. */
export function nameOf(path: readonly Step[]): string {
  return path.map(([name]) => name).join(".");
}

/** A request without a member. */
export function withoutPath(body: unknown, [step, ...rest]: readonly Step[]): object {
  if (Array.isArray(body)) return body.map((item) => withoutPath(item, step ? [step, ...rest] : []));
  if (!isRecord(body) || !step) return body as object;
  const { [wireName(...step)]: value, ...others } = body;
  return rest.length === 0 || value === undefined
    ? others
    : { ...others, [wireName(...step)]: withoutPath(value, rest) };
}

/** A member of an object, or of a list's first item. */
export function memberAt(value: unknown, path: readonly Step[]): unknown {
  return path.reduce((at: unknown, [name]) => {
    const object: unknown = Array.isArray(at) ? at[0] : at;
    return isRecord(object) ? object[name] : undefined;
  }, value);
}

/** The empty value of the same type. */
export function noneLike(value: unknown): unknown {
  if (typeof value === "boolean") return false;
  if (Array.isArray(value)) return [];
  return isRecord(value) ? Object.fromEntries(Object.keys(value).map((key) => [key, noneLike(value[key])])) : undefined;
}

/** A copy of the values with a changed one at a path. If the path leads through a list, each item changes. */
export function within(
  values: unknown,
  [step, ...rest]: readonly Step[],
  change: (present: unknown) => unknown,
): unknown {
  if (!step) return change(values);
  if (Array.isArray(values)) return values.map((item) => within(item, [step, ...rest], change));
  return isRecord(values) ? { ...values, [step[0]]: within(values[step[0]], rest, change) } : values;
}
