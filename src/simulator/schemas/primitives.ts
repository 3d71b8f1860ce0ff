import { z } from "zod";
import { cidrProblem } from "../model/cidr";

/** A date-time of a request (section 2.1): ISO 8601 with seconds and an offset. */
export const dateTimeInput = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 date-time, for example 2027-01-31T00:00:00Z" })
  .refine((text) => /T\d\d:\d\d:\d\d/.test(text), "must have seconds");

/** A date-time of a response: UTC. */
export const dateTime = z.iso.datetime();

/** A Decimal (section 2.1). */
export const decimal = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .describe("An arbitrary-precision decimal serialized as a string");

/** Tags of a request (section 2.1): at most 50. */
export const tagsInput = z.array(z.string()).max(50, "must have at most 50 items");

/** Tags of a response. */
export const tags = z.array(z.string());

/** A CIDR of a request, in network-aligned canonical form (sections 2.7, 2.8). */
export const cidrInput = z.string().superRefine((text, context) => {
  const problem = cidrProblem(text);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

/** ResourceStatus; the values are those of the public clients. */
export const resourceStatus = z.enum(["pending", "creating", "updating", "ready", "deleting", "deleted", "error"]);

/** A status of a resource. */
export type ResourceStatus = z.infer<typeof resourceStatus>;
