import { z } from "zod";

/**
 * A timestamp of the API: ISO 8601, UTC (specification, section 2.1). If it has no offset, it gets one, because
 * JavaScript would read it in the time zone of this machine.
 */
export const dateTime = z
  .string()
  .overwrite((text) => (/^\d{4}-\d\d-\d\d[t ][\d:.,]+$/i.test(text) ? `${text}Z` : text))
  .refine((text) => !Number.isNaN(Date.parse(text)), "a date-time");
