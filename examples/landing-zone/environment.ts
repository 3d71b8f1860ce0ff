import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";
import type { IngressRules } from "./ingress";
import { ProjectKeys } from "./keys";
import { Network } from "./network";
import { Server } from "./server";
import type { Group, Sizes } from "./sizes";

export interface EnvironmentArgs {
  readonly sizes: Sizes;
  /** The network that administrators work from. */
  readonly officeCidr: pulumi.Input<string>;
  readonly sshPublicKey: pulumi.Input<string>;
}

/** A project with its keys, a network, and the servers in it. */
export class Environment extends pulumi.ComponentResource {
  readonly projectId: pulumi.Output<string>;
  readonly keys: ProjectKeys;
  readonly network: Network;
  /** Administrators come in here. */
  readonly bastion: Server;
  /** Users come in here. */
  readonly gateway: Server;

  constructor(
    private readonly name: string,
    private readonly args: EnvironmentArgs,
    options?: pulumi.ComponentResourceOptions,
  ) {
    super("landing-zone:environment:Environment", name, {}, options);
    const { sizes, officeCidr, sshPublicKey } = args;

    this.projectId = new cloudinfra.Project(name, { tags: [name] }, { parent: this }).id;
    this.keys = new ProjectKeys(name, this.projectId, { parent: this });
    this.network = new Network(
      `${name}-network`,
      { projectId: this.projectId, ingress: { metrics: { from: officeCidr, tcpPorts: ["9100"] } } },
      { parent: this },
    );

    const entrance = { network: this.network, sshPublicKey, instanceType: "n1-standard-2", isPublic: true };
    this.bastion = new Server(
      `${name}-bastion`,
      { ...entrance, ingress: { ssh: { from: officeCidr, tcpPorts: ["22"] } } },
      { parent: this },
    );
    this.gateway = new Server(
      `${name}-gateway`,
      { ...entrance, ingress: { web: { from: "0.0.0.0/0", tcpPorts: ["80", "443"] } } },
      { parent: this },
    );

    this.addServers("api", sizes.api, { http: { from: this.gateway.cidr, tcpPorts: ["8080"] } });
    this.addServers("worker", sizes.workers);
    this.addServers("database", sizes.databases, { postgres: { from: this.network.cidr, tcpPorts: ["5432"] } });
    this.registerOutputs({ projectId: this.projectId });
  }

  private addServers(role: string, { servers, instanceType, disksGb = {} }: Group, ingress: IngressRules = {}): void {
    const { sshPublicKey } = this.args;
    for (let number = 1; number <= servers; number += 1) {
      new Server(
        `${this.name}-${role}-${number}`,
        { network: this.network, sshPublicKey, instanceType, disksGb, ingress },
        { parent: this },
      );
    }
  }
}
