import { z } from "zod";
import { dateTime, openEnum } from "./schema";

/** Specification section 2.4, AuditLog. */
export const auditLog = z.looseObject({
  id: z.string(),
  action: z.string(),
  actor: z.looseObject({ id: z.string(), name: z.string().nullable(), type: openEnum("user", "api_key") }),
  client_ip: z.string(),
  created_at: dateTime,
  method: z.string(),
  path: z.string(),
  status_code: z.number().int(),
  user_agent: z.string(),
  target: z.looseObject({ id: z.string(), type: z.string() }).nullish(),
});
export type AuditLog = z.infer<typeof auditLog>;
