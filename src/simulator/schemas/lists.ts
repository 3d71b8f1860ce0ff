import { z } from "zod";
import { dateTimeInput, resourceStatus } from "./primitives";

/** The largest page. The specification shows no limit. */
const maximumLimit = 100;

/** The default page size. The specification shows none. */
const defaultLimit = 20;

/** Pagination of a list response (section 2.1; its fields are those of the public clients). */
const paginationSchema = z.object({
  next_cursor: z.string().nullable(),
  previous_cursor: z.string().nullable(),
  total_count: z.int().describe("The number of all matches, not of those on the page"),
});

/** A list response (section 2.1). */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), pagination: paginationSchema });
}

/** An integer of a query, which comes as text. Only digits are valid, so that an empty text is not 0. */
export function integerOf<T extends z.ZodType>(schema: T) {
  return z.preprocess((text) => (/^-?\d{1,15}$/.test(String(text)) ? Number(text) : text), schema);
}

/** A number of a query, possibly with a fraction. */
export const numberOf = z.preprocess(
  (text) => (/^-?\d{1,15}(\.\d{1,6})?$/.test(String(text)) ? Number(text) : text),
  z.number({ error: "must be a number" }),
);

export const booleanOf = z.preprocess(
  (text) => (text === "true" ? true : text === "false" ? false : text),
  z.boolean({ error: "must be true or false" }),
);

export const pageQuery = z.object({
  cursor: z.string().optional().describe("A cursor of an earlier page, with the same filters and order"),
  limit: integerOf(z.int().min(1).max(maximumLimit)).default(defaultLimit),
});

/**
 * The order of a list (not in the specification; that of the public clients): one or more fields, each with a
 * direction.
 */
export function sortBy(...fields: readonly string[]) {
  const term = `(?:${fields.join("|")}):(?:asc|desc)`;
  const reason = `must be one or more of ${fields.join(", ")}, each with :asc or :desc, joined by commas`;
  return z
    .string()
    .regex(new RegExp(`^${term}(?:,${term})*$`), reason)
    .optional();
}

/** Texts of a query, repeated or joined by commas. */
export const textList = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [given].flat().flatMap((text) => text.split(",")));

/** The project, which most lists of project resources require (section 4, rule 1). */
export const projectIdFilter = z.string().min(1, "is required");

/** A filter of a list: the valid values, and whether an object matches. */
interface Filter<T, V = unknown> {
  readonly schema: z.ZodType<V>;
  matches(object: T, wanted: V, nowMs: number): boolean;
}

/** The filters of a list by the names of their parameters (section 2.1 shows none; those of the public clients). */
export type Filters<T> = Readonly<Record<string, Filter<T>>>;

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

/** The filters of lists that are ordered by time. */
export function createdBetween<T>(createdAtMs: (object: T) => number): Filters<T> {
  return between("created_at", dateTimeInput, createdAtMs, (bound) => Date.parse(String(bound)));
}

/** A filter for a part of a text, ignoring case. */
export function containing<T>(name: keyof T & string): Filters<T> {
  const matches = (object: T, wanted: unknown): boolean =>
    String(object[name]).toLowerCase().includes(String(wanted).toLowerCase());
  return { [name]: { schema: z.string().optional().describe(`A part of the ${name}, ignoring case`), matches } };
}

/** The filters on members of an object, by their schemas. */
export function filtersOf<T>(names: readonly (keyof T & string)[], shape: z.ZodRawShape): Filters<T> {
  return Object.assign(
    {},
    ...names.map((name): Filters<T> => {
      if (name === "name") return containing<T>(name);
      return {
        [name]: name === "tags" ? byTags : equals(queryOf(shape[name] as z.ZodType), (object: T) => object[name]),
      };
    }),
  ) as Filters<T>;
}

/** An object must have all of the tags. */
const byTags: Filter<unknown> = {
  schema: textList.optional(),
  matches(object, wanted) {
    const { tags } = object as { readonly tags: readonly string[] };
    return (wanted as readonly string[]).every((tag) => tags.includes(tag));
  },
};

/** The schema of a filter, from that of the stored member. A query is text, and lists have no deleted objects. */
function queryOf(schema: z.ZodType): z.ZodType {
  const values = schema instanceof z.ZodNullable ? (schema.unwrap() as z.ZodType) : schema;
  if (values === resourceStatus) return resourceStatus.exclude(["deleted"]);
  if (values instanceof z.ZodBoolean) return booleanOf;
  return values instanceof z.ZodString || values instanceof z.ZodEnum ? values : integerOf(values);
}

/** Combines all filters into one function. */
export function matchesOf<T>(
  filters: Filters<T>,
  wanted: Readonly<Record<string, unknown>>,
  nowMs: number,
): (object: T) => boolean {
  const tests = Object.entries(filters).filter(([name]) => wanted[name] !== undefined);
  return (object) => tests.every(([name, filter]) => filter.matches(object, wanted[name], nowMs));
}
