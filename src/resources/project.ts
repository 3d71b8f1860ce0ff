import { define } from "../definition/definition";
import { integer, object } from "../definition/field";
import type { ShownOf } from "../definition/types";
import { isRecord } from "../definition/compare-values";
import { resource } from "../dynamic/dynamic-resource";
import { named, tagged, times } from "../definition/standard-fields";
import type { AdoptArgs, ArgsOf, NamedType, ResourceClass, ResourceOf } from "../program/resource-types";

const count = integer();

/** Public clients, "projects": made, changed and deleted at once, without an operation. */
export const project = define({
  type: "Project",
  noun: "project",
  path: "/v1/projects",
  isQuoted: false,
  inputs: {
    ...tagged,
    ...named({ example: "project" }),
  },
  outputs: {
    /** The number of objects of each kind, as of the last read. */
    resources: object({
      /** RPC nodes. */
      blockchain: object({
        /** Dedicated RPC nodes. */
        rpcNodesDedicated: count,
        /** Flex RPC nodes. */
        rpcNodesFlex: count,
      }),
      /** Everything else. */
      cloud: object({
        /** Connect connections. */
        connectConnections: count,
        /** NKS clusters. */
        nksClusters: count,
        /** NKS node pools. */
        nksNodePools: count,
        /** VMs. */
        vms: count,
        /** Volumes. */
        volumes: count,
        /** VPCs. */
        vpcs: count,
      }),
    }),
    ...times,
  },
  refuseDeletion: ({ resources }) => {
    const held = contentsText(resources);
    return held.length === 0 ? undefined : `it still holds ${held.join(", ")}`;
  },
});

type Counters = ShownOf<typeof project.outputs.resources>;

const counterWords: Readonly<Record<keyof Counters["blockchain"] | keyof Counters["cloud"], string>> = {
  rpcNodesDedicated: "dedicated RPC nodes",
  rpcNodesFlex: "flex RPC nodes",
  connectConnections: "connect connections",
  nksClusters: "NKS clusters",
  nksNodePools: "NKS node pools",
  vms: "VMs",
  volumes: "volumes",
  vpcs: "VPCs",
};

/** The counters above zero, in words: `2 NKS clusters`, `1 VPC`. */
function contentsText(resources: unknown): string[] {
  const groups = isRecord(resources) ? Object.values(resources).filter(isRecord) : [];
  const numbers = Object.assign({}, ...groups) as Readonly<Record<string, number>>;
  return Object.entries(counterWords).flatMap(([counter, words]) => {
    const number = numbers[counter] ?? 0;
    return number === 0 ? [] : [`${String(number)} ${number === 1 ? words.replace(/s$/, "") : words}`];
  });
}

/** Names the type of the definition. */
export interface ProjectDefinition extends NamedType<typeof project> {}

/** Arguments of a Project. */
export interface ProjectArgs extends ArgsOf<typeof project>, AdoptArgs {}

/**
 * A project. Other resources belong to it.
 *
 * @remarks A project that still has objects is not deleted. The error lists them.
 * @example
 * ```ts
 * import * as cloudinfra from "pulumi-cloudinfra";
 *
 * const project = new cloudinfra.Project("staging", { tags: ["staging"] });
 *
 * new cloudinfra.Vpc("network", { projectId: project.id });
 * ```
 */
export const Project: ResourceClass<Project, ProjectArgs> = resource(project);

export interface Project extends ResourceOf<typeof project> {}
