import type { Json } from "./harness";

export const connections = "/v1/networking/connect/connections";
export const vpcs = "/v1/networking/vpcs";

/** The path of the rules of a VPC. */
export function firewallRulesOf(vpcId: string): string {
  return `${vpcs}/${vpcId}/firewall_rules`;
}

/** The path of the object that an operation creates. */
export const path = (collection: string, operation: Json): string =>
  `${collection}/${String(operation["resource_id"])}`;
