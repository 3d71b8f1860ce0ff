import { flag, instant, integer, openOneOf, text } from "../../definition/field";
import { status, times } from "../../definition/standard-fields";
import { nksCluster, type NksClusterDefinition } from "../../resources/nks-cluster";
import { nksNodePool, type NksNodePoolDefinition } from "../../resources/nks-node-pool";
import { VOLUME_TYPE } from "../../resources/volume";
import { all, objectsOf, one, shape, byIdOrName, outputForm } from "../lookup";
import { ofProject } from "./filters";

const ofCluster = {
  /** The id of the cluster. */
  clusterId: text(),
};
const clusters = objectsOf(nksCluster as NksClusterDefinition, ofProject, ["kubeconfig", "replaceOnVersionChange"]);
const pools = objectsOf(nksNodePool as NksNodePoolDefinition, ofCluster, []);
const identity = {
  /** Its id. */
  id: text(),
};
const addressed = {
  /** Its private IP address. Undefined if the API shows none. */
  privateIp: text({ optional: true }),
};

/** The versions of Kubernetes that a cluster can run: `name` is what `kubernetesVersion` of a NksCluster takes. */
export const getKubernetesVersions = all("getKubernetesVersions", {
  path: "/v1/nks/kubernetes_versions",
  args: {},
  result: shape({
    /** Its name: what `kubernetesVersion` of a NksCluster takes. */
    name: text(),
    /** Its name for people. */
    displayName: text(),
    /** When it was made: ISO 8601, UTC. */
    createdAt: instant(),
  }),
});
/** The output form of `getKubernetesVersions`: it accepts Inputs and returns an Output. */
export const getKubernetesVersionsOutput = outputForm(getKubernetesVersions);
/** The NKS clusters of a project. */
export const getNksClusters = all("getNksClusters", clusters({}));
/** The output form of `getNksClusters`: it accepts Inputs and returns an Output. */
export const getNksClustersOutput = outputForm(getNksClusters);
/** One NKS cluster, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getNksCluster = byIdOrName("getNksCluster", clusters({}));
/** The output form of `getNksCluster`: it accepts Inputs and returns an Output. */
export const getNksClusterOutput = outputForm(getNksCluster);
/**
 * The file with which `kubectl` signs in to a cluster. It is a secret: in a program that shows values, use the output
 * form.
 */
export const getNksKubeconfig = one("getNksKubeconfig", {
  path: "/v1/nks/clusters/{clusterId}/kubeconfig",
  args: { ...ofCluster },
  result: shape({
    /** The content of the file. */
    kubeconfig: { ...text(), secret: true },
  }),
});
/** The file with which `kubectl` signs in to a cluster, as an output that is encrypted in the state. */
export const getNksKubeconfigOutput = outputForm(getNksKubeconfig);
/** The node pools of a cluster. */
export const getNksNodePools = all("getNksNodePools", pools({}));
/** The output form of `getNksNodePools`: it accepts Inputs and returns an Output. */
export const getNksNodePoolsOutput = outputForm(getNksNodePools);
/** One node pool of a cluster, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getNksNodePool = byIdOrName("getNksNodePool", pools({}));
/** The output form of `getNksNodePool`: it accepts Inputs and returns an Output. */
export const getNksNodePoolOutput = outputForm(getNksNodePool);
/** The nodes of a pool. */
export const getNksNodes = all("getNksNodes", {
  path: "/v1/nks/clusters/{clusterId}/pools/{poolId}/nodes",
  args: {
    ...ofCluster,
    /** The id of the node pool. */
    poolId: text(),
  },
  result: shape({
    ...identity,
    /** Its name. */
    name: text(),
    ...{ ...addressed, ...status, ...times },
  }),
});
/** The output form of `getNksNodes`: it accepts Inputs and returns an Output. */
export const getNksNodesOutput = outputForm(getNksNodes);
/** The load balancers that Kubernetes has made in a cluster. */
export const getNksLoadBalancers = all("getNksLoadBalancers", {
  path: "/v1/nks/clusters/{clusterId}/load_balancers",
  args: { ...ofCluster },
  result: shape({
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
  }),
});
/** The output form of `getNksLoadBalancers`: it accepts Inputs and returns an Output. */
export const getNksLoadBalancersOutput = outputForm(getNksLoadBalancers);
/** The persistent volume claims of a cluster. */
export const getNksPersistentVolumeClaims = all("getNksPersistentVolumeClaims", {
  path: "/v1/nks/clusters/{clusterId}/persistent_volume_claims",
  args: { ...ofCluster },
  result: shape({
    ...{ ...identity, ...ofCluster },
    /** Its name. */
    name: text(),
    /** Its size in GB. */
    size: integer(),
    /** The kind of storage. */
    type: openOneOf(VOLUME_TYPE.values),
    ...{ ...status, ...times },
  }),
});
/** The output form of `getNksPersistentVolumeClaims`: it accepts Inputs and returns an Output. */
export const getNksPersistentVolumeClaimsOutput = outputForm(getNksPersistentVolumeClaims);
