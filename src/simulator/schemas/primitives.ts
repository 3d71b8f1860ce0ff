import { z } from "zod";
import { cidrProblem } from "../model/addresses";

const firstInstantMs = Date.parse("0000-01-01T00:00:00Z");
const lastInstantMs = Date.parse("9999-12-31T23:59:59.999Z");

/** A date-time of a request (section 2.1): ISO 8601 with seconds and an offset. */
export const dateTimeInput = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 date-time, for example 2027-01-31T00:00:00Z" })
  .refine((text) => /T\d\d:\d\d:\d\d/.test(text), "must have seconds")
  // An offset may move it out of the range in which years have four digits and no sign.
  .refine(
    (text) => !(Date.parse(text) < firstInstantMs || Date.parse(text) > lastInstantMs),
    "must lie in the years 0000 to 9999, in UTC",
  );

/** A date-time of a response: UTC. */
export const dateTime = z.iso.datetime();

export const decimal = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .describe("An arbitrary-precision decimal serialized as a string");

/** Tags of a request (section 2.1): at most 50. */
export const tagsInput = z.array(z.string()).max(50);

const tags = z.array(z.string());

/** A text of a request in which `problemOf` finds no problem. */
export function textWithout(problemOf: (text: string) => string | undefined) {
  return z.string().superRefine((text, context) => {
    const message = problemOf(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
}

/** A CIDR of a request, in network-aligned canonical form (sections 2.7, 2.8). */
export const cidrInput = textWithout(cidrProblem).describe(
  "A CIDR, network-aligned and canonical, such as 10.0.0.0/16",
);

/** ResourceStatus; the values are those of the public clients. */
export const resourceStatus = z.enum(["pending", "creating", "updating", "ready", "deleting", "deleted", "error"]);

export type ResourceStatus = z.infer<typeof resourceStatus>;

/** The members of every object, and those of an object that operations change. */
export const identity = { id: z.string(), created_at: dateTime, updated_at: dateTime };
export const resourceMembers = { ...identity, status: resourceStatus };

/** The members of an object of a project and a region, in requests and answers. */
export const location = { project_id: z.string(), region: z.string() };

/** The members that the requests of most kinds have. */
export const namedInput = { name: z.string(), tags: tagsInput.optional() };

/** The members that the answers of most kinds have. */
export const nameAndTags = { name: z.string(), tags };

/** Region (its fields are those of the public clients). */
export const regionSchema = z.object({
  name: z.string(),
  availability: z.enum(["live", "preview", "maintenance", "sunset"]),
  compute: z.object({ vms: z.boolean() }),
  networking: z.object({ connect: z.boolean(), vpcs: z.boolean() }),
  nks: z.object({ autoscaling: z.boolean(), clusters: z.boolean() }),
  storage: z.object({ abs: z.boolean(), local_nvme: z.boolean() }),
});

export type Region = z.infer<typeof regionSchema>;
