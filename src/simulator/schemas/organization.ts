import { z } from "zod";
import type { Dialect } from "../model/dialect";
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

/** Quota (section 2.11) in a dialect: the public service also counts connect connections. */
export function quotaSchema(dialect: Dialect) {
  const networking = z.object({ public_ips: quotaDetail, vpcs: quotaDetail });
  return z.object({
    region: z.string(),
    compute: z.object({ memory_gb: quotaDetail, vcpu: quotaDetail }),
    networking: dialect === "spec" ? networking : networking.extend({ connect_connections: quotaDetail }),
    nks: z.object({
      clusters: quotaDetail,
      node_pool_memory_gb: quotaDetail,
      node_pool_vcpu: quotaDetail,
      public_ips: quotaDetail,
    }),
    storage: z.object({ abs: quotaDetail, local_nvme: quotaDetail }),
  });
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
