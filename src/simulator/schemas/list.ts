import { z } from "zod";

/** The largest page; the specification shows none. */
export const maximumLimit = 100;

/** The default page size. The specification shows none. */
export const defaultLimit = 20;

/** Pagination of a list response (section 2.1; its fields are those of the public clients). */
export const paginationSchema = z.object({
  next_cursor: z.string().nullable(),
  previous_cursor: z.string().nullable(),
  total_count: z.int().describe("All matches, not those of the page"),
});

/** A list response (section 2.1). */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), pagination: paginationSchema });
}

/** An integer of a query, which comes as text: only digits are one, so that an empty text is not 0. */
export function integerOf<T extends z.ZodType>(schema: T) {
  return z.preprocess((text) => (/^-?\d{1,15}$/.test(String(text)) ? Number(text) : text), schema);
}

/** A number of a query, a fraction too. */
export const numberOf = z.preprocess(
  (text) => (/^-?\d{1,15}(\.\d{1,6})?$/.test(String(text)) ? Number(text) : text),
  z.number({ error: "must be a number" }),
);

/** A boolean of a query. */
export const booleanOf = z.preprocess(
  (text) => (text === "true" ? true : text === "false" ? false : text),
  z.boolean({ error: "must be true or false" }),
);

/** The query of every list. */
export const pageQuery = z.object({
  cursor: z.string().optional().describe("A cursor of an earlier page, with the same filters and order"),
  limit: integerOf(z.int().min(1, "must be at least 1").max(maximumLimit, `must be at most ${maximumLimit}`)).default(
    defaultLimit,
  ),
});

/** The order of a list (not shown; that of the public clients): one of the fields or more, each with its direction. */
export function sortBy(...fields: readonly string[]) {
  const term = `(?:${fields.join("|")}):(?:asc|desc)`;
  const reason = `must be one or more of ${fields.join(", ")}, each with :asc or :desc, joined by commas`;
  return z
    .string()
    .regex(new RegExp(`^${term}(?:,${term})*$`), reason)
    .optional();
}

/** Tags of a query: repeated, or joined by commas; all must match. */
export const tagsFilter = z
  .union([z.string(), z.array(z.string())])
  .transform((tags) => (typeof tags === "string" ? tags.split(",") : tags.flatMap((tag) => tag.split(","))))
  .optional();

/** The project that most lists of project resources demand (section 4, rule 1). */
export const projectIdFilter = z.string().min(1, "is required");
