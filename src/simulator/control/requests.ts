import { z } from "zod";
import { regions } from "../model/catalogs";
import { Decimal } from "../model/prices";
import { quotaKeys } from "../model/quota-ledger";
import { duration } from "../schemas/durations";

const regionNames = regions.map(({ name }) => name);

export const clockRequest = z.strictObject({ advance: duration });

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
