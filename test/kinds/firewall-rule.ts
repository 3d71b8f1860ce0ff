import { PROTOCOL } from "../../src/resources/firewall-rule";
import { type KindDescriptor, nth } from "./descriptor";

/** Two protocols, as the API calls them. */
export const [protocol = "", otherProtocol = ""]: readonly string[] = PROTOCOL.values;

export const firewallRule: KindDescriptor = {
  name: "https",
  args: ({ vpcId }) => ({
    vpcId,
    protocol,
    sourceAddress: "0.0.0.0/0",
    destinationAddress: "10.0.0.0/25",
    destinationPorts: ["443"],
  }),
  lists: { destinationPorts: ["8080", "443"] },
  edited: ({ fields, replace }, { vpcs }) => ({
    vpcId: nth(vpcs, replace)?.id,
    destinationAddress: nth(vpcs, replace)?.cidr,
    destinationPorts: fields % 2 === 0 ? ["443"] : ["443", "8443"],
  }),
  values: { destinationAddress: "10.0.0.7/32" },
  limits: [
    [{ sourceAddress: "0.0.0.0/8" }, "sourceAddress: 0.0.0.0 is allowed with mask 0 only: 0.0.0.0/0"],
    [{ destinationAddress: "10.0.0.1/32" }, undefined],
    [{ destinationPorts: [], sourceAddress: "::/0" }, undefined],
  ],
};
