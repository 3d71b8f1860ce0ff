import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";
import { Decimal } from "decimal.js";

export interface PartnerLinkArgs {
  /** The VPC that the partner reaches. */
  readonly vpc: pulumi.Input<Pick<cloudinfra.VpcResult, "id" | "subnet">>;
  readonly bandwidthMbps: pulumi.Input<cloudinfra.ConnectBandwidthMbps>;
  /** The partner's network, as a CIDR. */
  readonly partnerCidr: pulumi.Input<string>;
  readonly partnerAccount: pulumi.Input<cloudinfra.ExternalProviderArgs>;
  /** TCP ports of the VPC that the partner reaches. */
  readonly ports: pulumi.Input<pulumi.Input<string>[]>;
}

/** A private connection to a partner, and the rule that lets the partner in. */
export class PartnerLink extends pulumi.ComponentResource {
  readonly connectionId: pulumi.Output<string>;
  /** The monthly cost in dollars, to the cent. Undefined if the cost of a part is unknown. Known in preview. */
  readonly monthlyTotal: pulumi.Output<string | undefined>;

  constructor(name: string, args: PartnerLinkArgs, options?: pulumi.ComponentResourceOptions) {
    super("examples:component:PartnerLink", name, {}, options);
    const vpc = pulumi.output(args.vpc);

    const connection = new cloudinfra.ConnectConnection(
      `${name}-connection`,
      {
        bandwidthMbps: args.bandwidthMbps,
        cidrs: [vpc.subnet.cidr],
        providerCidrs: [args.partnerCidr],
        externalProvider: args.partnerAccount,
      },
      { parent: this },
    );
    const rule = new cloudinfra.FirewallRule(
      `${name}-ingress`,
      {
        vpcId: vpc.id,
        protocol: "tcp",
        sourceAddress: args.partnerCidr,
        destinationAddress: vpc.subnet.cidr,
        destinationPorts: args.ports,
      },
      { parent: this },
    );

    this.connectionId = connection.id;
    this.monthlyTotal = pulumi
      .all([connection.cost, rule.cost])
      .apply(([link, ingress]) => link && ingress && Decimal.sum(link.monthlyTotal, ingress.monthlyTotal).toFixed(2));
    this.registerOutputs({ connectionId: this.connectionId, monthlyTotal: this.monthlyTotal });
  }
}
