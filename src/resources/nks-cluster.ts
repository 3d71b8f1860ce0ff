import { define } from "../definition/definition";
import { flag, list, text, secretSubResource } from "../definition/field";
import { failure, type Finding, type Props, type RuleContext } from "../definition/rule-context";
import type { Field } from "../definition/types";
import { resource } from "../dynamic/dynamic-resource";
import { inRegion, named, ofProject, status, tagged, times } from "../definition/standard-fields";
import type { AdoptArgs, ArgsOf, NamedType, ResourceClass, ResourceOf } from "../program/resource-types";

/** Specification, section 2.10, and public clients, "nks / versions and clusters". */
export const nksCluster = define({
  type: "NksCluster",
  noun: "NKS cluster",
  path: "/v1/nks/clusters",
  hasAvailability: true,
  replacementLoss: "the old cluster is deleted with everything that runs in it",
  inputs: {
    ...ofProject,
    ...inRegion,
    /** The id of the VPC that it is in. Changing it replaces the cluster. */
    vpcId: text({ names: "vpc", change: "replace" }),
    /**
     * The version of Kubernetes, such as `v1.34.4`: `getKubernetesVersions` lists them. The API cannot change it, so
     * changing it replaces the cluster. The preview fails unless `replaceOnVersionChange` is true.
     */
    kubernetesVersion: text({ names: "kubernetesVersion", change: "replace", example: "v1.34.4" }),
    /**
     * True if a changed `kubernetesVersion` may destroy the cluster with everything in it, and make a new one. Default:
     * `false`.
     */
    replaceOnVersionChange: flag({ default: false, local: true }),
    /**
     * True if its pools grow and shrink automatically. The API decides the limits: no argument sets them. Default:
     * `false`. Changed in place.
     */
    autoscaling: flag({ default: false }),
    ...tagged,
    ...named({ example: "cluster" }),
  },
  quotas: () => ({ "nks.clusters": 1, "nks.public_ips": 1 }),
  outputs: {
    /** The file with which `kubectl` signs in. The creation waits for it. */
    kubeconfig: secretSubResource("kubeconfig", text()),
    /** The ids of its node pools, as of the last read. */
    poolIds: list(text()),
    /** Its private IP address (VIP). */
    privateIp: text(),
    /** Its address on the internet. */
    publicIp: text(),
    ...status,
    ...times,
  },
  rules: versionFindings,
});

interface Inputs extends Props {
  readonly kubernetesVersion?: string | undefined;
  readonly replaceOnVersionChange?: boolean | undefined;
}

/** A finding for a changed version. It would destroy the cluster, so the program must allow that. */
function versionFindings(inputs: Inputs, { previous }: RuleContext<Inputs>): readonly Finding[] {
  const { kubernetesVersion, replaceOnVersionChange } = inputs;
  const before = previous?.kubernetesVersion;
  if (before === undefined || kubernetesVersion === undefined || before === kubernetesVersion) return [];
  const isReplacedAnyhow = Object.entries<Field>(nksCluster.inputs).some(
    ([name, { change }]) => change === "replace" && name !== "kubernetesVersion" && inputs[name] !== previous?.[name],
  );
  if (replaceOnVersionChange === true || isReplacedAnyhow) return [];
  const reason =
    `cannot be changed in place: ${before} → ${kubernetesVersion} would destroy the cluster with everything in it, and make a ` +
    `new one. Set ${before} again to keep it. If it may be destroyed, set replaceOnVersionChange: true`;
  return [failure("kubernetesVersion", reason)];
}

/** Names the type of the definition. */
export interface NksClusterDefinition extends NamedType<typeof nksCluster> {}

/** Arguments of a NksCluster. */
export interface NksClusterArgs extends ArgsOf<typeof nksCluster>, AdoptArgs {}

/**
 * A managed Kubernetes cluster.
 *
 * @remarks A creation waits up to 30 minutes, unless `customTimeouts` or `cloudinfra:operationTimeout` says otherwise.
 * @remarks The API has no upgrade: another `kubernetesVersion` needs a new cluster. The preview fails and says so,
 *   unless the program sets `replaceOnVersionChange: true`.
 * @remarks `kubeconfig` is read once and then kept in the state, encrypted. `getNksKubeconfig` reads it from the API
 * again.
 * @remarks A cluster is deleted after its node pools, because the API does not delete a cluster that has any.
 * @example
 * ```ts
 * import * as cloudinfra from "pulumi-cloudinfra";
 *
 * const network = new cloudinfra.Vpc("network", {});
 *
 * const cluster = new cloudinfra.NksCluster("cluster", {
 *   vpcId: network.id,
 *   kubernetesVersion: "v1.34.4",
 * });
 *
 * export const kubeconfig = cluster.kubeconfig;
 * ```
 */
export const NksCluster: ResourceClass<NksCluster, NksClusterArgs> = resource(nksCluster);

export interface NksCluster extends ResourceOf<typeof nksCluster> {}
