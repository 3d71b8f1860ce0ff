import { define } from "../definition/definition";
import { IF_NOTHING_IS_NAMED, integer, list, object, oneOf, text } from "../definition/field";
import { failure, type Finding } from "../definition/rule-context";
import { isRecord, type Same, sameSet, sameValue } from "../definition/compare-values";
import { resource } from "../dynamic/dynamic-resource";
import { named, status, tagged, times } from "../definition/standard-fields";
import type { AdoptArgs, ArgsOf, MembersOf, NamedType, ResourceClass, ResourceOf } from "../program/resource-types";
import { nksCluster } from "./nks-cluster";
import { VOLUME_TYPE } from "./volume";

/** The order of labels and taints does not matter, and a missing list equals an empty one. */
const sameConfig: Same = (before, after) => {
  if (!isRecord(before) || !isRecord(after)) return sameValue(before, after);
  const isSame = (member: string): boolean => sameSet(before[member], after[member]);
  return (
    before["instanceType"] === after["instanceType"] &&
    sameValue(before["bootVolume"], after["bootVolume"]) &&
    isSame("labels") &&
    isSame("taints")
  );
};

/** Public clients, "nks / node pools". */
export const nksNodePool = define({
  type: "NksNodePool",
  noun: "NKS node pool",
  path: "/v1/nks/clusters/{clusterId}/pools",
  hasAvailability: true,
  standIn: { of: nksCluster, inputs: ({ id }) => ({ clusterId: id }) },
  inputs: {
    /** The id of its cluster. Changing it replaces the pool. */
    clusterId: text({ change: "replace", ifEmpty: IF_NOTHING_IS_NAMED }),
    /**
     * The configuration of its nodes. Changing it replaces the pool: the new pool is made before the old one is
     * deleted.
     */
    nodeConfig: object(
      {
        /** The name of the instance type, such as `n1-standard-2`: `getInstanceTypes` lists them. */
        instanceType: text({ names: "instanceType", example: "n1-standard-2" }),
        /** The boot volume of each node. */
        bootVolume: object({
          /** Its size in GB, from 64 to 512. */
          size: integer({ min: 64, max: 512 }),
          /** The kind of storage. */
          type: oneOf(VOLUME_TYPE),
        }),
        /**
         * Labels, each `key=value`, in any order. The prefixes kubernetes.io, k8s.io and nirvanalabs.io are the
         * platform's own. Default: none.
         */
        labels: list(text(), { optional: true }),
        /**
         * Taints, each `key=value:Effect`, in any order. The effects are NoSchedule, PreferNoSchedule and NoExecute.
         * Default: none.
         */
        taints: list(text(), { optional: true }),
      },
      { change: "replace", priced: true, same: sameConfig },
    ),
    /**
     * The number of nodes, from 0 to 100. The price depends on it. Changed in place. Leave it out if the cluster scales
     * automatically: the provider then ignores the present number, and a replacement begins with the API's default
     * number.
     */
    nodeCount: integer({ min: 0, max: 100, optional: true, priced: true, shown: "always" }),
    ...tagged,
    // Unique, because its nodes are named after it.
    ...named({ unique: "needed", example: "pool" }),
  },
  // Without nodeCount, none: the API's default number is not known, and a preview must not refuse what may fit.
  quotas: ({ nodeConfig, nodeCount = 0 }, machineOf) => {
    const { vcpu, memoryGb } = machineOf(nodeConfig?.instanceType) ?? { vcpu: 0, memoryGb: 0 };
    return { "nks.node_pool_vcpu": vcpu * nodeCount, "nks.node_pool_memory_gb": memoryGb * nodeCount };
  },
  outputs: {
    ...status,
    ...times,
  },
  rules: ({ nodeConfig }) => [
    ...(nodeConfig?.labels ?? []).flatMap((label, index) => labelFinding(label, index)),
    ...(nodeConfig?.taints ?? []).flatMap((taint, index) => taintFinding(taint, index)),
  ],
});

const RESERVED = ["kubernetes.io", "k8s.io", "nirvanalabs.io"];
const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function labelFinding(label: string, index: number): Finding[] {
  const fault = (reason: string): Finding[] => [failure(`nodeConfig.labels[${index}]`, reason)];
  if (!/^[^=\s]+=[^=\s]*$/.test(label)) return fault(`must be key=value, and is ${JSON.stringify(label)}`);
  const [key = ""] = label.split("=");
  const [prefix = ""] = key.includes("/") ? key.split("/") : [];
  const reserved = RESERVED.find((own) => prefix === own || prefix.endsWith(`.${own}`));
  return reserved === undefined
    ? []
    : fault(`must not have a prefix of ${reserved}, which is the platform's own, and is ${JSON.stringify(label)}`);
}

function taintFinding(taint: string, index: number): Finding[] {
  const [, effect = ""] = /^[^=:\s]+=[^=:\s]*:(\w+)$/.exec(taint) ?? [];
  if (EFFECTS.includes(effect)) return [];
  const reason = `must be key=value:Effect with one of ${EFFECTS.join(", ")}, and is ${JSON.stringify(taint)}`;
  return [failure(`nodeConfig.taints[${index}]`, reason)];
}

/** Names the type of the definition. */
export interface NksNodePoolDefinition extends NamedType<typeof nksNodePool> {}

/** Arguments of a NksNodePool. */
export interface NksNodePoolArgs extends ArgsOf<typeof nksNodePool>, AdoptArgs {}

/** The configuration of nodes, among the arguments of a NksNodePool. */
export interface NksNodeConfigArgs extends MembersOf<typeof nksNodePool, "nodeConfig"> {}

/**
 * A pool of equal nodes in a NksCluster.
 *
 * @remarks Another `nodeConfig` replaces the pool. The new pool is made before the old one is deleted, so an explicit
 * `name` must change too.
 * @remarks A pool that failed during its creation is deleted before its replacement is made, so the name can stay the
 * same.
 * @remarks For a pool of a new cluster, the price comes from another cluster of the configured project and the same
 * region. If there is none, the price is unknown.
 * @example
 * ```ts
 * import * as cloudinfra from "pulumi-cloudinfra";
 *
 * const network = new cloudinfra.Vpc("network", {});
 * const cluster = new cloudinfra.NksCluster("cluster", { vpcId: network.id, kubernetesVersion: "v1.34.4" });
 *
 * new cloudinfra.NksNodePool("workers", {
 *   clusterId: cluster.id,
 *   nodeConfig: { instanceType: "n1-standard-4", bootVolume: { size: 64, type: "abs" }, labels: ["team=platform"] },
 *   nodeCount: 3,
 * });
 * ```
 */
export const NksNodePool: ResourceClass<NksNodePool, NksNodePoolArgs> = resource(nksNodePool);

export interface NksNodePool extends ResourceOf<typeof nksNodePool> {}
