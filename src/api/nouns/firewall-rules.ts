import { z } from "zod";
import type { Caller } from "../http/caller";
import { CollectionAt, collectionsIn, type Collection, type Listed, type ReadFromLists } from "../collection";
import { Quotes } from "../quotes";
import { dateTime, openEnum, resourceStatus } from "../schema";

/** Specification section 2.8, FirewallRule. */
export const firewallRule = z.looseObject({
  id: z.string(),
  name: z.string(),
  vpc_id: z.string(),
  protocol: openEnum("tcp", "udp"),
  source_address: z.string(),
  destination_address: z.string(),
  destination_ports: z.array(z.string()),
  status: resourceStatus,
  tags: z.array(z.string()),
  created_at: dateTime,
  updated_at: dateTime,
});
export type FirewallRule = z.infer<typeof firewallRule>;

/** Specification section 2.8. */
export interface FirewallRuleCreateRequest {
  readonly name: string;
  readonly protocol: string;
  readonly source_address: string;
  readonly destination_address: string;
  readonly destination_ports: readonly string[];
  readonly tags?: readonly string[];
}

/** Specification section 2.8. */
export type FirewallRuleUpdateRequest = Partial<FirewallRuleCreateRequest>;

/** The rules of VPCs. */
export type FirewallRules = Collection<
  FirewallRule,
  FirewallRuleCreateRequest,
  FirewallRuleUpdateRequest,
  [vpcId: string]
> &
  Listed<FirewallRule, [vpcId: string]> &
  ReadFromLists<FirewallRule, [vpcId: string]>;

/** `/v1/networking/vpcs/{vpc_id}/firewall_rules` (section 4). */
export function firewallRules(caller: Caller): FirewallRules {
  const quotes = new Quotes(caller, "firewall rules");
  const rulesOf = collectionsIn((vpcId) => {
    const owner = ["v1", "networking", "vpcs", vpcId];
    return new CollectionAt<FirewallRule, FirewallRuleCreateRequest, FirewallRuleUpdateRequest>(
      caller,
      {
        path: [...owner, "firewall_rules"],
        owner,
        item: firewallRule,
        noun: "firewall rules",
      },
      quotes,
    );
  });
  return {
    create: (vpcId, body, call) => rulesOf(vpcId).create(body, call),
    get: (vpcId, id, call) => rulesOf(vpcId).get(id, call),
    update: (vpcId, id, body, call) => rulesOf(vpcId).update(id, body, call),
    delete: (vpcId, id, call) => rulesOf(vpcId).delete(id, call),
    list: (vpcId, call) => rulesOf(vpcId).list(call),
    read: (vpcId, id, call) => rulesOf(vpcId).read(id, call),
    quoteCreate: (vpcId, body, call) => rulesOf(vpcId).quoteCreate(body, call),
    quoteUpdate: (vpcId, id, body, call) => rulesOf(vpcId).quoteUpdate(id, body, call),
  };
}
