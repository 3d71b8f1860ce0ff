import ipaddr from "ipaddr.js";
import { z } from "zod";

/** How one input is validated. */
export type FieldSchema = z.ZodType;

/** The vocabulary in which resources describe their inputs: each constraint of the specification once, with its limit in the reason. */
export const fieldSchemas = {
  text: () => z.string({ error: required("a string") }),
  /** A string of `min` to `max` characters. */
  textOfLength: (min: number, max: number) =>
    z.string({ error: required("a string") }).refine((text) => lengthOf(text) >= min && lengthOf(text) <= max, {
      error: ({ input }) =>
        min === max
          ? `must have exactly ${min} characters (has ${lengthOf(input)})`
          : `must have ${min} to ${max} characters (has ${lengthOf(input)})`,
    }),
  oneOf: (...values: readonly (string | number)[]) =>
    z.literal([...values], {
      error: ({ input }) => (input === undefined ? "is required" : `must be one of ${values.join(", ")}`),
    }),
  /** A point in time, ISO 8601 (section 2.1). */
  instant: () =>
    z.iso.datetime({
      offset: true,
      error: ({ input }) =>
        input === undefined ? "is required" : 'must be a date and time in ISO 8601 such as "2027-01-31T00:00:00Z"',
    }),
  /** A network in canonical form (sections 2.7 and 2.8). */
  cidr: () =>
    z.string({ error: required("a CIDR string") }).superRefine((text, context) => {
      const reason = cidrFault(text);
      if (reason !== undefined) context.addIssue({ code: "custom", message: reason });
    }),
  list: (item: FieldSchema, limits: { readonly min?: number; readonly max?: number } = {}) => {
    const { min = 0, max = Number.MAX_SAFE_INTEGER } = limits;
    return z
      .array(item, { error: required("a list") })
      .min(min, { error: `must have at least ${min} ${min === 1 ? "item" : "items"}` })
      .max(max, { error: ({ input }) => `must have at most ${max} items (has ${lengthOf(input)})` });
  },
  anything: () => z.unknown().optional(),
  /** Section 8: at most 50 tags a resource. */
  tags: () => fieldSchemas.list(fieldSchemas.text(), { max: 50 }).optional(),
  object: (shape: Record<string, FieldSchema>) => z.object(shape, { error: required("an object") }),
} as const;

/** The vocabulary as resources see it. */
export type FieldSchemas = typeof fieldSchemas;

function required(what: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) => (input === undefined || input === null ? "is required" : `must be ${what}`);
}

function lengthOf(input: unknown): number {
  if (typeof input === "string") return Array.from(input).length;
  return Array.isArray(input) ? input.length : 0;
}

/** Why a text is not a network-aligned CIDR in canonical form, or undefined if it is one. */
function cidrFault(text: string): string | undefined {
  if (!ipaddr.isValidCIDR(text)) return 'must be a CIDR such as "10.0.0.0/25"';
  const [address, mask] = ipaddr.parseCIDR(text);
  const network =
    address instanceof ipaddr.IPv4
      ? ipaddr.IPv4.networkAddressFromCIDR(text).toString()
      : ipaddr.IPv6.networkAddressFromCIDR(text).toRFC5952String();
  const canonical = `${network}/${mask}`;
  return text === canonical ? undefined : `must be network-aligned and in canonical form: ${canonical}`;
}
