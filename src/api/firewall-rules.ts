import { z } from "zod";
import { dateTime, openEnum, resourceStatus } from "./schema";

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
