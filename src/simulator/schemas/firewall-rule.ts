import { z } from "zod";
import { cidrInput, dateTime, resourceStatus, tags, tagsInput } from "./primitives";

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
export const firewallRuleCreateSchema = z.strictObject({
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
export const firewallRuleUpdateSchema = firewallRuleCreateSchema.partial();

/** FirewallRule (section 2.8). */
export const firewallRuleSchema = z.object({
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

/** FirewallRule (section 2.8). */
export type FirewallRule = z.infer<typeof firewallRuleSchema>;
