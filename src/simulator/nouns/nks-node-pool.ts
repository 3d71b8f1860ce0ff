import { z } from "zod";
import { privateAddressIn } from "../model/addresses";
import { computeUsage, findInstanceType, reportInstanceType, summed } from "../model/catalogs";
import type { StoredObject } from "../model/object-lifecycle";
import { formatTimestamp } from "../model/time";
import type { World } from "../model/world";
import { nameAndTags, namedInput, resourceMembers } from "../schemas/primitives";
import { listEndpoint } from "../services/list-endpoint";
import { find } from "../services/noun-requests";
import { nksClusterNoun, partMembers, clusterPart, partVolumeMembers } from "./nks-cluster";
import { defineNoun } from "./noun";
import { storageUsage, volumeType } from "./volume";

const label = z
  .string()
  .regex(/^[^=\s]+=[^=\s]*$/, "must be key=value")
  .refine((text) => {
    const [prefix = ""] = text.split("/");
    if (!text.includes("/")) return true;
    return !["kubernetes.io", "k8s.io", "nirvanalabs.io"].some((own) => prefix === own || prefix.endsWith(`.${own}`));
  }, "its prefix is reserved: kubernetes.io, k8s.io and nirvanalabs.io are the platform's");

const taint = z
  .string()
  .regex(/^[^=:\s]+=[^=:\s]*:(NoSchedule|PreferNoSchedule|NoExecute)$/, "must be key=value:Effect");

const nodeConfig = z.strictObject({
  boot_volume: z.strictObject({
    size: z.int().min(64).max(512).describe("GB"),
    type: volumeType,
  }),
  instance_type: z.string(),
  labels: z.array(label).optional(),
  taints: z.array(taint).optional(),
});

const create = z.strictObject({
  ...namedInput,
  node_config: nodeConfig,
  node_count: z.int().min(0).max(100).optional(),
});

const stored = z.object({
  ...resourceMembers,
  ...nameAndTags,
  cluster_id: z.string(),
  node_config: z.object({
    boot_volume: z.object({ size: z.int(), type: volumeType }),
    instance_type: z.string(),
    labels: z.array(z.string()),
    taints: z.array(z.string()),
  }),
  node_count: z.int(),
});

type NodePool = z.infer<typeof stored>;

/** The number of nodes if a request does not say. The specification shows no default. */
const defaultNodeCount = 1;

type PoolSize = Pick<NodePool, "cluster_id"> & {
  readonly node_config: {
    readonly instance_type: string;
    readonly boot_volume: NodePool["node_config"]["boot_volume"];
  };
  readonly node_count?: number | undefined;
};

function usageOf({ cluster_id, node_config, node_count = defaultNodeCount }: PoolSize, world: World) {
  const region = world.table(nksClusterNoun).get(cluster_id)?.region ?? "";
  const { type, size } = node_config.boot_volume;
  return summed([
    ...computeUsage(region, node_config.instance_type, node_count),
    storageUsage(type, size * node_count),
  ]);
}

/** Adds nodes to a pool, or removes its newest nodes, until it has `node_count` nodes. */
function fill(pool: NodePool, world: World): void {
  const now = formatTimestamp(world.nowMs);
  const nodes = world.idsIn("nksNodes", pool.id);
  for (const id of nodes.slice(pool.node_count)) world.lifecycleOf("nksNodes").remove(id);
  for (let count = nodes.length; count < pool.node_count; count += 1) {
    const number = world.next(`nodes of ${pool.id}`);
    const own = { name: `${pool.name}-${number}`, private_ip: privateAddressIn("10.129.0.0/24", number) };
    const node = clusterPart(now, { pool_id: pool.id, ...own });
    world.lifecycleOf("nksNodes").put(node);
    const boot = { name: `${node.name}-boot`, kind: "boot", ...pool.node_config.boot_volume };
    world.lifecycleOf("nksNodeVolumes").put(clusterPart(now, { node_id: node.id, ...boot }));
  }
}

/** The node pools of an NKS cluster. Nodes are created and deleted as `node_count` changes. */
export const nksNodePoolNoun = defineNoun({
  key: "nksNodePools",
  kind: "nks_node_pool",
  path: "/v1/nks/clusters/{cluster_id}/pools",
  parent: nksClusterNoun,
  stored,
  create,
  update: create.omit({ node_config: true }).partial(),
  isDeletable: true,
  isQuoted: true,
  hasAvailability: true,
  projectCounter: "cloud.nks_node_pools",
  usage: usageOf,
  quota(pool: PoolSize, world) {
    const { cluster_id, node_config, node_count = defaultNodeCount } = pool;
    const region = world.table(nksClusterNoun).get(cluster_id)?.region ?? "";
    const type = findInstanceType(region, node_config.instance_type);
    return [
      { quota: "nks.node_pool_vcpu", amount: (type?.vcpu ?? 0) * node_count },
      { quota: "nks.node_pool_memory_gb", amount: (type?.memory_gb ?? 0) * node_count },
    ];
  },
  createRules(call, { node_config }, report) {
    const cluster = call.world.table(nksClusterNoun).get(call.param("cluster_id"));
    reportInstanceType(cluster?.region, node_config?.instance_type, report, "node_config.instance_type");
  },
  make: (_call, { node_config, node_count = defaultNodeCount }) => ({
    node_config: { ...node_config, labels: node_config.labels ?? [], taints: node_config.taints ?? [] },
    node_count,
  }),
  afterCreate: fill,
  afterUpdate: (_before, pool, world) => {
    fill(pool, world);
  },
});

/** The nodes of a pool. Deleting one makes the pool smaller. */
export const nksNodeNoun = defineNoun({
  key: "nksNodes",
  kind: "nks_node",
  path: "/v1/nks/clusters/{cluster_id}/pools/{pool_id}/nodes",
  parent: nksNodePoolNoun,
  stored: z.object({ ...partMembers, pool_id: z.string(), private_ip: z.string().nullable() }),
  hidden: ["pool_id"],
  isDeletable: true,
  afterDelete({ pool_id }, world) {
    const left = world.partition("nksNodes", pool_id).size;
    const pool = world.table(nksNodePoolNoun).get(pool_id);
    if (pool && pool.node_count > left) world.lifecycle(nksNodePoolNoun).change(pool_id, { node_count: left });
  },
});

export const nksNodeVolumeNoun = defineNoun({
  key: "nksNodeVolumes",
  kind: "nks_node_volume",
  path: "/v1/nks/clusters/{cluster_id}/pools/{pool_id}/nodes/{node_id}/volumes",
  parent: nksNodeNoun,
  stored: z.object({ ...partVolumeMembers, node_id: z.string() }),
  endpoints: ({ shown }) => [
    listEndpoint<StoredObject>({
      path: "/v1/nks/clusters/{cluster_id}/pools/{pool_id}/volumes",
      operationId: "listNksPoolVolumes",
      summary: "Lists the volumes of all nodes of an NKS node pool.",
      needs: { resourceType: "nks_node_pool", level: "read" },
      shown,
      items(call) {
        const nodes = call.world.idsIn("nksNodes", find(call, nksNodePoolNoun).id);
        return nodes.flatMap((node) => [...call.world.partition("nksNodeVolumes", node).values()]);
      },
    }),
  ],
});
