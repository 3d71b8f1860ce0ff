import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";
import { allowIngress } from "./ingress";
import type { Network } from "./network";

export interface AwsLinkArgs {
  readonly network: Network;
  readonly bandwidthMbps: pulumi.Input<cloudinfra.ConnectBandwidthMbps>;
  readonly accountId: string;
  readonly awsRegion: string;
  /** The network on the side of AWS. */
  readonly awsCidr: string;
  /** The ports that AWS reaches. */
  readonly tcpPorts: string[];
}

/** A private connection to AWS, and the rule that lets AWS in. */
export class AwsLink extends pulumi.ComponentResource {
  readonly connectionId: pulumi.Output<string>;

  constructor(name: string, args: AwsLinkArgs, options?: pulumi.ComponentResourceOptions) {
    super("landing-zone:aws-link:AwsLink", name, {}, options);
    const { network, awsCidr, tcpPorts } = args;
    const connection = new cloudinfra.ConnectConnection(
      name,
      {
        projectId: network.projectId,
        bandwidthMbps: args.bandwidthMbps,
        cidrs: [network.cidr],
        providerCidrs: [awsCidr],
        externalProvider: { accountId: args.accountId, region: args.awsRegion },
      },
      { parent: this },
    );
    this.connectionId = connection.id;

    allowIngress(this, name, { ingress: { from: awsCidr, tcpPorts } }, network);
    this.registerOutputs({ connectionId: this.connectionId });
  }
}
