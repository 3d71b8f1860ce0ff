import { flag, instant, integer, openOneOf, text } from "../../definition/field";
import { RESOURCE_STATUSES } from "../../definition/statuses";
import { nksCluster } from "../../resources/nks-cluster";
import { nksNodePool } from "../../resources/nks-node-pool";
import { all, bare, bareTwin, lookup, one, secretTwin, shape, shapeOf, sought, twin } from "../lookup";
import { projectId } from "./filters";

const clusterShape = shapeOf(nksCluster, ["kubeconfig", "replaceOnVersionChange"]);
const poolShape = shapeOf(nksNodePool, []);
const clusterId = text();
const found = { status: openOneOf(RESOURCE_STATUSES), createdAt: instant(), updatedAt: instant() };

/** The lookups of Kubernetes clusters. */
export const nks = {
  getKubernetesVersions: lookup({
    about: "The versions of Kubernetes that a cluster can run.",
    path: "/v1/nks/kubernetes_versions",
    args: {},
    result: shape({ name: text(), displayName: text(), createdAt: instant() }),
    finds: "all",
  }),
  getNksClusters: lookup({
    about: "The NKS clusters of a project.",
    path: "/v1/nks/clusters",
    args: { projectId },
    result: clusterShape,
    finds: "all",
  }),
  getNksCluster: lookup({
    about: "One NKS cluster.",
    path: "/v1/nks/clusters",
    args: { projectId },
    result: clusterShape,
    finds: "sought",
    noun: "NKS cluster",
    nouns: "NKS clusters",
  }),
  getNksKubeconfig: lookup({
    about: "The file with which `kubectl` signs in to a cluster.",
    path: "/v1/nks/clusters/{clusterId}/kubeconfig",
    args: { clusterId },
    result: shape({ kubeconfig: { ...text(), secret: true } }),
    finds: "one",
  }),
  getNksNodePools: lookup({
    about: "The node pools of a cluster.",
    path: "/v1/nks/clusters/{clusterId}/pools",
    args: { clusterId },
    result: poolShape,
    finds: "all",
  }),
  getNksNodePool: lookup({
    about: "One node pool of a cluster.",
    path: "/v1/nks/clusters/{clusterId}/pools",
    args: { clusterId },
    result: poolShape,
    finds: "sought",
    noun: "NKS node pool",
    nouns: "NKS node pools",
  }),
  getNksNodes: lookup({
    about: "The nodes of a pool.",
    path: "/v1/nks/clusters/{clusterId}/pools/{poolId}/nodes",
    args: { clusterId, poolId: text() },
    result: shape({ id: text(), name: text(), privateIp: text({ optional: true }), ...found }),
    finds: "all",
  }),
  getNksLoadBalancers: lookup({
    about: "The load balancers that Kubernetes has made in a cluster.",
    path: "/v1/nks/clusters/{clusterId}/load_balancers",
    args: { clusterId },
    result: shape({
      ...{ id: text(), clusterId: text(), namespace: text(), serviceName: text() },
      ...{ privateIp: text({ optional: true }), publicIp: text({ optional: true }), publicIpEnabled: flag() },
      ...found,
    }),
    finds: "all",
  }),
  getNksPersistentVolumeClaims: lookup({
    about: "The persistent volume claims of a cluster.",
    path: "/v1/nks/clusters/{clusterId}/persistent_volume_claims",
    args: { clusterId },
    result: shape({
      ...{ id: text(), clusterId: text(), name: text(), size: integer(), type: openOneOf(["nvme", "abs"]) },
      ...found,
    }),
    finds: "all",
  }),
};

/** The versions of Kubernetes that a cluster can run: `name` is what `kubernetesVersion` of a NksCluster takes. */
export const getKubernetesVersions = bare(all("getKubernetesVersions", nks.getKubernetesVersions));
/** The versions of Kubernetes that a cluster can run, as an output. */
export const getKubernetesVersionsOutput = bareTwin(getKubernetesVersions);
/** The NKS clusters of a project. */
export const getNksClusters = all("getNksClusters", nks.getNksClusters);
/** The NKS clusters of a project, as an output. */
export const getNksClustersOutput = twin(getNksClusters);
/** One NKS cluster, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getNksCluster = sought("getNksCluster", nks.getNksCluster);
/** One NKS cluster, as an output. */
export const getNksClusterOutput = twin(getNksCluster);
/** The file with which `kubectl` signs in to a cluster. It is a secret: in a program that shows values, use the twin. */
export const getNksKubeconfig = one("getNksKubeconfig", nks.getNksKubeconfig);
/** The file with which `kubectl` signs in to a cluster, as an output that is encrypted in the state. */
export const getNksKubeconfigOutput = secretTwin(getNksKubeconfig);
/** The node pools of a cluster. */
export const getNksNodePools = all("getNksNodePools", nks.getNksNodePools);
/** The node pools of a cluster, as an output. */
export const getNksNodePoolsOutput = twin(getNksNodePools);
/** One node pool of a cluster, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getNksNodePool = sought("getNksNodePool", nks.getNksNodePool);
/** One node pool of a cluster, as an output. */
export const getNksNodePoolOutput = twin(getNksNodePool);
/** The nodes of a pool. */
export const getNksNodes = all("getNksNodes", nks.getNksNodes);
/** The nodes of a pool, as an output. */
export const getNksNodesOutput = twin(getNksNodes);
/** The load balancers that Kubernetes has made in a cluster. */
export const getNksLoadBalancers = all("getNksLoadBalancers", nks.getNksLoadBalancers);
/** The load balancers that Kubernetes has made in a cluster, as an output. */
export const getNksLoadBalancersOutput = twin(getNksLoadBalancers);
/** The persistent volume claims of a cluster. */
export const getNksPersistentVolumeClaims = all("getNksPersistentVolumeClaims", nks.getNksPersistentVolumeClaims);
/** The persistent volume claims of a cluster, as an output. */
export const getNksPersistentVolumeClaimsOutput = twin(getNksPersistentVolumeClaims);
