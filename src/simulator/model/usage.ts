import type { Usage } from "./prices";

/** What a connect connection uses: its bandwidth. */
export function usageOfConnection({ bandwidth_mbps }: { readonly bandwidth_mbps: number }): readonly Usage[] {
  return [{ dimension: "networking_connect_mbps", quantity: bandwidth_mbps }];
}

/** What a VPC uses. */
export function usageOfVpc(): readonly Usage[] {
  return [{ dimension: "networking_vpc", quantity: 1 }];
}

/** What a firewall rule uses: a row that is priced at nothing, which is not the same as no row. */
export function usageOfFirewallRule(): readonly Usage[] {
  return [{ dimension: "networking_firewall_rule", quantity: 1 }];
}

/** What an API key uses: a row that is priced at nothing. */
export function usageOfApiKey(): readonly Usage[] {
  return [{ dimension: "api_key", quantity: 1 }];
}
