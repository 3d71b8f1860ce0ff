import { randomUUID } from "node:crypto";
import { z } from "zod";
import { conflict, notFound } from "../model/api-error";
import { isAddressInside } from "../model/cidr";
import type { Dialect } from "../model/dialect";
import { formatTimestamp } from "../model/timestamp";
import { usageOfFirewallRule } from "../model/usage";
import {
  firewallRuleCreateSchema,
  firewallRuleSchema,
  firewallRuleUpdateSchema,
  type FirewallRule,
} from "../schemas/firewall-rule";
import { sortBy, sortedPageQuery } from "../schemas/list";
import type { Vpc } from "../schemas/vpc";
import type { CallContext } from "./call";
import { given } from "./changes";
import type { AnyEndpoint } from "./endpoint";
import { resourceEndpoints } from "./resource-endpoints";
import { resourceFilters } from "./resource-lists";
import type { Report } from "./validation";

const listQuery = sortedPageQuery.extend({
  sort: sortBy("created_at", "updated_at", "name", "status", "protocol"),
  protocol: z.enum(["tcp", "udp"]).optional(),
  ...resourceFilters,
});

function findVpc(call: CallContext): Vpc {
  return call.reachable("vpc", call.world.vpcs.get(call.param("vpc_id")));
}

/** Section 2.8, rule 2: the destination is the VPC's CIDR, or a VM in it; no VMs are simulated, so any address in it will do. */
function destinationRules(vpc: Vpc) {
  return ({ destination_address }: { destination_address?: string | undefined }, report: Report): void => {
    if (destination_address === undefined || destination_address === vpc.subnet.cidr) return;
    if (!isAddressInside(destination_address, vpc.subnet.cidr)) {
      report("destination_address", `must be the CIDR of the VPC, ${vpc.subnet.cidr}, or a /32 inside it`);
    }
  };
}

/** The firewall rules of section 2.8. */
export function firewallRuleEndpoints(dialect: Dialect): readonly AnyEndpoint[] {
  return resourceEndpoints({
    noun: "firewall rule",
    typeName: "FirewallRule",
    targetType: "firewall_rule",
    resourceType: "vpc",
    collection: "/v1/networking/vpcs/{vpc_id}/firewall_rules",
    idParameter: "firewall_rule_id",
    listQuery,
    ownFilters: { protocol: (rule: FirewallRule) => rule.protocol },
    create: firewallRuleCreateSchema,
    update: firewallRuleUpdateSchema,
    resource: firewallRuleSchema,
    isQuoted: dialect === "spec",
    lifecycle: (world) => world.firewallRuleLifecycle,
    find(call) {
      const vpc = findVpc(call);
      const rule = call.world.firewallRules.get(call.param("firewall_rule_id"));
      if (rule?.vpc_id !== vpc.id) throw notFound("firewall rule");
      return rule;
    },
    list: (call) => call.world.firewallRules.partition(findVpc(call).id),
    readCreate: (call) => call.body(destinationRules(findVpc(call))),
    readUpdate: (call) => given(call.body(destinationRules(findVpc(call)))),
    make(call, body) {
      const vpc = findVpc(call);
      if (vpc.status === "deleting") throw conflict("the VPC is being deleted");
      const now = formatTimestamp(call.nowMs);
      return {
        id: randomUUID(),
        ...body,
        vpc_id: vpc.id,
        tags: body.tags ?? [],
        status: "creating",
        created_at: now,
        updated_at: now,
      };
    },
    usage: usageOfFirewallRule,
    wire: (_world, rule) => rule,
  });
}
