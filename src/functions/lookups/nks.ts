import { flag, instant, integer, openOneOf, text } from "../../definition/field";
import { RESOURCE_STATUSES } from "../../definition/standard-fields";
import { nksCluster } from "../../resources/nks-cluster";
import { nksNodePool } from "../../resources/nks-node-pool";
import { VOLUME_TYPE } from "../../resources/volume";
import { all, objectsOf, one, shape, byIdOrName, outputForm } from "../lookup";
import { projectId } from "./filters";

const clusterId = text();
const clusters = objectsOf(nksCluster, { projectId }, ["kubeconfig", "replaceOnVersionChange"]);
const pools = objectsOf(nksNodePool, { clusterId }, []);
const found = { status: openOneOf(RESOURCE_STATUSES), createdAt: instant(), updatedAt: instant() };

/** The versions of Kubernetes that a cluster can run: `name` is what `kubernetesVersion` of a NksCluster takes. */
export const getKubernetesVersions = all("getKubernetesVersions", {
  path: "/v1/nks/kubernetes_versions",
  args: {},
  result: shape({ name: text(), displayName: text(), createdAt: instant() }),
});
/** The output form of `getKubernetesVersions`: it accepts Inputs and returns an Output. */
export const getKubernetesVersionsOutput = outputForm(getKubernetesVersions);
/** The NKS clusters of a project. */
export const getNksClusters = all("getNksClusters", clusters({}));
/** The output form of `getNksClusters`: it accepts Inputs and returns an Output. */
export const getNksClustersOutput = outputForm(getNksClusters);
/** One NKS cluster, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getNksCluster = byIdOrName("getNksCluster", clusters({}));
/** The output form of `getNksCluster`: it accepts Inputs and returns an Output. */
export const getNksClusterOutput = outputForm(getNksCluster);
/** The file with which `kubectl` signs in to a cluster. It is a secret: in a program that shows values, use the output form. */
export const getNksKubeconfig = one("getNksKubeconfig", {
  path: "/v1/nks/clusters/{clusterId}/kubeconfig",
  args: { clusterId },
  result: shape({ kubeconfig: { ...text(), secret: true } }),
});
/** The file with which `kubectl` signs in to a cluster, as an output that is encrypted in the state. */
export const getNksKubeconfigOutput = outputForm(getNksKubeconfig);
/** The node pools of a cluster. */
export const getNksNodePools = all("getNksNodePools", pools({}));
/** The output form of `getNksNodePools`: it accepts Inputs and returns an Output. */
export const getNksNodePoolsOutput = outputForm(getNksNodePools);
/** One node pool of a cluster, by its id or by its name. Rejects if there is none, and if several have the name. */
export const getNksNodePool = byIdOrName("getNksNodePool", pools({}));
/** The output form of `getNksNodePool`: it accepts Inputs and returns an Output. */
export const getNksNodePoolOutput = outputForm(getNksNodePool);
/** The nodes of a pool. */
export const getNksNodes = all("getNksNodes", {
  path: "/v1/nks/clusters/{clusterId}/pools/{poolId}/nodes",
  args: { clusterId, poolId: text() },
  result: shape({ id: text(), name: text(), privateIp: text({ optional: true }), ...found }),
});
/** The output form of `getNksNodes`: it accepts Inputs and returns an Output. */
export const getNksNodesOutput = outputForm(getNksNodes);
/** The load balancers that Kubernetes has made in a cluster. */
export const getNksLoadBalancers = all("getNksLoadBalancers", {
  path: "/v1/nks/clusters/{clusterId}/load_balancers",
  args: { clusterId },
  result: shape({
    ...{ id: text(), clusterId: text(), namespace: text(), serviceName: text() },
    ...{ privateIp: text({ optional: true }), publicIp: text({ optional: true }), publicIpEnabled: flag() },
    ...found,
  }),
});
/** The output form of `getNksLoadBalancers`: it accepts Inputs and returns an Output. */
export const getNksLoadBalancersOutput = outputForm(getNksLoadBalancers);
/** The persistent volume claims of a cluster. */
export const getNksPersistentVolumeClaims = all("getNksPersistentVolumeClaims", {
  path: "/v1/nks/clusters/{clusterId}/persistent_volume_claims",
  args: { clusterId },
  result: shape({
    ...{ id: text(), clusterId: text(), name: text(), size: integer(), type: openOneOf(VOLUME_TYPE.values) },
    ...found,
  }),
});
/** The output form of `getNksPersistentVolumeClaims`: it accepts Inputs and returns an Output. */
export const getNksPersistentVolumeClaimsOutput = outputForm(getNksPersistentVolumeClaims);
