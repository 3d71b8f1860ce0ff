import { z } from "zod";
import { dateTime } from "./primitives";

/** HTTPError (section 7.1). */
export const httpErrorSchema = z
  .object({
    type: z.string().describe("Machine-readable error type; clients match on this, not on message"),
    message: z.string(),
    request_id: z.string(),
    timestamp: dateTime,
    context: z.object({
      parameters: z.record(z.string(), z.unknown()).describe("Empty when there are none"),
    }),
  })
  .meta({ id: "HTTPError" });

/** HTTPError (section 7.1). */
export type HttpError = z.infer<typeof httpErrorSchema>;
