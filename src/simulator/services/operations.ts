import { z } from "zod";
import { forbidden, notFound } from "../model/api-error";
import { operationStatus, type OperationRecord, type OperationStatus } from "../model/operations";
import type { Caller, ResourceType } from "../model/permissions";
import { formatTimestamp } from "../model/timestamp";
import type { Noun } from "../nouns/noun";
import { createdAtFilters, isCreatedBetween, listOf, pageQuery, projectIdFilter, sortBy } from "../schemas/list";
import { operationSchema, operationStatusSchema, operationType, type Operation } from "../schemas/operation";
import type { Answer, AnyEndpoint } from "./endpoint";
import { defineEndpoint } from "./endpoint";
import { answerPage } from "./pages";
import type { CallContext } from "./call";

/** The answer to a mutation of infrastructure: 202 with the operation it runs as. */
export function answerOperation(call: CallContext, record: OperationRecord): Answer {
  return { status: 202, body: operationOnWire(record, call.nowMs), targetId: record.resourceId };
}

/** Whether what happens to a noun's objects runs as operations. */
function hasOperations({ isDirect = false, create, update, isDeletable = false }: Noun): boolean {
  return !isDirect && (create !== undefined || update !== undefined || isDeletable);
}

/** The shape of the answer to a mutation. */
export function operationAnswer(nouns: readonly Noun[]) {
  const kinds = nouns.filter(hasOperations).map(({ targetType }) => targetType);
  return { status: 202, response: operationSchema(kinds) };
}

const updatedAtMs: Record<OperationStatus, (record: OperationRecord) => number> = {
  pending: (record) => record.createdAtMs,
  running: (record) => record.startsAtMs,
  done: (record) => record.endsAtMs,
  failed: (record) => record.endsAtMs,
};

/** An operation as it is at an instant. */
export function operationOnWire(record: OperationRecord, nowMs: number): Operation {
  const status = operationStatus(record, nowMs);
  return {
    id: record.id,
    kind: record.kind,
    type: record.type,
    status,
    project_id: record.projectId,
    resource_id: record.resourceId,
    details: record.changes ? { changes: structuredClone(record.changes) as Record<string, never> } : null,
    created_at: formatTimestamp(record.createdAtMs),
    updated_at: formatTimestamp(updatedAtMs[status](record)),
  };
}

/** The operations (paths and shapes are those of the public clients), newest first, because clients wait for the latest. */
export function operationEndpoints(nouns: readonly Noun[]): readonly AnyEndpoint[] {
  const withOperations = nouns.filter(hasOperations);
  const resourceTypes = new Map(withOperations.map(({ targetType, resourceType }) => [targetType, resourceType]));
  const kinds = [...resourceTypes.keys()];
  const needsOneOf = [...new Set(resourceTypes.values())];
  const response = operationSchema(kinds);
  const listQuery = pageQuery.extend({
    sort: sortBy("created_at", "updated_at"),
    project_id: projectIdFilter,
    resource_id: projectIdFilter.optional(),
    kind: z.enum(kinds).optional(),
    type: operationType.optional(),
    status: operationStatusSchema.optional(),
    ...createdAtFilters,
  });
  const resourceTypeOf = (kind: string): ResourceType => resourceTypes.get(kind) ?? "organization";
  const maySee = (caller: Caller, kind: string): boolean => caller.may(resourceTypeOf(kind), "read");
  return [
    defineEndpoint({
      method: "GET",
      path: "/v1/operations",
      operationId: "listOperations",
      summary: "Lists the operations of a project, newest first. Shows those on kinds that the key may read.",
      needs: null,
      needsOneOf,
      query: listQuery,
      status: 200,
      response: listOf(response),
      handle(call) {
        const { cursor, limit, sort, ...filters } = call.query();
        const { world, caller, nowMs } = call;
        const seen = kinds.filter((kind) => maySee(caller, kind));
        call.requireProject(filters.project_id);
        const { project_id, ...others } = filters;
        const { resource_id, kind, type, status } = others;
        const isFiltered = Object.values(others).some((filter) => filter !== undefined) || seen.length < kinds.length;
        const matches = (record: OperationRecord): boolean =>
          seen.includes(record.kind) &&
          (resource_id === undefined || record.resourceId === resource_id) &&
          (kind === undefined || record.kind === kind) &&
          (type === undefined || record.type === type) &&
          (status === undefined || operationStatus(record, nowMs) === status) &&
          isCreatedBetween(record.createdAtMs, others);
        return answerPage(
          {
            list: world.operations.table.partition(project_id),
            sort,
            newestFirst: true,
            filters: isFiltered ? { ...filters, kinds: seen } : undefined,
            matches: isFiltered ? matches : undefined,
            wire: (record) => operationOnWire(record, nowMs),
          },
          { cursor, limit },
        );
      },
    }),
    defineEndpoint({
      method: "GET",
      path: "/v1/operations/{operation_id}",
      operationId: "getOperation",
      summary: "Shows an operation, to a key that may read the kind of its resource.",
      needs: null,
      needsOneOf,
      status: 200,
      response,
      handle(call) {
        const record = call.world.operations.table.get(call.param("operation_id"));
        if (!record) throw notFound("operation");
        if (!maySee(call.caller, record.kind)) throw forbidden(`reading it takes ${resourceTypeOf(record.kind)}:read`);
        call.requireReach(record.projectId);
        return { status: 200, body: operationOnWire(record, call.nowMs) };
      },
    }),
  ];
}
