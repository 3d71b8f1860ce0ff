import { flag, instant, integer, openOneOf, text } from "../../definition/field";
import { status, times } from "../../definition/standard-fields";
import { nksCluster, type NksClusterDefinition } from "../../resources/nks-cluster";
import { nksNodePool, type NksNodePoolDefinition } from "../../resources/nks-node-pool";
import { VOLUME_TYPE } from "../../resources/volume";
import {
  all,
  byIdOrName,
  objectsOf,
  one,
  outputForm,
  shape,
  shapeAs,
  shapeOf,
  type ArgsOf,
  type ResultOf,
} from "../lookup";

const ofCluster = {
  /** The id of the cluster. */
  clusterId: text(),
};

const nksClusterShape = shapeOf(nksCluster as NksClusterDefinition, ["kubeconfig", "replaceOnVersionChange"]);
/** An NKS cluster (managed Kubernetes), without its kubeconfig. */
export interface NksClusterResult extends ResultOf<typeof nksClusterShape> {}
const clusters = objectsOf<NksClusterResult>(nksCluster, nksClusterShape);

const nksNodePoolShape = shapeOf(nksNodePool as NksNodePoolDefinition, []);
/** A node pool of an NKS cluster. */
export interface NksNodePoolResult extends ResultOf<typeof nksNodePoolShape> {}
const pools = objectsOf<NksNodePoolResult>(nksNodePool, nksNodePoolShape);

const identity = {
  /** Its id. */
  id: text(),
};

const addressed = {
  /** Its private IP address. Undefined if the API shows none. */
  privateIp: text({ optional: true }),
};

const kubernetesVersionShape = shape({
  /** Its name: what `kubernetesVersion` of a NksCluster takes. */
  name: text(),
  /** Its name for people. */
  displayName: text(),
  /** When it was made: ISO 8601, UTC. */
  createdAt: instant(),
});
export interface KubernetesVersionResult extends ResultOf<typeof kubernetesVersionShape> {}
/** The versions of Kubernetes that a cluster can run: `name` is what `kubernetesVersion` of a NksCluster takes. */
export const getKubernetesVersions = all("getKubernetesVersions", {
  path: "/v1/nks/kubernetes_versions",
  result: shapeAs<KubernetesVersionResult>(kubernetesVersionShape),
});
/** The output form of `getKubernetesVersions`: it accepts Inputs and returns an Output. */
export const getKubernetesVersionsOutput = outputForm(getKubernetesVersions);
/** The NKS clusters of a project. */
export const getNksClusters = all("getNksClusters", { ...clusters, sharedArgs: ["projectId"] });
export interface GetNksClustersArgs extends ArgsOf<typeof getNksClusters> {}
/** The output form of `getNksClusters`: it accepts Inputs and returns an Output. */
export const getNksClustersOutput = outputForm(getNksClusters);
export interface GetNksClustersOutputArgs extends ArgsOf<typeof getNksClustersOutput> {}
/** One NKS cluster, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getNksCluster = byIdOrName("getNksCluster", { ...clusters, sharedArgs: ["projectId"] });
export interface GetNksClusterArgs extends ArgsOf<typeof getNksCluster> {}
/** The output form of `getNksCluster`: it accepts Inputs and returns an Output. */
export const getNksClusterOutput = outputForm(getNksCluster);
export interface GetNksClusterOutputArgs extends ArgsOf<typeof getNksClusterOutput> {}

const nksKubeconfigShape = shape({
  /** The content of the file. */
  kubeconfig: { ...text(), secret: true },
});
export interface NksKubeconfigResult extends ResultOf<typeof nksKubeconfigShape> {}
/**
 * The file with which `kubectl` signs in to a cluster. It is a secret: in a program that shows values, use the output
 * form.
 */
export const getNksKubeconfig = one("getNksKubeconfig", {
  path: "/v1/nks/clusters/{clusterId}/kubeconfig",
  args: ofCluster,
  result: shapeAs<NksKubeconfigResult>(nksKubeconfigShape),
});
export interface GetNksKubeconfigArgs extends ArgsOf<typeof getNksKubeconfig> {}
/** The file with which `kubectl` signs in to a cluster, as an output that is encrypted in the state. */
export const getNksKubeconfigOutput = outputForm(getNksKubeconfig);
export interface GetNksKubeconfigOutputArgs extends ArgsOf<typeof getNksKubeconfigOutput> {}
/** The node pools of a cluster. */
export const getNksNodePools = all("getNksNodePools", { ...pools, args: ofCluster });
export interface GetNksNodePoolsArgs extends ArgsOf<typeof getNksNodePools> {}
/** The output form of `getNksNodePools`: it accepts Inputs and returns an Output. */
export const getNksNodePoolsOutput = outputForm(getNksNodePools);
export interface GetNksNodePoolsOutputArgs extends ArgsOf<typeof getNksNodePoolsOutput> {}
/** One node pool of a cluster, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getNksNodePool = byIdOrName("getNksNodePool", { ...pools, args: ofCluster });
export interface GetNksNodePoolArgs extends ArgsOf<typeof getNksNodePool> {}
/** The output form of `getNksNodePool`: it accepts Inputs and returns an Output. */
export const getNksNodePoolOutput = outputForm(getNksNodePool);
export interface GetNksNodePoolOutputArgs extends ArgsOf<typeof getNksNodePoolOutput> {}

const nksNodeShape = shape({
  ...identity,
  /** Its name. */
  name: text(),
  ...{ ...addressed, ...status, ...times },
});
export interface NksNodeResult extends ResultOf<typeof nksNodeShape> {}
/** The nodes of a pool. */
export const getNksNodes = all("getNksNodes", {
  path: "/v1/nks/clusters/{clusterId}/pools/{poolId}/nodes",
  args: {
    ...ofCluster,
    /** The id of the node pool. */
    poolId: text(),
  },
  result: shapeAs<NksNodeResult>(nksNodeShape),
});
export interface GetNksNodesArgs extends ArgsOf<typeof getNksNodes> {}
/** The output form of `getNksNodes`: it accepts Inputs and returns an Output. */
export const getNksNodesOutput = outputForm(getNksNodes);
export interface GetNksNodesOutputArgs extends ArgsOf<typeof getNksNodesOutput> {}

const nksLoadBalancerShape = shape({
  ...{ ...identity, ...ofCluster },
  /** The namespace of its Service in Kubernetes. */
  namespace: text(),
  /** The name of its Service in Kubernetes. */
  serviceName: text(),
  ...addressed,
  /** Its address on the internet, if it has one. */
  publicIp: text({ optional: true }),
  /** True if it has an address on the internet. */
  publicIpEnabled: flag(),
  ...{ ...status, ...times },
});
export interface NksLoadBalancerResult extends ResultOf<typeof nksLoadBalancerShape> {}
/** The load balancers that Kubernetes has made in a cluster. */
export const getNksLoadBalancers = all("getNksLoadBalancers", {
  path: "/v1/nks/clusters/{clusterId}/load_balancers",
  args: ofCluster,
  result: shapeAs<NksLoadBalancerResult>(nksLoadBalancerShape),
});
export interface GetNksLoadBalancersArgs extends ArgsOf<typeof getNksLoadBalancers> {}
/** The output form of `getNksLoadBalancers`: it accepts Inputs and returns an Output. */
export const getNksLoadBalancersOutput = outputForm(getNksLoadBalancers);
export interface GetNksLoadBalancersOutputArgs extends ArgsOf<typeof getNksLoadBalancersOutput> {}

const nksPersistentVolumeClaimShape = shape({
  ...{ ...identity, ...ofCluster },
  /** Its name. */
  name: text(),
  /** Its size in GB. */
  size: integer(),
  /** The kind of storage. */
  type: openOneOf(VOLUME_TYPE.values),
  ...{ ...status, ...times },
});
export interface NksPersistentVolumeClaimResult extends ResultOf<typeof nksPersistentVolumeClaimShape> {}
/** The persistent volume claims of a cluster. */
export const getNksPersistentVolumeClaims = all("getNksPersistentVolumeClaims", {
  path: "/v1/nks/clusters/{clusterId}/persistent_volume_claims",
  args: ofCluster,
  result: shapeAs<NksPersistentVolumeClaimResult>(nksPersistentVolumeClaimShape),
});
export interface GetNksPersistentVolumeClaimsArgs extends ArgsOf<typeof getNksPersistentVolumeClaims> {}
/** The output form of `getNksPersistentVolumeClaims`: it accepts Inputs and returns an Output. */
export const getNksPersistentVolumeClaimsOutput = outputForm(getNksPersistentVolumeClaims);
export interface GetNksPersistentVolumeClaimsOutputArgs extends ArgsOf<typeof getNksPersistentVolumeClaimsOutput> {}
