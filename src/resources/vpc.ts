import { define } from "../definition/definition";
import { IF_LEFT_EMPTY, list, object, text } from "../definition/field";
import { resource } from "../dynamic/dynamic-resource";
import { inRegion, named, ofProject, status, tagged, times } from "../definition/standard-fields";
import type { AdoptArgs, ArgsOf, NamedType, ResourceClass, ResourceOf } from "../program/resource-types";

/** Public clients, "networking / vpcs": the API chooses the CIDR. */
export const vpc = define({
  type: "Vpc",
  noun: "VPC",
  path: "/v1/networking/vpcs",
  hasAvailability: true,
  inputs: {
    ...ofProject,
    ...inRegion,
    /**
     * The name of its subnet. Default: the name of the VPC at its creation, or for an adopted VPC the present name.
     * Changed in place.
     */
    subnetName: text({ initially: "name", ifEmpty: IF_LEFT_EMPTY, shownAt: ["subnet", "name"], example: "quote" }),
    ...tagged,
    ...named({ example: "net" }),
  },
  quotas: () => ({ "networking.vpcs": 1 }),
  outputs: {
    /** The one subnet of the VPC. Use `cidr`, or one address inside it, as `destinationAddress` of a FirewallRule. */
    subnet: object({
      /** Use it as `subnetId` of a Vm. */
      id: text(),
      /** Its name: see `subnetName`. */
      name: text(),
      /** The address range of the VPC, as a CIDR. The API chooses it. */
      cidr: text(),
    }),
    /** The ids of its firewall rules, as of the last read. */
    firewallRuleIds: list(text()),
    ...status,
    ...times,
  },
});

/** Names the type of the definition. */
export interface VpcDefinition extends NamedType<typeof vpc> {}

/** Arguments of a Vpc. */
export interface VpcArgs extends ArgsOf<typeof vpc>, AdoptArgs {}

/**
 * A virtual private cloud: a private network with one subnet.
 *
 * @remarks The API chooses the CIDR. It is known after the creation of the VPC: use the output `subnet.cidr`.
 * @example
 * ```ts
 * import * as cloudinfra from "pulumi-cloudinfra";
 *
 * const network = new cloudinfra.Vpc("network", { subnetName: "servers" });
 *
 * new cloudinfra.FirewallRule("allow-https", {
 *   vpcId: network.id,
 *   protocol: "tcp",
 *   sourceAddress: "0.0.0.0/0",
 *   destinationAddress: network.subnet.cidr,
 *   destinationPorts: ["443"],
 * });
 * ```
 */
export const Vpc: ResourceClass<Vpc, VpcArgs> = resource(vpc);

export interface Vpc extends ResourceOf<typeof vpc> {}
