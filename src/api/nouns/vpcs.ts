import { z } from "zod";
import { dateTime, resourceStatus } from "../schema";

/** VPC (the specification names it without its fields): one subnet each. */
export const vpc = z.looseObject({
  id: z.string(),
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  status: resourceStatus,
  subnet: z.looseObject({ id: z.string(), name: z.string(), cidr: z.string() }),
  firewall_rule_ids: z.array(z.string()),
  tags: z.array(z.string()),
  created_at: dateTime,
  updated_at: dateTime,
});
export type Vpc = z.infer<typeof vpc>;
