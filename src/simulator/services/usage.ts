import { z } from "zod";
import { forbidden, notFound } from "../model/api-error";
import { formatTimestamp } from "../model/timestamp";
import { type Leaf, meteredTypes, type Segment, type UsageRecord } from "../model/usage-ledger";
import { listOf, pageQuery } from "../schemas/list";
import { dateTime, dateTimeInput } from "../schemas/primitives";
import { type AnyEndpoint, defineEndpoint } from "./endpoint";
import { answerPage } from "./pages";

const leaf = z.object({
  id: z.string(),
  dimension: z.string(),
  quantity: z.int(),
  started_at: dateTime,
  ended_at: dateTime.nullable(),
});

const usageSchema = z.object({
  resource_id: z.string(),
  resource_type: z.enum(meteredTypes),
  project_id: z.string(),
  region: z.string(),
  started_at: dateTime,
  ended_at: dateTime.nullable(),
  dimensions: z.array(leaf.extend({ children: z.array(leaf).optional() })),
});

const listQuery = pageQuery.extend({
  sort: z
    .string()
    .regex(/^created_at:(?:asc|desc)$/, "must be created_at:asc or created_at:desc")
    .optional(),
  active_at_min: dateTimeInput.optional().describe("Used at or after this instant"),
  active_at_max: dateTimeInput.optional().describe("Used at or before this instant"),
  dimension: z.string().optional(),
  region: z.string().optional(),
  resource_id: z.string().optional(),
  resource_type: z.enum(meteredTypes).optional(),
});

type Filters = Omit<z.infer<typeof listQuery>, "cursor" | "limit" | "sort">;

const ended = (atMs: number | undefined): string | null => (atMs === undefined ? null : formatTimestamp(atMs));

function leafOnWire({ id, dimension, quantity, startedAtMs, endedAtMs }: Leaf): z.infer<typeof leaf> {
  return { id, dimension, quantity, started_at: formatTimestamp(startedAtMs), ended_at: ended(endedAtMs) };
}

/** The usage of a resource on the wire. */
export function usageOnWire(record: UsageRecord): z.infer<typeof usageSchema> {
  return {
    resource_id: record.id,
    resource_type: record.resourceType,
    project_id: record.projectId,
    region: record.region,
    started_at: formatTimestamp(record.startedAtMs),
    ended_at: ended(record.endedAtMs),
    dimensions: record.segments.map((segment) => ({
      ...leafOnWire(segment),
      ...(segment.children.length > 0 && { children: segment.children.map(leafOnWire) }),
    })),
  };
}

function hasDimension({ dimension, children }: Segment, wanted: string): boolean {
  return dimension === wanted || children.some((child) => child.dimension === wanted);
}

function isMatch(record: UsageRecord, filters: Filters): boolean {
  const { active_at_min: min, active_at_max: max, dimension } = filters;
  const same = (wanted: string | undefined, value: string): boolean => wanted === undefined || wanted === value;
  return (
    same(filters.region, record.region) &&
    same(filters.resource_id, record.id) &&
    same(filters.resource_type, record.resourceType) &&
    (min === undefined || (record.endedAtMs ?? Infinity) >= Date.parse(min)) &&
    (max === undefined || record.startedAtMs <= Date.parse(max)) &&
    (dimension === undefined || record.segments.some((segment) => hasDimension(segment, dimension)))
  );
}

const needs = { resourceType: "usage", level: "read" } as const;

/** The usage of resources (paths and shapes are those of the public clients) in the projects that the key reaches. */
export const usageEndpoints: readonly AnyEndpoint[] = [
  defineEndpoint({
    method: "GET",
    path: "/v1/usage",
    operationId: "listUsage",
    summary: "Lists what each resource uses and has used, oldest first.",
    needs,
    query: listQuery,
    status: 200,
    response: listOf(usageSchema),
    handle(call) {
      const { cursor, limit, sort, ...filters } = call.query();
      const { caller, world } = call;
      const isFiltered = !caller.isOwner || Object.values(filters).some((filter) => filter !== undefined);
      return answerPage(
        {
          list: world.bookkeeping.usage.table.partition(""),
          sort,
          filters: isFiltered ? { ...filters, caller: caller.actor.id } : undefined,
          matches: isFiltered ? (record) => caller.reaches(record.projectId) && isMatch(record, filters) : undefined,
          wire: usageOnWire,
        },
        { cursor, limit },
      );
    },
  }),
  defineEndpoint({
    method: "GET",
    path: "/v1/usage/{resource_id}",
    operationId: "getUsage",
    summary: "Shows what a resource uses and has used, also after it is gone.",
    needs,
    status: 200,
    response: usageSchema,
    handle(call) {
      const record = call.world.bookkeeping.usage.table.get(call.param("resource_id"));
      if (!record) throw notFound("usage");
      if (!call.caller.reaches(record.projectId)) throw forbidden("the project is outside the scope of the key");
      return { status: 200, body: usageOnWire(record) };
    },
  }),
];
