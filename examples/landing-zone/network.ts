import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";
import { allowIngress, type IngressRules } from "./ingress";

export interface NetworkArgs {
  readonly projectId: pulumi.Input<string>;
  /** The traffic that may reach every address of the network. */
  readonly ingress: IngressRules;
}

/** A VPC, and the rules that let traffic into all of it. */
export class Network extends pulumi.ComponentResource {
  readonly projectId: pulumi.Output<string>;
  readonly vpcId: pulumi.Output<string>;
  readonly subnetId: pulumi.Output<string>;
  /** The addresses of the network. The API chooses them. */
  readonly cidr: pulumi.Output<string>;

  constructor(name: string, { projectId, ingress }: NetworkArgs, options?: pulumi.ComponentResourceOptions) {
    super("landing-zone:network:Network", name, {}, options);
    const vpc = new cloudinfra.Vpc(name, { projectId }, { parent: this });
    this.projectId = vpc.projectId;
    this.vpcId = vpc.id;
    this.subnetId = vpc.subnet.id;
    this.cidr = vpc.subnet.cidr;

    allowIngress(this, name, ingress, this);
    this.registerOutputs({ vpcId: this.vpcId, cidr: this.cidr });
  }
}
