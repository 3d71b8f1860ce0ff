import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";
import type { Network } from "./network";

export interface NodePool {
  readonly instanceType: string;
  readonly nodes: number;
  /** Each `key=value:Effect`: only workloads that tolerate it run in the pool. Default: none. */
  readonly taints?: string[];
}

export interface ClusterArgs {
  readonly network: Network;
  readonly kubernetesVersion: string;
  /** The pools by their names. A node is labelled `pool=<name>`. */
  readonly pools: Readonly<Record<string, NodePool>>;
}

/** A Kubernetes cluster with its pools. */
export class Cluster extends pulumi.ComponentResource {
  /** The file with which `kubectl` signs in. A secret, known in the update that makes the cluster. */
  readonly kubeconfig: pulumi.Output<string>;

  constructor(name: string, args: ClusterArgs, options?: pulumi.ComponentResourceOptions) {
    super("landing-zone:cluster:Cluster", name, {}, options);
    const { network, kubernetesVersion, pools } = args;
    const cluster = new cloudinfra.NksCluster(
      name,
      { projectId: network.projectId, vpcId: network.vpcId, kubernetesVersion },
      { parent: this },
    );
    for (const [pool, { instanceType, nodes, taints = [] }] of Object.entries(pools)) {
      new cloudinfra.NksNodePool(
        `${name}-${pool}`,
        {
          clusterId: cluster.id,
          nodeConfig: { instanceType, bootVolume: { size: 128, type: "abs" }, labels: [`pool=${pool}`], taints },
          nodeCount: nodes,
        },
        { parent: this },
      );
    }
    this.kubeconfig = cluster.kubeconfig;
    this.registerOutputs({ kubeconfig: this.kubeconfig });
  }
}
