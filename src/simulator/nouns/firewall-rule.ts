import { z } from "zod";
import { isAddressInside } from "../model/addresses";
import { cidrInput, nameAndTags, namedInput, resourceMembers } from "../schemas/primitives";
import type { Call } from "../services/call";
import type { Report } from "../services/validation";
import { defineNoun } from "./noun";
import { vpcNoun } from "./vpc";

export const protocol = z.enum(["tcp", "udp"]);

const isPort = (text: string | undefined): boolean => /^[1-9]\d{0,4}$/.test(text ?? "") && Number(text) <= 65_535;

/** A port, or a range of ports as `8000-9000`. The specification does not show the syntax of ranges. */
const ports = z
  .string()
  .refine((text) => {
    const [first, last, ...rest] = text.split("-");
    if (!isPort(first) || rest.length > 0) return false;
    return last === undefined || (isPort(last) && Number(first) <= Number(last));
  }, "must be a port from 1 to 65535, or a range such as 8000-9000")
  .describe("A port from 1 to 65535, or a range such as 8000-9000");

const create = z.strictObject({
  ...namedInput,
  protocol,
  source_address: cidrInput.refine(
    (text) => !text.startsWith("0.0.0.0/") || text === "0.0.0.0/0",
    "0.0.0.0 needs a mask of 0",
  ),
  destination_address: cidrInput,
  destination_ports: z.array(ports),
});

/** FirewallRule (section 2.8). */
const stored = z.object({
  ...resourceMembers,
  ...nameAndTags,
  vpc_id: z.string(),
  protocol,
  source_address: z.string(),
  destination_address: z.string(),
  destination_ports: z.array(z.string()),
});

/**
 * Section 2.8, rule 2: the destination is the VPC's CIDR, or a VM in it. Any address is valid: its VM may come later.
 */
function requireDestination(
  call: Call,
  { destination_address }: { readonly destination_address?: string | undefined },
  report: Report,
): void {
  const cidr = call.world.table(vpcNoun).get(call.param("vpc_id"))?.subnet.cidr;
  if (destination_address === undefined || cidr === undefined || destination_address === cidr) return;
  if (!isAddressInside(destination_address, cidr)) {
    report("destination_address", `must be the CIDR of the VPC, ${cidr}, or a /32 inside it`);
  }
}

/** One array for all rules, because it is remembered for each. */
const ruleUsage = [{ dimension: "networking_firewall_rule", quantity: 1 }];

/** The firewall rules of section 2.8. The public service does not quote them. */
export const firewallRuleNoun = defineNoun({
  key: "firewallRules",
  kind: "firewall_rule",
  path: "/v1/networking/vpcs/{vpc_id}/firewall_rules",
  parent: vpcNoun,
  stored,
  create,
  update: create.partial(),
  isDeletable: true,
  isQuoted: "spec",
  filteredBy: ["name", "status", "tags", "protocol"],
  sorts: ["updated_at", "name", "status", "protocol"],
  // Priced at zero, which still gives a row.
  prices: { networking_firewall_rule: { displayName: "Firewall rule", unitPrice: "0.00" } },
  usage: () => ruleUsage,
  createRules: requireDestination,
  updateRules: (call, _rule, body, report) => {
    requireDestination(call, body, report);
  },
});
