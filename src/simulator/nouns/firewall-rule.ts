import { z } from "zod";
import { isAddressInside } from "../model/cidr";
import type { Dialect } from "../model/dialect";
import type { CallContext } from "../services/call";
import type { Report } from "../services/validation";
import { byName, byStatus, byTags, equals } from "../schemas/filters";
import { cidrInput, dateTime, resourceStatus, tags, tagsInput } from "../schemas/primitives";
import { defineNoun } from "./noun";
import { vpcNoun } from "./vpc";

const protocol = z.enum(["tcp", "udp"]);

const isPort = (text: string | undefined): boolean => /^[1-9]\d{0,4}$/.test(text ?? "") && Number(text) <= 65_535;

/** A port, or a range of ports as `8000-9000`; the syntax of ranges is not shown. */
const ports = z
  .string()
  .refine((text) => {
    const [first, last, ...rest] = text.split("-");
    if (!isPort(first) || rest.length > 0) return false;
    return last === undefined || (isPort(last) && Number(first) <= Number(last));
  }, "must be a port from 1 to 65535, or a range such as 8000-9000")
  .describe("A port from 1 to 65535, or a range such as 8000-9000");

/** FirewallRuleCreateRequest (section 2.8). */
const create = z.strictObject({
  name: z.string(),
  protocol,
  source_address: cidrInput.refine(
    (text) => !text.startsWith("0.0.0.0/") || text === "0.0.0.0/0",
    "0.0.0.0 needs a mask of 0",
  ),
  destination_address: cidrInput,
  destination_ports: z.array(ports),
  tags: tagsInput.optional(),
});

/** FirewallRuleUpdateRequest (section 2.8): the same fields, all optional. */
const update = create.partial();

/** FirewallRule (section 2.8). */
const kept = z.object({
  id: z.string(),
  name: z.string(),
  vpc_id: z.string(),
  protocol,
  source_address: z.string(),
  destination_address: z.string(),
  destination_ports: z.array(z.string()),
  status: resourceStatus,
  tags,
  created_at: dateTime,
  updated_at: dateTime,
});

/**
 * Section 2.8, rule 2: the destination is the VPC's CIDR, or a VM in it. Any address in it is valid, because a VM may come
 * later.
 */
function requireDestination(
  call: CallContext,
  { destination_address }: { readonly destination_address?: string | undefined },
  report: Report,
): void {
  const cidr = call.world.table(vpcNoun).get(call.param("vpc_id"))?.subnet.cidr;
  if (destination_address === undefined || cidr === undefined || destination_address === cidr) return;
  if (!isAddressInside(destination_address, cidr)) {
    report("destination_address", `must be the CIDR of the VPC, ${cidr}, or a /32 inside it`);
  }
}

/** The firewall rules of section 2.8. The public service does not quote them. */
export const firewallRuleNoun = (dialect: Dialect) =>
  defineNoun<z.infer<typeof kept>, typeof create, typeof update>({
    key: "firewallRules",
    noun: "firewall rule",
    typeName: "FirewallRule",
    targetType: "firewall_rule",
    resourceType: "vpc",
    path: "/v1/networking/vpcs/{vpc_id}/firewall_rules",
    idParameter: "firewall_rule_id",
    parent: vpcNoun,
    kept,
    shown: kept,
    create,
    update,
    isDeletable: true,
    isQuoted: dialect === "spec",
    filters: { ...byName, ...byStatus, ...byTags, protocol: equals(protocol, (rule) => rule.protocol) },
    sorts: ["updated_at", "name", "status", "protocol"],
    prices: { networking_firewall_rule: { displayName: "Firewall rule", unitPrice: "0.00" } },
    // A row that is priced at nothing, which is not the same as no row.
    usage: () => [{ dimension: "networking_firewall_rule", quantity: 1 }],
    createRules: requireDestination,
    updateRules: (call, _rule, body, report) => {
      requireDestination(call, body, report);
    },
    make: (call, { tags = [], ...body }, { id, ...base }) => ({
      id,
      ...body,
      vpc_id: call.param("vpc_id"),
      tags,
      ...base,
    }),
  });
