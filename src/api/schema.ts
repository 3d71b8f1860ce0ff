import { z } from "zod";

/** Specification section 2.1, Decimal. It stays a string, because a JavaScript number would round it. */
export const amountText = z
  .string()
  .regex(/^-?\d{1,40}(\.\d{1,40})?$/, "a decimal number in a string, of at most 40 digits before and behind the point");

/** An enumeration that may grow. Any string passes, and the type lists the known values. */
export function openEnum<const Known extends string>(...known: readonly Known[]): z.ZodType<Known | (string & {})> {
  return z.string().meta({ examples: [...known] });
}

const TRANSITIONAL: readonly unknown[] = ["pending", "creating", "updating", "deleting"];

/** True if the status will change by itself. */
export function isTransitional({ status }: { readonly status?: unknown }): boolean {
  return TRANSITIONAL.includes(status);
}

export function isBeingDeleted({ status }: Readonly<Record<string, unknown>>): boolean {
  return status === "deleting" || status === "deleted";
}

/** List responses, specification section 2.1. */
export const page = z.looseObject({
  items: z.array(z.unknown()),
  pagination: z.looseObject({
    next_cursor: z.string().nullish(),
    total_count: z.number().nullish().catch(undefined), // nothing depends on it alone
  }),
});

/** RegionResponse. The specification does not show its fields, so nothing depends on more than the name. */
export const region = z.looseObject({
  name: z.string(),
  availability: openEnum("live", "preview", "maintenance", "sunset").optional().catch(undefined),
});
export type Region = z.infer<typeof region>;

/**
 * Specification section 2.7, ConnectRoute: a region of a provider, and the region of the platform that a connection
 * links it with.
 */
export const connectRoute = z.looseObject({
  platform_region: z.string(),
  provider: z.string(),
  provider_region: z.string(),
});
