import type * as pulumi from "@pulumi/pulumi";
import type { Project as Wire } from "../api/lookup-schemas";
import { callApi, collect, outputOf } from "./call";

/** A project (specification, section 4: GET /v1/projects), with counts of its objects. */
export interface ProjectResult {
  /** Use it as a `projectId` argument. */
  readonly id: string;
  readonly name: string;
  /** The number of objects of each kind in the project now. */
  readonly resources: {
    readonly blockchain: { readonly rpcNodesDedicated: number; readonly rpcNodesFlex: number };
    readonly cloud: {
      readonly connectConnections: number;
      readonly nksClusters: number;
      readonly nksNodePools: number;
      readonly vms: number;
      readonly volumes: number;
      readonly vpcs: number;
    };
  };
  readonly tags: string[];
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
}

/** The projects that the API key reaches. Rejects if the key lacks `project:read`. */
export function getProjects(options?: pulumi.InvokeOptions): Promise<ProjectResult[]> {
  return callApi({
    what: "getProjects",
    options,
    isList: true,
    task: ({ api, call }) => collect(api.projects.list(call), fromWire),
  });
}

/** The projects that the API key reaches, as an output. */
export function getProjectsOutput(options?: pulumi.InvokeOutputOptions): pulumi.Output<ProjectResult[]> {
  return outputOf({}, options, (_args, others) => getProjects(others));
}

function fromWire({ id, name, resources, tags, created_at, updated_at }: Wire): ProjectResult {
  const { blockchain, cloud } = resources;
  return {
    id,
    name,
    resources: {
      blockchain: { rpcNodesDedicated: blockchain.rpc_nodes_dedicated, rpcNodesFlex: blockchain.rpc_nodes_flex },
      cloud: {
        connectConnections: cloud.connect_connections,
        nksClusters: cloud.nks_clusters,
        nksNodePools: cloud.nks_node_pools,
        vms: cloud.vms,
        volumes: cloud.volumes,
        vpcs: cloud.vpcs,
      },
    },
    tags,
    createdAt: created_at,
    updatedAt: updated_at,
  };
}
