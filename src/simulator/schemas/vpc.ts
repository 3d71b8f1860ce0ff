import { z } from "zod";
import { dateTime, resourceStatus, tags, tagsInput } from "./primitives";

/** The request that makes a VPC; the service chooses its CIDR. */
export const vpcCreateSchema = z.strictObject({
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  subnet_name: z.string(),
  tags: tagsInput.optional(),
});

/** The request that changes a VPC. */
export const vpcUpdateSchema = vpcCreateSchema.omit({ project_id: true, region: true }).partial();

/** VPC (its fields are those of the public clients). */
export const vpcSchema = z.object({
  id: z.string(),
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  status: resourceStatus,
  firewall_rule_ids: z.array(z.string()),
  subnet: z.object({
    id: z.string(),
    name: z.string(),
    cidr: z.string(),
    created_at: dateTime,
    updated_at: dateTime,
  }),
  tags,
  created_at: dateTime,
  updated_at: dateTime,
});

/** VPC as it is kept; the ids of its rules follow from the rules. */
export type Vpc = Omit<z.infer<typeof vpcSchema>, "firewall_rule_ids">;
