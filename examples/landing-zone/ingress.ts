import type * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";

/** Traffic that is let in. */
export interface Ingress {
  /** Where it comes from, as a CIDR. */
  readonly from: pulumi.Input<string>;
  readonly tcpPorts: string[];
}

/** Traffic by the name of its rule. */
export type IngressRules = Readonly<Record<string, Ingress>>;

/** Lets traffic in to the destination: a whole network, or one address (`/32`). */
export function allowIngress(
  parent: pulumi.ComponentResource,
  prefix: string,
  rules: IngressRules,
  destination: { readonly vpcId: pulumi.Input<string>; readonly cidr: pulumi.Input<string> },
): void {
  for (const [name, { from, tcpPorts }] of Object.entries(rules)) {
    new cloudinfra.FirewallRule(
      `${prefix}-${name}`,
      {
        vpcId: destination.vpcId,
        protocol: "tcp",
        sourceAddress: from,
        destinationAddress: destination.cidr,
        destinationPorts: tcpPorts,
      },
      { parent },
    );
  }
}
