import { randomUUID } from "node:crypto";
import { z } from "zod";
import { privateAddressIn, publicAddressOf } from "../model/addresses";
import { conflict, nonEmpty } from "../model/rejection";
import { kubernetesVersions, regionProblem } from "../model/catalogs";
import { formatTimestamp } from "../model/time";
import { dateTime, location, nameAndTags, namedInput, resourceMembers } from "../schemas/primitives";
import { showEndpoint } from "../services/endpoint";
import { fixedItems, listEndpoint } from "../services/list-endpoint";
import { find } from "../services/noun-requests";
import { defineNoun } from "./noun";
import { volumeKind, volumeType } from "./volume";
import { vpcNoun } from "./vpc";

/** A part of a cluster that is created together with another object. It is ready at once. */
export function clusterPart<T extends object>(now: string, members: T) {
  return { id: randomUUID(), ...members, status: "ready" as const, created_at: now, updated_at: now };
}

export const partMembers = { ...resourceMembers, name: z.string() };

export const partVolumeMembers = { ...partMembers, kind: volumeKind, size: z.int(), type: volumeType };

const create = z.strictObject({
  ...namedInput,
  ...location,
  vpc_id: z.string(),
  kubernetes_version: z.string(),
  autoscaling: z.boolean(),
});

/** NKSCluster (section 2.10). */
const stored = z.object({
  ...resourceMembers,
  ...nameAndTags,
  ...location,
  vpc_id: z.string(),
  kubernetes_version: z.string(),
  autoscaling: z.boolean(),
  private_ip: z.string(),
  public_ip: z.string(),
});

const needs = { resourceType: "nks_cluster", level: "read" } as const;

/** The number of controllers of a cluster. The specification shows none. */
const controllers = 3;

/** The NKS clusters. Their controllers are created and deleted with them, node pools are created in them. */
export const nksClusterNoun = defineNoun({
  key: "nksClusters",
  kind: "nks_cluster",
  path: "/v1/nks/clusters",
  stored,
  computed: { pool_ids: z.array(z.string()) },
  create,
  update: create.pick({ name: true, autoscaling: true, tags: true }).partial(),
  isDeletable: true,
  isQuoted: true,
  hasAvailability: true,
  projectCounter: "cloud.nks_clusters",
  prices: { nks_cluster: { displayName: "NKS cluster", unitPrice: "73.00" } },
  usage: () => [{ dimension: "nks_cluster", quantity: 1 }],
  quota: () => [
    { quota: "nks.clusters", amount: 1 },
    { quota: "nks.public_ips", amount: 1 },
  ],
  regionFeatures: ({ autoscaling }) => ["nks.clusters", ...(autoscaling === true ? ["nks.autoscaling"] : [])],
  createRules(_call, { kubernetes_version }, report) {
    const names = kubernetesVersions.map(({ name }) => name);
    if (kubernetes_version !== undefined && !names.some((name) => name === kubernetes_version)) {
      report("kubernetes_version", `no such version, must be one of ${names.join(", ")}`);
    }
  },
  referenceRules({ world, caller }, { project_id, region, vpc_id }, report) {
    const vpc = vpc_id === undefined ? undefined : world.table(vpcNoun).get(vpc_id);
    if (vpc_id !== undefined && (!vpc || !caller.reaches(vpc.project_id))) report("vpc_id", "no such VPC");
    if (vpc && project_id !== undefined && vpc.project_id !== project_id)
      report("vpc_id", "the VPC is in another project");
    if (vpc && region !== undefined && vpc.region !== region) report("vpc_id", "the VPC is in another region");
  },
  updateRules(_call, { region }, { autoscaling }, report) {
    const problem = autoscaling === true ? regionProblem(region, ["nks.autoscaling"]) : undefined;
    if (problem !== undefined) report("autoscaling", problem);
  },
  beforeCreate({ world }, { vpc_id }) {
    if (world.table(vpcNoun).get(vpc_id)?.status === "deleting") throw conflict("the VPC is being deleted");
  },
  make({ world }, { vpc_id }, { id }) {
    const cidr = world.table(vpcNoun).get(vpc_id)?.subnet.cidr ?? "10.0.0.0/25";
    const private_ip = privateAddressIn(cidr, world.next(`addresses of ${vpc_id}`));
    return { private_ip, public_ip: publicAddressOf(id) };
  },
  afterCreate({ id, name }, world) {
    const now = formatTimestamp(world.nowMs);
    for (let index = 0; index < controllers; index += 1) {
      const address = privateAddressIn("10.128.0.0/25", world.next(`controllers of ${id}`));
      const own = { name: `${name}-controller-${index}`, instance_type: "n1-standard-2", private_ip: address };
      const controller = clusterPart(now, { cluster_id: id, ...own });
      world.lifecycleOf("nksControllers").put(controller);
      const boot = { name: `${controller.name}-boot`, kind: "boot", size: 64, type: volumeType.options[0] };
      world.lifecycleOf("nksControllerVolumes").put(clusterPart(now, { controller_id: controller.id, ...boot }));
    }
  },
  beforeDelete({ world }, { id }) {
    const pools = world.partition("nksNodePools", id).size;
    if (pools > 0) throw nonEmpty("NKS cluster", pools, "node pool");
  },
  show: ({ id }, world) => ({ pool_ids: world.idsIn("nksNodePools", id) }),
  endpoints: (noun) => [
    listEndpoint<(typeof kubernetesVersions)[number]>({
      path: "/v1/nks/kubernetes_versions",
      operationId: "listKubernetesVersions",
      summary: "Lists the Kubernetes versions of clusters.",
      needs,
      items: fixedItems(kubernetesVersions),
      shown: z.object({ name: z.string(), display_name: z.string(), created_at: dateTime }),
    }),
    // The kubeconfig of a cluster, as text. It exists once the creation has ended.
    showEndpoint({
      path: "/v1/nks/clusters/{cluster_id}/kubeconfig",
      operationId: "getNksKubeconfig",
      summary: "Shows the kubeconfig of an NKS cluster.",
      needs,
      response: z.object({ kubeconfig: z.string() }),
      show(call) {
        const { id, name, public_ip, status } = find(call, noun);
        if (status === "creating" || status === "error") throw conflict(`the NKS cluster is in the state ${status}`);
        const kubeconfig = [
          "apiVersion: v1",
          "kind: Config",
          `clusters: [{ name: ${JSON.stringify(name)}, cluster: { server: "https://${public_ip}:6443" } }]`,
          `users: [{ name: admin, user: { token: "simulated-${id}" } }]`,
          `contexts: [{ name: default, context: { cluster: ${JSON.stringify(name)}, user: admin } }]`,
          "current-context: default",
          "",
        ].join("\n");
        return { kubeconfig };
      },
    }),
  ],
});

/** The controllers of an NKS cluster. They are created and deleted with it. */
export const nksControllerNoun = defineNoun({
  key: "nksControllers",
  kind: "nks_controller",
  path: "/v1/nks/clusters/{cluster_id}/controllers",
  parent: nksClusterNoun,
  stored: z.object({
    ...partMembers,
    cluster_id: z.string(),
    instance_type: z.string(),
    private_ip: z.string().nullable(),
  }),
  hidden: ["cluster_id"],
});

export const nksControllerVolumeNoun = defineNoun({
  key: "nksControllerVolumes",
  kind: "nks_controller_volume",
  path: "/v1/nks/clusters/{cluster_id}/controllers/{controller_id}/volumes",
  parent: nksControllerNoun,
  stored: z.object({ ...partVolumeMembers, controller_id: z.string() }),
  hidden: ["controller_id"],
});

/** The load balancers that Kubernetes creates in a cluster. In the simulator, the control port adds them. */
export const nksLoadBalancerNoun = defineNoun({
  key: "nksLoadBalancers",
  kind: "nks_load_balancer",
  path: "/v1/nks/clusters/{cluster_id}/load_balancers",
  parent: nksClusterNoun,
  stored: z.object({
    ...resourceMembers,
    cluster_id: z.string(),
    namespace: z.string(),
    service_name: z.string(),
    private_ip: z.string().nullable(),
    public_ip: z.string().nullable(),
    public_ip_enabled: z.boolean(),
  }),
  update: z.strictObject({ public_ip_enabled: z.boolean() }),
  usage: ({ public_ip_enabled }) => [{ dimension: "networking_public_ip", quantity: public_ip_enabled ? 1 : 0 }],
  quota: ({ public_ip_enabled }) => [{ quota: "nks.public_ips", amount: public_ip_enabled ? 1 : 0 }],
  change: ({ id }, { public_ip_enabled = false }) => ({
    public_ip_enabled,
    public_ip: public_ip_enabled ? publicAddressOf(id) : null,
  }),
  changeList: (members) => ({ ...members, public_ip: undefined }),
});

/** The volume claims that Kubernetes creates in a cluster. In the simulator, the control port adds them. */
export const nksPersistentVolumeClaimNoun = defineNoun({
  key: "nksPersistentVolumeClaims",
  kind: "nks_persistent_volume_claim",
  path: "/v1/nks/clusters/{cluster_id}/persistent_volume_claims",
  parent: nksClusterNoun,
  stored: z.object({ ...partMembers, cluster_id: z.string(), size: z.int(), type: volumeType }),
});
