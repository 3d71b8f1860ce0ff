import { z } from "zod";
import { notFound } from "../model/api-error";
import { createdAtFilters, integerOf, isCreatedBetween, listOf, sortBy, sortedPageQuery } from "../schemas/list";
import { auditLogSchema, type AuditLog } from "../schemas/organization";
import { type AnyEndpoint, defineEndpoint } from "./endpoint";
import { answerPage } from "./pages";

const needs = { resourceType: "audit_log", level: "read" } as const;

const listQuery = sortedPageQuery.extend({
  sort: sortBy("created_at", "status_code"),
  action: z.string().optional(),
  actor_id: z.string().optional(),
  actor_type: auditLogSchema.shape.actor.shape.type.optional(),
  client_ip: z.string().optional(),
  ...createdAtFilters,
  method: z.string().optional(),
  path: z.string().optional().describe("A part of the path, in any case"),
  status_code_min: integerOf(z.int()).optional(),
  status_code_max: integerOf(z.int()).optional(),
  target_id: z.string().optional(),
  target_type: z.string().optional(),
});

type Filters = Omit<z.infer<typeof listQuery>, "cursor" | "limit" | "sort">;

function isMatch(log: AuditLog, filters: Filters): boolean {
  const { path, status_code_min: min = -Infinity, status_code_max: max = Infinity } = filters;
  const same = (wanted: string | undefined, value: string | undefined): boolean =>
    wanted === undefined || wanted === value;
  return (
    same(filters.action, log.action) &&
    same(filters.actor_id, log.actor.id) &&
    same(filters.actor_type, log.actor.type) &&
    same(filters.client_ip, log.client_ip) &&
    same(filters.method, log.method) &&
    same(filters.target_id, log.target?.id) &&
    same(filters.target_type, log.target?.type) &&
    (path === undefined || log.path.toLowerCase().includes(path.toLowerCase())) &&
    log.status_code >= min &&
    log.status_code <= max &&
    isCreatedBetween(Date.parse(log.created_at), filters)
  );
}

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
      const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
      return answerPage(
        {
          list: call.world.auditLogs.partition(""),
          sort,
          newestFirst: true,
          filters,
          matches: isFiltered ? (log) => isMatch(log, filters) : undefined,
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
