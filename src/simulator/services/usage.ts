import { z } from "zod";
import { notFound } from "../model/rejection";
import { formatTimestamp } from "../model/time";
import { type Leaf, meteredTypes, type UsageRecord } from "../model/usage-ledger";
import { equals, type Filters } from "../schemas/lists";
import { dateTime, dateTimeInput } from "../schemas/primitives";
import { collectionEndpoints } from "./list-endpoint";

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

const ended = (atMs: number | undefined): string | null => (atMs === undefined ? null : formatTimestamp(atMs));

function leafOnWire({ id, dimension, quantity, startedAtMs, endedAtMs }: Leaf): z.infer<typeof leaf> {
  return { id, dimension, quantity, started_at: formatTimestamp(startedAtMs), ended_at: ended(endedAtMs) };
}

/** The usage of a resource, as answers show it. */
export function usageOnWire(record: UsageRecord): object {
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

const filters: Filters<UsageRecord> = {
  active_at_min: {
    schema: dateTimeInput.optional().describe("Used at or after this instant"),
    matches: ({ endedAtMs = Infinity }, wanted) => endedAtMs >= Date.parse(String(wanted)),
  },
  active_at_max: {
    schema: dateTimeInput.optional().describe("Used at or before this instant"),
    matches: ({ startedAtMs }, wanted) => startedAtMs <= Date.parse(String(wanted)),
  },
  dimension: {
    schema: z.string().optional(),
    matches: ({ segments }, wanted) =>
      segments.some((segment) => [segment, ...segment.children].some(({ dimension }) => dimension === wanted)),
  },
  region: equals(z.string(), ({ region }) => region),
  resource_id: equals(z.string(), ({ id }) => id),
  resource_type: equals(z.enum(meteredTypes), ({ resourceType }) => resourceType),
};

/** The usage of resources in the projects that the key reaches. Paths and shapes are those of the public clients. */
export const usageEndpoints = collectionEndpoints<UsageRecord>({
  path: "/v1/usage",
  operationId: "listUsage",
  summary: "Lists the usage of each resource, oldest first.",
  needs: { resourceType: "usage", level: "read" },
  parameters: {
    sort: z
      .string()
      .regex(/^created_at:(?:asc|desc)$/, "must be created_at:asc or created_at:desc")
      .optional(),
  },
  filters,
  shown: usageSchema,
  items: ({ world }) => world.billing.usage.table.partition("").values(),
  scope: ({ caller }) =>
    caller.isOwner ? undefined : { mark: caller.actor.id, sees: ({ projectId }) => caller.reaches(projectId) },
  show: usageOnWire,
  one: {
    path: "/{resource_id}",
    operationId: "getUsage",
    summary: "Shows the usage of a resource, also after its deletion.",
    find(call) {
      const record = call.world.billing.usage.table.get(call.param("resource_id"));
      if (!record) throw notFound("usage");
      call.requireReach(record.projectId);
      return record;
    },
  },
});
