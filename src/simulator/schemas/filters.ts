import { z } from "zod";
import { tagsFilter } from "./list";
import { dateTimeInput, resourceStatus } from "./primitives";

/** A filter of a list: what a query may say, and whether an object is meant. */
export interface Filter<T, V = unknown> {
  readonly schema: z.ZodType<V>;
  matches(object: T, wanted: V, nowMs: number): boolean;
}

/** The filters of a list by the names of their parameters (section 2.1 shows none; those of the public clients). */
export type Filters<T> = Readonly<Record<string, Filter<T>>>;

/** A filter that wants a value to be what it says. */
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

/** Filters that several kinds share. */
export const byName = {
  name: {
    schema: z.string().optional().describe("A part of the name, in any case"),
    matches: ({ name }, wanted) => name.toLowerCase().includes(String(wanted).toLowerCase()),
  },
} satisfies Filters<{ readonly name: string }>;

export const byTags = {
  tags: {
    schema: tagsFilter,
    matches: ({ tags }, wanted) => (wanted as readonly string[]).every((tag) => tags.includes(tag)),
  },
} satisfies Filters<{ readonly tags: readonly string[] }>;

export const byStatus = {
  status: equals(resourceStatus.exclude(["deleted"]), ({ status }: { readonly status: string }) => status),
};

export const byRegion = {
  region: equals(z.string(), ({ region }: { readonly region: string }) => region),
};

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
