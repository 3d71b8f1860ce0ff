import { z } from "zod";
import type { Stored } from "../model/lifecycle";
import { OrderedList } from "../model/ordered-list";
import { without } from "../services/changed-members";
import type { AnyEndpoint } from "../services/endpoint";
import { listEndpoint } from "../services/list-endpoint";
import { find } from "../services/noun-endpoints";
import { partMembers, partVolumeMembers } from "./nks-parts";
import { nksNodePoolNoun } from "./nks-node-pool";
import { defineNoun } from "./noun";

const shown = z.object({ ...partMembers, private_ip: z.string().nullable() });
const kept = shown.extend({ pool_id: z.string() });

/** The nodes of a pool: one can be deleted, and then the pool has one less. */
export const nksNodeNoun = defineNoun<z.infer<typeof kept>>({
  key: "nksNodes",
  noun: "NKS node",
  typeName: "NksNode",
  targetType: "nks_node",
  resourceType: "nks_node_pool",
  path: "/v1/nks/clusters/{cluster_id}/pools/{pool_id}/nodes",
  idParameter: "node_id",
  parent: nksNodePoolNoun,
  kept,
  shown,
  isDeletable: true,
  afterDelete({ id, pool_id }, world) {
    world.clear("nksNodeVolumes", id);
    const left = world.partition("nksNodes", pool_id).size;
    const pool = world.table(nksNodePoolNoun).get(pool_id);
    if (pool && pool.node_count > left) world.lifecycle(nksNodePoolNoun).change(pool_id, { node_count: left });
  },
  show: (node) => without(node, "pool_id"),
});

const volume = z.object({ ...partVolumeMembers, node_id: z.string() });

/** Their volumes. */
export const nksNodeVolumeNoun = defineNoun<z.infer<typeof volume>>({
  key: "nksNodeVolumes",
  noun: "NKS node volume",
  typeName: "NksNodeVolume",
  targetType: "nks_node_volume",
  resourceType: "nks_node_pool",
  path: "/v1/nks/clusters/{cluster_id}/pools/{pool_id}/nodes/{node_id}/volumes",
  idParameter: "volume_id",
  parent: nksNodeNoun,
  kept: volume,
  shown: volume,
  more: [poolVolumesEndpoint()],
});

/** The volumes of all nodes of a pool. */
function poolVolumesEndpoint(): AnyEndpoint {
  return listEndpoint<Stored>({
    path: "/v1/nks/clusters/{cluster_id}/pools/{pool_id}/volumes",
    operationId: "listNksPoolVolumes",
    summary: "Lists the volumes of all nodes of an NKS node pool.",
    needs: { resourceType: "nks_node_pool", level: "read" },
    shown: volume,
    items(call) {
      const { id } = find(call, nksNodePoolNoun);
      const inside = (key: string, of: string): Stored[] =>
        Array.from(call.world.partition(key, of).after(0), ({ value }) => value);
      return OrderedList.of(inside("nksNodes", id).flatMap((node) => inside("nksNodeVolumes", node.id)));
    },
  });
}
