import { define } from "../definition/definition";
import { words } from "../definition/enumeration";
import { cidr, list, oneOf, ports, text } from "../definition/field";
import { isRecord } from "../definition/compare-values";
import { resource } from "../dynamic/dynamic-resource";
import { named, status, tagged, times } from "../definition/standard-fields";
import { failure, warning, type Finding } from "../definition/rule-context";
import type { AdoptArgs, ArgsOf, NamedType, ResourceClass, ResourceOf } from "../program/resource-types";
import { vpc } from "./vpc";

/** The protocols that a firewall rule can allow. */
export const PROTOCOL = words("FirewallRuleProtocol", "A protocol that a firewall rule allows.", {
  tcp: "TCP.",
  udp: "UDP.",
});

const ONLY_ALL = "0.0.0.0 is allowed with mask 0 only: 0.0.0.0/0";
// Only warnings, because the specification does not forbid them.
const OTHER_FAMILY = "is IPv6 and the destination is IPv4, so no traffic matches the rule. Give an IPv4 network";
const NO_PORTS = "is empty, so the rule names no port. Give the ports that traffic may go to";

/** Specification, section 2.8. */
export const firewallRule = define({
  type: "FirewallRule",
  noun: "firewall rule",
  path: "/v1/networking/vpcs/{vpcId}/firewall_rules",
  unquotedIn: ["nirvana"],
  standIn: {
    of: vpc,
    inputs: ({ id, subnet }) => ({ vpcId: id, destinationAddress: isRecord(subnet) ? subnet["cidr"] : "" }),
  },
  inputs: {
    /** The id of the VPC that the rule belongs to. Changing it replaces the rule. */
    vpcId: text({ names: "vpc", change: "replace" }),
    /** The protocol of the traffic. Changed in place. */
    protocol: oneOf(PROTOCOL),
    /** The source of the traffic, a CIDR. 0.0.0.0 is allowed only as `0.0.0.0/0`. Changed in place. */
    sourceAddress: cidr({ example: "0.0.0.0/0" }),
    /** The destination of the traffic: the VPC's own CIDR, or one address inside it (`/32`). Changed in place. */
    // The API checks that it lies inside the VPC.
    destinationAddress: cidr({ example: "10.0.0.0/25" }),
    /**
     * The destination ports of the traffic, from 1 to 65535, as strings: `"443"`, or a range `"8000-9000"`. Their order
     * does not matter. Changed in place.
     */
    destinationPorts: list(ports(), { unordered: true, example: ["443"] }),
    ...tagged,
    ...named({ example: "allow-https" }),
  },
  outputs: {
    ...status,
    ...times,
  },
  rules: trafficFindings,
});

interface Traffic {
  readonly sourceAddress?: string | undefined;
  readonly destinationAddress?: string | undefined;
  readonly destinationPorts?: readonly string[] | undefined;
}

function trafficFindings({
  sourceAddress = "",
  destinationAddress = "",
  destinationPorts,
}: Traffic): readonly Finding[] {
  const findings: Finding[] = [];
  if (/^0\.0\.0\.0\/(?!0$)/.test(sourceAddress)) findings.push(failure("sourceAddress", ONLY_ALL));
  if (sourceAddress.includes(":") && /^\d+\./.test(destinationAddress))
    findings.push(warning("sourceAddress", OTHER_FAMILY));
  if (destinationPorts?.length === 0) findings.push(warning("destinationPorts", NO_PORTS));
  return findings;
}

/** Names the type of the definition. */
export interface FirewallRuleDefinition extends NamedType<typeof firewallRule> {}

/** Arguments of a FirewallRule. */
export interface FirewallRuleArgs extends ArgsOf<typeof firewallRule>, AdoptArgs {}

/**
 * A firewall rule of a VPC: it allows traffic from a source to a destination.
 *
 * @remarks A CIDR must be canonical: no bit behind its mask is set. Write `10.0.0.0/25`, not `10.0.0.7/25`.
 * @example
 * ```ts
 * import * as cloudinfra from "pulumi-cloudinfra";
 *
 * const vpc = cloudinfra.getVpcOutput({ name: "default" });
 *
 * const rule = new cloudinfra.FirewallRule("allow-https", {
 *   vpcId: vpc.id,
 *   protocol: "tcp",
 *   sourceAddress: "0.0.0.0/0",
 *   destinationAddress: vpc.subnet.cidr,
 *   destinationPorts: ["443"],
 * });
 *
 * export const ruleId = rule.id;
 * ```
 */
export const FirewallRule: ResourceClass<FirewallRule, FirewallRuleArgs> = resource(firewallRule);

export interface FirewallRule extends ResourceOf<typeof firewallRule> {}
