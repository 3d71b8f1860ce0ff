import { z } from "zod";
import { notFound } from "../model/rejection";
import {
  type Dialect,
  findInstanceType,
  findRegion,
  type InstanceType,
  instanceTypes,
  regions,
} from "../model/catalogs";
import { quotaSchema } from "../schemas/answers";
import { between, filtersOf, integerOf, numberOf, sortBy } from "../schemas/lists";
import { dateTime, type Region, regionSchema } from "../schemas/primitives";
import type { Endpoint } from "./endpoint";
import { collectionEndpoints, fixedItems } from "./list-endpoint";

const allRegions = fixedItems(regions);

function regionNamed(name: string): Region {
  const region = findRegion(name);
  if (!region) throw notFound("region");
  return region;
}

/** The regions (section 4). Any valid key may read them. */
export const regionEndpoints = collectionEndpoints<Region>({
  path: "/v1/regions",
  operationId: "listRegions",
  summary: "Lists the regions, to any valid key.",
  needs: null,
  shown: regionSchema,
  items: allRegions,
  one: {
    path: "/{name}",
    operationId: "getRegion",
    summary: "Shows a region, to any valid key.",
    find: (call) => regionNamed(call.param("name")),
  },
});

/** The quotas (section 2.11). Any valid key may read them, because the specification names no permission. */
export function quotaEndpoints(dialect: Dialect): readonly Endpoint[] {
  return collectionEndpoints<Region>({
    path: "/v1/quotas",
    operationId: "listQuotas",
    summary: "Lists the organization's quotas in every region, to any valid key.",
    needs: null,
    shown: quotaSchema(dialect),
    items: allRegions,
    show: ({ name }, { world }) => ({ region: name, ...world.quotas.of(name) }),
    one: {
      path: "/{region}",
      operationId: "getQuota",
      summary: "Shows the organization's quotas in a region, to any valid key.",
      find: (call) => regionNamed(call.param("region")),
    },
  });
}

const shown = z.object({
  name: z.string(),
  family: z.string(),
  series: z.string(),
  chipset: z.string(),
  vcpu: z.int(),
  memory_gb: z.int(),
  network_bandwidth_gbps: z.number(),
  region: z.string(),
  created_at: dateTime,
  updated_at: dateTime,
});

/** The instance types (section 2.9). Any valid key may read them. */
export const instanceTypeEndpoints = collectionEndpoints<InstanceType>({
  path: "/v1/instance_types",
  operationId: "listInstanceTypes",
  summary: "Lists the instance types, to any valid key.",
  needs: null,
  items: fixedItems(instanceTypes),
  shown,
  filters: {
    ...filtersOf<InstanceType>(["chipset", "family", "series", "region", "name"], shown.shape),
    ...between("vcpu", integerOf(z.int()), ({ vcpu }) => vcpu),
    ...between("memory_gb", integerOf(z.int()), ({ memory_gb }) => memory_gb),
    ...between("network_bandwidth_gbps", numberOf, (type) => type.network_bandwidth_gbps),
  },
  // Not by created_at, unlike other lists.
  parameters: { sort: sortBy("series", "family", "name", "vcpu", "memory_gb", "network_bandwidth_gbps") },
  one: {
    path: "/{region}/{instance_type}",
    operationId: "getInstanceType",
    summary: "Shows an instance type of a region, to any valid key.",
    find(call) {
      const type = findInstanceType(call.param("region"), call.param("instance_type"));
      if (!type) throw notFound("instance type");
      return type;
    },
  },
});
