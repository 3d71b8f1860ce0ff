import { z } from "zod";
import { dateTime } from "../schema";

const count = z.number().int();

/** Project (the specification names it without its fields), with live counters of what it holds. */
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
