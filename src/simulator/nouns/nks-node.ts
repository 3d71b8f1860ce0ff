import { z } from "zod";
import type { Stored } from "../model/lifecycle";
import { OrderedList } from "../model/ordered-list";
import type { AnyEndpoint } from "../services/endpoint";
import { listEndpoint } from "../services/list-endpoint";
import { find } from "../services/noun-requests";
import { nksNodePoolNoun } from "./nks-node-pool";
import { partMembers, partVolumeMembers } from "./nks-parts";
import { defineNoun, type Noun } from "./noun";

/** The nodes of a pool. If one is deleted, the pool gets smaller. */
export const nksNodeNoun = defineNoun({
  key: "nksNodes",
  kind: "nks_node",
  path: "/v1/nks/clusters/{cluster_id}/pools/{pool_id}/nodes",
  parent: nksNodePoolNoun,
  stored: z.object({ ...partMembers, pool_id: z.string(), private_ip: z.string().nullable() }),
  hidden: ["pool_id"],
  isDeletable: true,
  afterDelete({ id, pool_id }, world) {
    world.clear("nksNodeVolumes", id);
    const left = world.partition("nksNodes", pool_id).size;
    const pool = world.table(nksNodePoolNoun).get(pool_id);
    if (pool && pool.node_count > left) world.lifecycle(nksNodePoolNoun).change(pool_id, { node_count: left });
  },
});

/** Their volumes. */
export const nksNodeVolumeNoun = defineNoun({
  key: "nksNodeVolumes",
  kind: "nks_node_volume",
  path: "/v1/nks/clusters/{cluster_id}/pools/{pool_id}/nodes/{node_id}/volumes",
  parent: nksNodeNoun,
  stored: z.object({ ...partVolumeMembers, node_id: z.string() }),
  endpoints: (noun) => [poolVolumesEndpoint(noun.shown)],
});

/** The volumes of all nodes of a pool. */
function poolVolumesEndpoint(shown: Noun["shown"]): AnyEndpoint {
  return listEndpoint<Stored>({
    path: "/v1/nks/clusters/{cluster_id}/pools/{pool_id}/volumes",
    operationId: "listNksPoolVolumes",
    summary: "Lists the volumes of all nodes of an NKS node pool.",
    needs: { resourceType: "nks_node_pool", level: "read" },
    shown,
    items(call) {
      const nodes = call.world.idsIn("nksNodes", find(call, nksNodePoolNoun).id);
      return OrderedList.of(nodes.flatMap((node) => call.world.objectsIn("nksNodeVolumes", node)));
    },
  });
}
