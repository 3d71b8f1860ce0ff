import { z } from "zod";
import { notFound } from "../model/rejection";
import { type AuditLog, auditLogSchema } from "../schemas/answers";
import { between, createdBetween, equals, type Filters, filtersOf, integerOf, containing } from "../schemas/lists";
import { collectionEndpoints } from "./list-endpoint";

const text = z.string();

const filters: Filters<AuditLog> = {
  ...filtersOf<AuditLog>(["action", "client_ip", "method"], auditLogSchema.shape),
  actor_id: equals(text, ({ actor }) => actor.id),
  actor_type: equals(auditLogSchema.shape.actor.shape.type, ({ actor }) => actor.type),
  ...createdBetween(({ created_at }) => Date.parse(created_at)),
  ...containing("path"),
  ...between("status_code", integerOf(z.int()), ({ status_code }) => status_code),
  target_id: equals(text, ({ target }) => target?.id),
  target_type: equals(text, ({ target }) => target?.type),
};

/** The audit logs of section 2.4, of the whole organization: newest first. */
export const auditLogEndpoints = collectionEndpoints<AuditLog>({
  path: "/v1/audit_logs",
  operationId: "listAuditLogs",
  summary: "Lists the audit logs of the organization, newest first.",
  needs: { resourceType: "audit_log", level: "read" },
  newestFirst: true,
  filters,
  sorts: ["status_code"],
  shown: auditLogSchema,
  items: ({ world }) => world.auditLogs.partition("").values(),
  one: {
    path: "/{audit_log_id}",
    operationId: "getAuditLog",
    summary: "Shows an audit log.",
    find(call) {
      const log = call.world.auditLogs.get(call.param("audit_log_id"));
      if (!log) throw notFound("audit log");
      return log;
    },
  },
});
