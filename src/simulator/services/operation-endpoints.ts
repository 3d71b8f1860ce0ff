import { z } from "zod";
import { forbidden, notFound } from "../model/rejection";
import type { Caller } from "../model/callers";
import type { ResourceType } from "../schemas/api-key";
import { type OperationRecord, operationStatus } from "../model/operations";
import { formatTimestamp } from "../model/time";
import type { Noun } from "../nouns/noun";
import { type Operation, operationSchema, operationStatusSchema, operationType } from "../schemas/answers";
import { createdBetween, equals, type Filters, projectIdFilter } from "../schemas/lists";
import type { Call } from "./call";
import type { Endpoint } from "./endpoint";
import { collectionEndpoints } from "./list-endpoint";

/** The answer to a mutation of infrastructure: 202 with the operation. */
export function answerOperation(call: Call, record: OperationRecord) {
  return { body: operationOnWire(record, call.nowMs), targetId: record.resourceId };
}

/** True if changes of a noun's objects run as operations. */
function hasOperations({ isDirect = false, create, update, isDeletable = false }: Noun): boolean {
  return !isDirect && (create !== undefined || update !== undefined || isDeletable);
}

export type OperationAnswer = ReturnType<typeof operationAnswer>;

export function operationAnswer(nouns: readonly Noun[]) {
  const kinds = nouns.filter(hasOperations).map(({ kind }) => kind);
  return { status: 202, response: operationSchema(kinds) };
}

export function operationOnWire(record: OperationRecord, nowMs: number): Operation {
  const { createdAtMs, startsAtMs, endsAtMs } = record;
  return {
    id: record.id,
    kind: record.kind,
    type: record.type,
    status: operationStatus(record, nowMs),
    project_id: record.projectId,
    resource_id: record.resourceId,
    details: record.changes ? { changes: structuredClone(record.changes) as Record<string, never> } : null,
    created_at: formatTimestamp(createdAtMs),
    updated_at: formatTimestamp([endsAtMs, startsAtMs].find((atMs) => nowMs >= atMs) ?? createdAtMs),
  };
}

/**
 * The operations (paths and shapes are those of the public clients), newest first, because clients wait for the latest.
 */
export function operationEndpoints(nouns: readonly Noun[]): readonly Endpoint[] {
  const withOperations = nouns.filter(hasOperations);
  const resourceTypes = new Map(withOperations.map(({ kind, resourceType }) => [kind, resourceType]));
  const kinds = [...resourceTypes.keys()];
  const needsOneOf = [...new Set(resourceTypes.values())];
  const filters: Filters<OperationRecord> = {
    resource_id: equals(z.string().min(1, "is required"), ({ resourceId }) => resourceId),
    kind: equals(z.enum(kinds), ({ kind }) => kind),
    type: equals(operationType, ({ type }) => type),
    status: {
      schema: operationStatusSchema.optional(),
      matches: (record, wanted, nowMs) => operationStatus(record, nowMs) === wanted,
    },
    ...createdBetween(({ createdAtMs }) => createdAtMs),
  };
  const resourceTypeOf = (kind: string): ResourceType => resourceTypes.get(kind) ?? "organization";
  const maySee = (caller: Caller, kind: string): boolean => caller.may(resourceTypeOf(kind), "read");
  return collectionEndpoints<OperationRecord>({
    path: "/v1/operations",
    operationId: "listOperations",
    summary: "Lists the operations of a project, newest first. Shows those on kinds that the key may read.",
    needs: null,
    needsOneOf,
    newestFirst: true,
    parameters: { project_id: projectIdFilter },
    filters,
    sorts: ["updated_at"],
    shown: operationSchema(kinds),
    items(call, wanted) {
      const projectId = String(wanted["project_id"]);
      call.requireProject(projectId);
      return call.world.operations.table.partition(projectId).values();
    },
    scope({ caller }) {
      const visible = kinds.filter((kind) => maySee(caller, kind));
      return visible.length < kinds.length ? { mark: visible, sees: ({ kind }) => visible.includes(kind) } : undefined;
    },
    show: (record, { nowMs }) => operationOnWire(record, nowMs),
    one: {
      path: "/{operation_id}",
      operationId: "getOperation",
      summary: "Shows an operation, to a key that may read the kind of its resource.",
      find(call) {
        const record = call.world.operations.table.get(call.param("operation_id"));
        if (!record) throw notFound("operation");
        if (!maySee(call.caller, record.kind)) throw forbidden(`reading it needs ${resourceTypeOf(record.kind)}:read`);
        call.requireReach(record.projectId);
        return record;
      },
    },
  });
}
