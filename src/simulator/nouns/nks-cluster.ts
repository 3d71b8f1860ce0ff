import { z } from "zod";
import { conflict } from "../model/api-error";
import { privateAddressIn, publicAddressOf } from "../model/addresses";
import { kubernetesVersions } from "../model/catalogues";
import { regionProblem } from "../model/regions";
import { formatTimestamp } from "../model/timestamp";
import { dateTime, resourceStatus, tags, tagsInput } from "../schemas/primitives";
import { type AnyEndpoint, defineEndpoint } from "../services/endpoint";
import { find } from "../services/noun-endpoints";
import { fixedItems, listEndpoint } from "../services/list-endpoint";
import { defineNoun } from "./noun";
import { partOf } from "./nks-parts";
import { vpcNoun } from "./vpc";

const create = z.strictObject({
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  vpc_id: z.string(),
  kubernetes_version: z.string(),
  autoscaling: z.boolean(),
  tags: tagsInput.optional(),
});

const update = create.pick({ name: true, autoscaling: true, tags: true }).partial();

/** NKSCluster (section 2.10). */
const kept = z.object({
  id: z.string(),
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  vpc_id: z.string(),
  kubernetes_version: z.string(),
  autoscaling: z.boolean(),
  private_ip: z.string(),
  public_ip: z.string(),
  status: resourceStatus,
  tags,
  created_at: dateTime,
  updated_at: dateTime,
});

type Cluster = z.infer<typeof kept>;

/** The number of controllers of a cluster. The specification shows none. */
const controllers = 3;

/** The NKS clusters: their controllers come and go with them, node pools are made in them. */
export const nksClusterNoun = defineNoun<Cluster, typeof create, typeof update>({
  key: "nksClusters",
  noun: "NKS cluster",
  typeName: "NksCluster",
  targetType: "nks_cluster",
  resourceType: "nks_cluster",
  path: "/v1/nks/clusters",
  idParameter: "cluster_id",
  kept,
  shown: kept.extend({ pool_ids: z.array(z.string()) }),
  create,
  update,
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
  placeRules({ world, caller }, { project_id, region, vpc_id }, report) {
    const vpc = vpc_id === undefined ? undefined : world.table(vpcNoun).get(vpc_id);
    if (vpc_id !== undefined && (!vpc || !caller.reaches(vpc.project_id))) report("vpc_id", "no such VPC");
    if (vpc && project_id !== undefined && vpc.project_id !== project_id)
      report("vpc_id", "the VPC is in another project");
    if (vpc && region !== undefined && vpc.region !== region) report("vpc_id", "the VPC is in another region");
  },
  updateRules(_call, { region }, { autoscaling }, report) {
    const problem = autoscaling === true ? regionProblem(region, "nks.autoscaling") : undefined;
    if (problem !== undefined) report("autoscaling", problem);
  },
  beforeCreate({ world }, { vpc_id }) {
    if (world.table(vpcNoun).get(vpc_id)?.status === "deleting") throw conflict("the VPC is being deleted");
  },
  make({ world }, { tags = [], ...body }, { id, status, ...times }) {
    const cidr = world.table(vpcNoun).get(body.vpc_id)?.subnet.cidr ?? "10.0.0.0/25";
    const private_ip = privateAddressIn(cidr, world.next(`addresses of ${body.vpc_id}`));
    return { id, ...body, private_ip, public_ip: publicAddressOf(id), status, tags, ...times };
  },
  afterCreate({ id, name }, world) {
    const now = formatTimestamp(world.nowMs);
    for (let index = 0; index < controllers; index += 1) {
      const controller = partOf(now, { cluster_id: id, name: `${name}-controller-${index}` });
      const address = privateAddressIn("10.128.0.0/25", world.next(`controllers of ${id}`));
      const placed = { ...controller, instance_type: "n1-standard-2", private_ip: address };
      world.lifecycleOf("nksControllers").put(placed);
      const volume = partOf(now, { controller_id: controller.id, name: `${controller.name}-boot` });
      const bootVolume = { ...volume, kind: "boot", size: 64, type: "nvme" };
      world.lifecycleOf("nksControllerVolumes").put(bootVolume);
    }
  },
  beforeDelete({ world }, { id }) {
    const pools = world.partition("nksNodePools", id).size;
    if (pools > 0) throw conflict(`the NKS cluster has ${pools} node pools, delete them first`);
  },
  beforeRemove({ id }, world) {
    for (const key of ["nksControllers", "nksLoadBalancers", "nksPersistentVolumeClaims"]) world.clear(key, id);
  },
  show: (cluster, world) => ({
    ...cluster,
    pool_ids: Array.from(world.partition("nksNodePools", cluster.id).after(0), ({ value }) => value.id),
  }),
  more: [
    listEndpoint<(typeof kubernetesVersions)[number]>({
      path: "/v1/nks/kubernetes_versions",
      operationId: "listKubernetesVersions",
      summary: "Lists what clusters can run.",
      needs: { resourceType: "nks_cluster", level: "read" },
      items: fixedItems(kubernetesVersions),
      shown: z.object({ name: z.string(), display_name: z.string(), created_at: dateTime }),
    }),
    kubeconfigEndpoint(),
  ],
});

/** The access to a cluster: a text, once the cluster is there. */
function kubeconfigEndpoint(): AnyEndpoint {
  return defineEndpoint({
    method: "GET",
    path: "/v1/nks/clusters/{cluster_id}/kubeconfig",
    operationId: "getNksKubeconfig",
    summary: "Shows the kubeconfig of an NKS cluster.",
    needs: { resourceType: "nks_cluster", level: "read" },
    status: 200,
    response: z.object({ kubeconfig: z.string() }),
    handle(call) {
      const { id, name, public_ip, status } = find<Cluster>(call, nksClusterNoun);
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
      return { status: 200, body: { kubeconfig } };
    },
  });
}
