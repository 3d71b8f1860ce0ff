import { nth, tagLimits, times, type KindDescriptor, type Limit } from "./descriptor";
import { storage } from "./volume";

const bootVolume = { size: 64, type: storage };
const withConfig = (config: object): object => ({
  nodeConfig: { instanceType: "n1-standard-2", bootVolume, ...config },
});
const reserved = (prefix: string, own: string): Limit => [
  withConfig({ labels: ["team=a", `${prefix}/role=b`] }) as Readonly<Record<string, unknown>>,
  `nodeConfig.labels[1]: must not have a prefix of ${own}, which is the platform's own, and is "${prefix}/role=b"`,
];

/** A cluster that is there from the start, as the simulator keeps it: pools are made in it. */
export const clusterObject = {
  id: "00000000-0000-4000-8000-0000000000c1",
  name: "there-already",
  project_id: "00000000-0000-4000-8000-000000000002",
  region: "us-sva-2",
  vpc_id: "00000000-0000-4000-8000-000000000003",
  kubernetes_version: "v1.34.4",
  autoscaling: false,
  private_ip: "10.0.0.99",
  public_ip: "203.0.113.99",
  status: "ready",
  tags: [],
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
};

export const nksNodePool: KindDescriptor = {
  name: "workers",
  args: ({ clusterId = clusterObject.id }) => ({
    clusterId,
    nodeConfig: { instanceType: "n1-standard-2", bootVolume },
    nodeCount: 2,
  }),
  others: {
    nodeConfig: { instanceType: "n1-standard-2", bootVolume, labels: ["team=a"], taints: ["dedicated=gpu:NoSchedule"] },
  },
  lists: {
    nodeConfig: {
      ...{ instanceType: "n1-standard-2", bootVolume, labels: ["team=b", "env=a"] },
      taints: ["b=1:NoSchedule", "a=1:NoExecute"],
    },
  },
  edited: ({ fields, replace }) => ({
    nodeCount: 1 + (fields % 3),
    nodeConfig: { instanceType: "n1-standard-2", bootVolume, labels: [`generation=${nth(["a", "b"], replace)}`] },
  }),
  collection: "nksNodePools",
  wire: {
    id: "123e4567-e89b-12d3-a456-426614174013",
    cluster_id: "123e4567-e89b-12d3-a456-426614174012",
    name: "my-node-pool",
    node_config: {
      boot_volume: { size: 64, type: storage },
      instance_type: "n1-standard-2",
      labels: [],
      taints: [],
    },
    node_count: 3,
    status: "ready",
    tags: [],
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  },
  creation: () => ({
    name: "sample",
    node_config: { instance_type: "n1-standard-2", boot_volume: { size: 64, type: storage } },
    node_count: 2,
    tags: [],
  }),
  inputDrifts: {
    clusterId: "part of the path: another value is another object",
    nodeConfig: {
      wire: { node_config: { instance_type: "n1-standard-4", boot_volume: bootVolume, labels: ["x=y"], taints: [] } },
      shown: { instanceType: "n1-standard-4", bootVolume, labels: ["x=y"], taints: [] },
    },
    nodeCount: { wire: { node_count: 7 }, shown: 7 },
    tags: { wire: { tags: ["theirs"] }, shown: ["theirs"] },
    name: { wire: { name: "theirs" }, shown: "theirs" },
  },
  outputDrifts: { status: { wire: { status: "error" }, shown: "error" }, ...times },
  limits: [
    [{}, undefined],
    [{ clusterId: undefined }, "clusterId: is required"],
    [{ nodeCount: undefined }, undefined],
    [{ nodeCount: 0 }, undefined],
    [{ nodeCount: 100 }, undefined],
    [{ nodeCount: -1 }, "nodeCount: must be at least 0 (is -1)"],
    [{ nodeCount: 101 }, "nodeCount: must be at most 100 (is 101)"],
    [{ nodeConfig: undefined }, "nodeConfig: is required"],
    [{ nodeConfig: { bootVolume } }, "nodeConfig.instanceType: is required"],
    ...[63, 513].map((size): Limit => {
      const limit = size < 64 ? "at least 64" : "at most 512";
      return [
        { nodeConfig: { instanceType: "n1-standard-2", bootVolume: { size, type: storage } } },
        `nodeConfig.bootVolume.size: must be ${limit} (is ${size})`,
      ];
    }),
    [withConfig({ labels: ["example.com/role=a", "team="] }) as Limit[0], undefined],
    [withConfig({ labels: ["team"] }) as Limit[0], 'nodeConfig.labels[0]: must be key=value, and is "team"'],
    reserved("kubernetes.io", "kubernetes.io"),
    reserved("node.k8s.io", "k8s.io"),
    reserved("nirvanalabs.io", "nirvanalabs.io"),
    [
      withConfig({ taints: ["dedicated=gpu:Never"] }) as Limit[0],
      'nodeConfig.taints[0]: must be key=value:Effect with one of NoSchedule, PreferNoSchedule, NoExecute, and is "dedicated=gpu:Never"',
    ],
    ...tagLimits,
  ],
};
