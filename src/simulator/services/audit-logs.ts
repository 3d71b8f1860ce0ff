import { z } from "zod";
import { notFound } from "../model/api-error";
import { listOf, sortedPageQuery } from "../schemas/list";
import { auditLogSchema } from "../schemas/organization";
import { type AnyEndpoint, defineEndpoint } from "./endpoint";
import { answerPage } from "./pages";

const needs = { resourceType: "audit_log", level: "read" } as const;

const listQuery = sortedPageQuery.extend({
  action: z.string().optional(),
  actor_id: z.string().optional(),
  method: z.string().optional(),
  target_id: z.string().optional(),
  target_type: z.string().optional(),
});

/** The audit logs of section 2.4, of the whole organization: newest first. */
export const auditLogEndpoints: readonly AnyEndpoint[] = [
  defineEndpoint({
    method: "GET",
    path: "/v1/audit_logs",
    operationId: "listAuditLogs",
    summary: "Lists what was done in the organization, newest first.",
    needs,
    query: listQuery,
    status: 200,
    response: listOf(auditLogSchema),
    handle(call) {
      const { cursor, limit, sort, ...filters } = call.query();
      const { action, actor_id, method, target_id, target_type } = filters;
      const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
      return answerPage(
        {
          list: call.world.auditLogs.partition(""),
          newestFirst: sort !== "created_at:asc",
          filters,
          matches: isFiltered
            ? (log) =>
                (action === undefined || log.action === action) &&
                (actor_id === undefined || log.actor.id === actor_id) &&
                (method === undefined || log.method === method) &&
                (target_id === undefined || log.target?.id === target_id) &&
                (target_type === undefined || log.target?.type === target_type)
            : undefined,
          wire: (log) => log,
        },
        { cursor, limit },
      );
    },
  }),
  defineEndpoint({
    method: "GET",
    path: "/v1/audit_logs/{audit_log_id}",
    operationId: "getAuditLog",
    summary: "Shows an audit log.",
    needs,
    status: 200,
    response: auditLogSchema,
    handle(call) {
      const log = call.world.auditLogs.get(call.param("audit_log_id"));
      if (!log) throw notFound("audit log");
      return { status: 200, body: log };
    },
  }),
];
