import { define } from "../definition/definition";
import { instant, list, object, openOneOf, text } from "../definition/field";
import { RESOURCE_STATUSES } from "../definition/statuses";
import { resource } from "../dynamic/resource";
import type { AdoptArgs, ArgsOf, ResourceClass, ResourceOf } from "../program/resource-types";

/** Public clients, "networking / vpcs": the service chooses the CIDR. */
export const vpc = define({
  type: "Vpc",
  noun: "VPC",
  nouns: "VPCs",
  path: "/v1/networking/vpcs",
  listedBy: "projectId",
  hasAvailability: true,
  inputs: {
    /** The project that it belongs to. Default: `cloudinfra:projectId`. Changing it replaces the VPC. */
    projectId: text({ configured: "projectId", names: "project", change: "replace", priced: true }),
    /** The region that it is in. Default: `cloudinfra:region`. Changing it replaces the VPC. */
    region: text({ configured: "region", names: "region", change: "replace", priced: true }),
    /** The name of its subnet. Default: the VPC's name when it is made, or the name it was adopted with. Changed in place. */
    subnetName: text({ initially: "name", shownAt: ["subnet", "name"], example: "quote" }),
    /** Words to find it by. At most 50; their order does not matter. Changed in place; left out, they are cleared. */
    tags: list(text(), { max: 50, unordered: true, default: [] }),
    /** Its name at the API. Default: the logical name with seven hex characters behind it. Changed in place. */
    name: text({ chosen: true, example: "net" }),
  },
  quotas: () => ({ "networking.vpcs": 1 }),
  outputs: {
    /** The one subnet of the VPC. Use `cidr`, or one address inside it, as `destinationAddress` of a FirewallRule. */
    subnet: object({
      /** Use it as `subnetId` of a Vm. */
      id: text(),
      /** As `subnetName` says. */
      name: text(),
      /** The addresses of the VPC. The service chooses them. */
      cidr: text(),
    }),
    /** The ids of its firewall rules when it was last read. */
    firewallRuleIds: list(text()),
    /** The state of the VPC. */
    status: openOneOf(RESOURCE_STATUSES),
    /** When it was made, in UTC. */
    createdAt: instant(),
    /** When it was last changed, in UTC. */
    updatedAt: instant({ changesWith: "any" }),
  },
  heldBy: ({ firewallRuleIds }) =>
    Array.isArray(firewallRuleIds) && firewallRuleIds.length > 0
      ? `it still has the firewall rules ${firewallRuleIds.join(", ")}`
      : undefined,
});

/** Arguments of a Vpc. */
export interface VpcArgs extends ArgsOf<typeof vpc>, AdoptArgs {}

/**
 * A virtual private cloud: a private network with one subnet.
 *
 * @remarks The API chooses the CIDR. It is known when the VPC has been made: use the output `subnet.cidr`.
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
export const Vpc: ResourceClass<typeof vpc, Vpc, VpcArgs> = resource(vpc);

/** A resource of a program. */
export interface Vpc extends ResourceOf<typeof vpc> {}
