import { z } from "zod";
import { privateAddressIn } from "../model/addresses";
import { findInstanceType } from "../model/catalogues";
import { computeUsage, reportInstanceType, summed } from "../model/compute";
import { formatTimestamp } from "../model/timestamp";
import type { World } from "../model/world";
import { dateTime, resourceStatus, tags, tagsInput } from "../schemas/primitives";
import { nksClusterNoun } from "./nks-cluster";
import { partOf } from "./nks-parts";
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
    size: z.int().min(64, "must be at least 64").max(512, "must be at most 512").describe("GB"),
    type: volumeType,
  }),
  instance_type: z.string(),
  labels: z.array(label).optional(),
  taints: z.array(taint).optional(),
});

const create = z.strictObject({
  name: z.string(),
  node_config: nodeConfig,
  node_count: z.int().min(0, "must be at least 0").max(100, "must be at most 100").optional(),
  tags: tagsInput.optional(),
});

const update = create.omit({ node_config: true }).partial();

const kept = z.object({
  id: z.string(),
  cluster_id: z.string(),
  name: z.string(),
  node_config: z.object({
    boot_volume: z.object({ size: z.int(), type: volumeType }),
    instance_type: z.string(),
    labels: z.array(z.string()),
    taints: z.array(z.string()),
  }),
  node_count: z.int(),
  status: resourceStatus,
  tags,
  created_at: dateTime,
  updated_at: dateTime,
});

/** A node pool as it is kept and shown. */
export type NodePool = z.infer<typeof kept>;

/** The number of nodes if a request gives none. The specification shows no default. */
const defaultNodeCount = 1;

type Sized = Pick<NodePool, "cluster_id"> & {
  readonly node_config: {
    readonly instance_type: string;
    readonly boot_volume: NodePool["node_config"]["boot_volume"];
  };
  readonly node_count?: number | undefined;
};

function usageOf({ cluster_id, node_config, node_count = defaultNodeCount }: Sized, world: World) {
  const region = world.table(nksClusterNoun).get(cluster_id)?.region ?? "";
  const { type, size } = node_config.boot_volume;
  return summed([
    ...computeUsage(region, node_config.instance_type, node_count),
    storageUsage(type, size * node_count),
  ]);
}

/** Adds nodes to a pool, or removes its newest, until it has its number. */
function fill(pool: NodePool, world: World): void {
  const now = formatTimestamp(world.nowMs);
  const nodes = Array.from(world.partition("nksNodes", pool.id).after(0), ({ value }) => value.id);
  for (const id of nodes.slice(pool.node_count)) world.lifecycleOf("nksNodes").remove(id);
  for (let count = nodes.length; count < pool.node_count; count += 1) {
    const number = world.next(`nodes of ${pool.id}`);
    const node = partOf(now, { pool_id: pool.id, name: `${pool.name}-${number}` });
    const placed = { ...node, private_ip: privateAddressIn("10.129.0.0/24", number) };
    world.lifecycleOf("nksNodes").put(placed);
    const volume = partOf(now, { node_id: node.id, name: `${node.name}-boot` });
    const bootVolume = { ...volume, kind: "boot", ...pool.node_config.boot_volume };
    world.lifecycleOf("nksNodeVolumes").put(bootVolume);
  }
}

/** The node pools of an NKS cluster: nodes come and go with their number. */
export const nksNodePoolNoun = defineNoun<NodePool, typeof create, typeof update>({
  key: "nksNodePools",
  noun: "NKS node pool",
  typeName: "NksNodePool",
  targetType: "nks_node_pool",
  resourceType: "nks_node_pool",
  path: "/v1/nks/clusters/{cluster_id}/pools",
  idParameter: "pool_id",
  parent: nksClusterNoun,
  kept,
  shown: kept,
  create,
  update,
  isDeletable: true,
  isQuoted: true,
  hasAvailability: true,
  projectCounter: "cloud.nks_node_pools",
  usage: usageOf,
  quota(pool, world) {
    const { cluster_id, node_config, node_count = defaultNodeCount } = pool as Sized;
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
  make: (call, { node_config, node_count = defaultNodeCount, tags = [], name }, { id, status, ...times }) => ({
    id,
    cluster_id: call.param("cluster_id"),
    name,
    node_config: { ...node_config, labels: node_config.labels ?? [], taints: node_config.taints ?? [] },
    node_count,
    status,
    tags,
    ...times,
  }),
  afterCreate: fill,
  afterUpdate: (_before, pool, world) => {
    fill(pool, world);
  },
  afterDelete({ id }, world) {
    world.clear("nksNodes", id);
  },
});
