import type { Vpc as Wire } from "../api/nouns/vpcs";

/** A VPC and its one subnet (the specification names the type without its fields). */
export interface VpcResult {
  /** What `vpcId` of a FirewallRule takes. */
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
  readonly region: string;
  /** `pending`, `creating`, `updating`, `ready`, `deleting`, `deleted` or `error`. */
  readonly status: string;
  readonly subnet: {
    readonly id: string;
    readonly name: string;
    /** The addresses of the VPC: what `destinationAddress` of a FirewallRule takes, whole or as one address inside it. */
    readonly cidr: string;
  };
  readonly firewallRuleIds: string[];
  readonly tags: string[];
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
}

/** A VPC as programs see it. */
export function vpcFromWire(wire: Wire): VpcResult {
  const { id, name, cidr } = wire.subnet;
  return {
    id: wire.id,
    name: wire.name,
    projectId: wire.project_id,
    region: wire.region,
    status: wire.status,
    subnet: { id, name, cidr },
    firewallRuleIds: wire.firewall_rule_ids,
    tags: wire.tags,
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
  };
}
