import { z } from "zod";
import { regions } from "../model/catalogs";
import type { FaultRequest } from "../model/faults";
import { Decimal } from "../model/prices";
import { quotaKeys } from "../model/quota-ledger";
import type { Lag } from "../model/table";
import { durationMs, MAX_DELAY, MAX_DELAY_MS } from "../model/time";

const count = z.int().min(1);
const regionNames = regions.map(({ name }) => name);

const duration = z.union([z.string(), z.number()]).transform((value, context) => {
  const valueMs = durationMs(value);
  if (valueMs !== undefined) return valueMs;
  context.addIssue({
    code: "custom",
    message: "must be a duration with a unit such as 100ms, 1s or 20d, and not negative",
  });
  return z.NEVER;
});

const pathPattern = z.string().transform((source, context) => {
  try {
    return new RegExp(source);
  } catch {
    context.addIssue({ code: "custom", message: "must be a regular expression" });
    return z.NEVER;
  }
});

export const clockRequest = z.strictObject({ advance: duration });

/** `POST /lag`. Kinds that the body does not name have no lag. */
export const lagRequest = z
  .strictObject({ reads: duration.default(0), lists: duration.default(0), audit: duration.default(0) })
  .transform(({ reads, lists, audit }): Lag => ({ readsMs: reads, listsMs: lists, auditMs: audit }));

/** `POST /capacity`. A region that the body does not name has capacity again. */
export const capacityRequest = z.partialRecord(z.enum(regionNames), z.array(z.enum(quotaKeys)));

export const faultRequest = z
  .strictObject({
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).optional(),
    path: pathPattern,
    status: z.int().min(200).max(599).optional(),
    ingress: z.int().min(400).max(599).optional(),
    delay: duration.refine((delayMs) => delayMs <= MAX_DELAY_MS, `must be at most ${MAX_DELAY}`).optional(),
    drop: z.enum(["before", "after"]).optional(),
    truncate: z.union([z.literal(true), z.int().min(0)]).optional(),
    operation: z.enum(["fail", "never"]).optional(),
    headers: z.record(z.string().regex(/^[\w-]+$/), z.string().regex(/^[\x20-\x7e]*$/)).optional(),
    body: z.string().optional(),
    times: count.optional(),
    every: count.optional(),
  })
  .refine(({ times, every }) => times === undefined || every === undefined, "times and every exclude each other")
  .refine(
    ({ status, ingress, delay, drop, truncate, operation, headers, body }) =>
      [status, ingress, delay, drop, truncate, operation, headers, body].some((effect) => effect !== undefined),
    "name an effect: status, ingress, delay, drop, truncate, operation, headers or body",
  )
  .transform(({ delay, ...rest }): FaultRequest => ({ ...rest, delayMs: delay }));

/** `POST /prices`. Only these dimensions can be changed. */
export function pricesRequest(dimensions: readonly string[]) {
  return z
    .record(z.string(), z.string().regex(/^\d+(\.\d+)?$/, 'must be a decimal as a string, for example "1.5625"'))
    .transform((unitPrices, context): readonly (readonly [string, Decimal])[] =>
      Object.entries(unitPrices).flatMap(([dimension, unitPrice]) => {
        if (dimensions.includes(dimension)) return [[dimension, new Decimal(unitPrice)] as const];
        context.addIssue({
          code: "custom",
          message: `unknown dimension, must be one of ${dimensions.join(", ")}`,
          path: [dimension],
        });
        return [];
      }),
    );
}
