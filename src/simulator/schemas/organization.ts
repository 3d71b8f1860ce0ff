import { z } from "zod";
import type { Dialect } from "../model/dialect";
import { quotaNamesOf } from "../model/quotas";
import { dateTime } from "./primitives";

/** Region (its fields are those of the public clients). */
export const regionSchema = z.object({
  name: z.string(),
  availability: z.enum(["live", "preview", "maintenance", "sunset"]),
  compute: z.object({ vms: z.boolean() }),
  networking: z.object({ connect: z.boolean(), vpcs: z.boolean() }),
  nks: z.object({ autoscaling: z.boolean(), clusters: z.boolean() }),
  storage: z.object({ abs: z.boolean(), local_nvme: z.boolean() }),
});

/** Region (its fields are those of the public clients). */
export type Region = z.infer<typeof regionSchema>;

const quotaDetail = z.object({ limit: z.int(), remaining: z.int(), used: z.int() });

/** Quota (section 2.11) in a dialect. */
export function quotaSchema(dialect: Dialect) {
  const groups: Record<string, Record<string, typeof quotaDetail>> = {};
  for (const quota of quotaNamesOf(dialect)) {
    const [group = "", name = ""] = quota.split(".");
    (groups[group] ??= {})[name] = quotaDetail;
  }
  const groupSchemas = Object.entries(groups).map(([group, shape]) => [group, z.object(shape)] as const);
  return z.object({ region: z.string(), ...Object.fromEntries(groupSchemas) });
}

/** AuditLog (section 2.4). */
export const auditLogSchema = z.object({
  id: z.string(),
  action: z.string(),
  actor: z.object({ id: z.string(), name: z.string().nullable(), type: z.enum(["user", "api_key"]) }),
  client_ip: z.string(),
  created_at: dateTime,
  method: z.string(),
  path: z.string(),
  status_code: z.int(),
  user_agent: z.string(),
  target: z.object({ id: z.string(), type: z.string() }).nullable(),
});

/** AuditLog (section 2.4). */
export type AuditLog = z.infer<typeof auditLogSchema>;
