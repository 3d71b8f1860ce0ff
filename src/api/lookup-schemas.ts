import { z } from "zod";
import { dateTime, openEnum } from "./schema";

const count = z.number().int();

/** Project (the specification names it without its fields), with counts of its objects now. */
export const project = z.looseObject({
  id: z.string(),
  name: z.string(),
  resources: z.looseObject({
    blockchain: z.looseObject({ rpc_nodes_dedicated: count, rpc_nodes_flex: count }),
    cloud: z.looseObject({
      connect_connections: count,
      nks_clusters: count,
      nks_node_pools: count,
      vms: count,
      volumes: count,
      vpcs: count,
    }),
  }),
  tags: z.array(z.string()),
  created_at: dateTime,
  updated_at: dateTime,
});
export type Project = z.infer<typeof project>;

/** RegionResponse (the specification names it without its fields): a region and its offer. */
export const region = z.looseObject({
  name: z.string(),
  availability: openEnum("live", "preview", "maintenance", "sunset"),
  compute: z.looseObject({ vms: z.boolean() }),
  networking: z.looseObject({ connect: z.boolean(), vpcs: z.boolean() }),
  nks: z.looseObject({ autoscaling: z.boolean(), clusters: z.boolean() }),
  storage: z.looseObject({ abs: z.boolean(), local_nvme: z.boolean() }),
});
export type Region = z.infer<typeof region>;

/**
 * Specification section 2.7, ConnectRoute: a region of a provider, and the region of the platform that a connection links it
 * with.
 */
export const connectRoute = z.looseObject({
  platform_region: z.string(),
  provider: z.string(),
  provider_region: z.string(),
});
