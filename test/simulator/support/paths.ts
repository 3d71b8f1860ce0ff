import type { Json } from "./harness";

export const connections = "/v1/networking/connect/connections";
export const vpcs = "/v1/networking/vpcs";

/** Where the rules of a VPC are. */
export function firewallRulesOf(vpcId: string): string {
  return `${vpcs}/${vpcId}/firewall_rules`;
}

/** Where in the collection that is which the operation makes. */
export const path = (collection: string, operation: Json): string =>
  `${collection}/${String(operation["resource_id"])}`;
