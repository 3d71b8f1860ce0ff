import { type KindDescriptor, type Limit, nth } from "./descriptor";
import { storage } from "./volume";

const bootVolume = { size: 64, type: storage };
const withConfig = (config: object): object => ({
  nodeConfig: { instanceType: "n1-standard-2", bootVolume, ...config },
});
const reserved = (prefix: string, own: string): Limit => [
  withConfig({ labels: ["team=a", `${prefix}/role=b`] }) as Readonly<Record<string, unknown>>,
  `nodeConfig.labels[1]: must not have a prefix of ${own}, which is the platform's own, and is "${prefix}/role=b"`,
];

/** A cluster that the simulator has from the start, for pools to be created in. */
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
  values: { nodeConfig: { instanceType: "n1-standard-4", bootVolume, labels: ["x=y"], taints: [] } },
  limits: [
    [withConfig({ labels: ["example.com/role=a", "team="] }) as Limit[0], undefined],
    [withConfig({ labels: ["team"] }) as Limit[0], 'nodeConfig.labels[0]: must be key=value, and is "team"'],
    reserved("kubernetes.io", "kubernetes.io"),
    reserved("node.k8s.io", "k8s.io"),
    reserved("nirvanalabs.io", "nirvanalabs.io"),
    [
      withConfig({ taints: ["dedicated=gpu:Never"] }) as Limit[0],
      'nodeConfig.taints[0]: must be key=value:Effect with one of NoSchedule, PreferNoSchedule, NoExecute, and is "dedicated=gpu:Never"',
    ],
  ],
};
