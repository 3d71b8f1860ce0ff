import { z } from "zod";
import { delay } from "./durations";

/** The possible effects of a fault. */
export const faultEffects = {
  /** Answers with this status before the handler runs. */
  status: z.int().min(200).max(599).optional(),
  /**
   * Answers with this status and an HTML page, as a server in front of the service does: the request never reached the
   * service.
   */
  ingress: z.int().min(400).max(599).optional(),
  /** Delays the answer. The request takes effect at once. */
  delay: delay.optional(),
  /** Cuts the connection before or after the effect. */
  drop: z.enum(["before", "after"]).optional(),
  /** Sends only this number of bytes of the body, or half of it, and cuts the connection. */
  truncate: z.union([z.literal(true), z.int().min(0)]).optional(),
  /** How the operation that the request starts ends. */
  operation: z.enum(["fail", "never"]).optional(),
  /** Headers added to the answer. */
  headers: z.record(z.string().regex(/^[\w-]+$/), z.string().regex(/^[\x20-\x7e]*$/)).optional(),
  /** Replaces the answer's body. */
  body: z.string().optional(),
};

const pathPattern = z.string().transform((source, context) => {
  try {
    return new RegExp(source);
  } catch {
    context.addIssue({ code: "custom", message: "must be a regular expression" });
    return z.NEVER;
  }
});

const count = z.int().min(1);

/** A fault as requested: which requests it matches, how often, and its effects. */
export const faultRequest = z
  .strictObject({
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).optional(),
    /** Tested on the path without its query. */
    path: pathPattern,
    ...faultEffects,
    times: count.optional(),
    /** Every nth matching request, until the fault is deleted. */
    every: count.optional(),
  })
  .refine(({ times, every }) => times === undefined || every === undefined, "times and every exclude each other")
  .refine(
    (fault) => Object.keys(faultEffects).some((name) => fault[name as keyof typeof faultEffects] !== undefined),
    `name an effect: ${Object.keys(faultEffects).join(", ")}`,
  )
  .transform(({ delay, ...rest }) => ({ ...rest, ...(delay !== undefined && { delayMs: delay }) }));

export type FaultRequest = Readonly<z.infer<typeof faultRequest>>;
