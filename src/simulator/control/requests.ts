import { z } from "zod";
import { regions } from "../model/catalogs";
import { Decimal } from "../model/prices";
import { quotaKeys } from "../model/quota-ledger";
import type { Lag } from "../model/table";
import { duration } from "../schemas/primitives";

const regionNames = regions.map(({ name }) => name);

export const clockRequest = z.strictObject({ advance: duration });

/** `POST /lag`. Kinds that the body does not name have no lag. */
export const lagRequest = z
  .strictObject({ reads: duration.default(0), lists: duration.default(0), audit: duration.default(0) })
  .transform(({ reads, lists, audit }): Lag => ({ readsMs: reads, listsMs: lists, auditMs: audit }));

/** `POST /capacity`. A region that the body does not name has capacity again. */
export const capacityRequest = z.partialRecord(z.enum(regionNames), z.array(z.enum(quotaKeys)));

/** `POST /prices`. Only these dimensions can be changed. */
export function pricesRequest(dimensions: readonly string[]) {
  const unitPrice = z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'must be a decimal as a string, for example "1.5625"')
    .transform((text) => new Decimal(text));
  return z.strictObject(Object.fromEntries(dimensions.map((name) => [name, unitPrice.optional()])), {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `unknown dimension ${issue.keys.join(", ")}, must be one of ${dimensions.join(", ")}`
        : undefined,
  });
}
