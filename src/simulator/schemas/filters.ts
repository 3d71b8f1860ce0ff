import { z } from "zod";
import { booleanOf, integerOf, tagsFilter } from "./list";
import { dateTimeInput, resourceStatus } from "./primitives";

/** A filter of a list: what a query may say, and whether an object is meant. */
export interface Filter<T, V = unknown> {
  readonly schema: z.ZodType<V>;
  matches(object: T, wanted: V, nowMs: number): boolean;
}

/** The filters of a list by the names of their parameters (section 2.1 shows none; those of the public clients). */
export type Filters<T> = Readonly<Record<string, Filter<T>>>;

/** A filter for objects with exactly this value. */
export function equals<T>(schema: z.ZodType, valueOf: (object: T) => unknown): Filter<T> {
  return { schema: schema.optional(), matches: (object, wanted) => valueOf(object) === wanted };
}

/** The filters `<name>_min` and `<name>_max`, which include their bounds. */
export function between<T>(
  name: string,
  schema: z.ZodType,
  valueOf: (object: T) => number,
  read: (bound: unknown) => number = Number,
): Filters<T> {
  return {
    [`${name}_min`]: { schema: schema.optional(), matches: (object, bound) => valueOf(object) >= read(bound) },
    [`${name}_max`]: { schema: schema.optional(), matches: (object, bound) => valueOf(object) <= read(bound) },
  };
}

/** The filters of lists of what happens in time. */
export function createdBetween<T>(createdAtMs: (object: T) => number): Filters<T> {
  return between("created_at", dateTimeInput, createdAtMs, (bound) => Date.parse(String(bound)));
}

/** The filter for a part of a text, in any case. */
export function partOf<T>(name: keyof T & string): Filters<T> {
  const matches = (object: T, wanted: unknown): boolean =>
    String(object[name]).toLowerCase().includes(String(wanted).toLowerCase());
  return { [name]: { schema: z.string().optional().describe(`A part of the ${name}, in any case`), matches } };
}

/** The filters on members of an object, by their schemas. */
export function filtersOf<T>(names: readonly (keyof T & string)[], shape: z.ZodRawShape): Filters<T> {
  return Object.assign(
    {},
    ...names.map((name): Filters<T> => {
      if (name === "name") return partOf<T>(name);
      return {
        [name]: name === "tags" ? byTags : equals(queryOf(shape[name] as z.ZodType), (object: T) => object[name]),
      };
    }),
  ) as Filters<T>;
}

const byTags: Filter<unknown> = {
  schema: tagsFilter,
  matches(object, wanted) {
    const { tags } = object as { readonly tags: readonly string[] };
    return (wanted as readonly string[]).every((tag) => tags.includes(tag));
  },
};

/** A query is text, and nothing is found that is deleted. */
function queryOf(schema: z.ZodType): z.ZodType {
  const values = schema instanceof z.ZodNullable ? (schema.unwrap() as z.ZodType) : schema;
  if (values === resourceStatus) return resourceStatus.exclude(["deleted"]);
  if (values instanceof z.ZodBoolean) return booleanOf;
  return values instanceof z.ZodString || values instanceof z.ZodEnum ? values : integerOf(values);
}

/** All filters as one function. Undefined without filters, so that only the page is read. */
export function matchesOf<T>(
  filters: Filters<T>,
  wanted: Readonly<Record<string, unknown>>,
  nowMs: number,
): ((object: T) => boolean) | undefined {
  const tests = Object.entries(filters).filter(([name]) => wanted[name] !== undefined);
  if (tests.length === 0) return undefined;
  return (object) => tests.every(([name, filter]) => filter.matches(object, wanted[name], nowMs));
}
