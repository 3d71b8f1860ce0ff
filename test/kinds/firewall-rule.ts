import { sampleRule } from "../api/support/samples";
import { type KindDescriptor, type Limit, nth, tags, times } from "./descriptor";

const notAPort = 'must be a port from 1 to 65535 such as "443", or a range such as "8000-9000"';

export const firewallRule: KindDescriptor = {
  name: "https",
  args: ({ vpcId }) => ({
    vpcId,
    protocol: "tcp",
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
  collection: "firewallRules",
  wire: sampleRule(),
  creation: () => ({
    name: "sample",
    protocol: "tcp",
    source_address: "0.0.0.0/0",
    destination_address: "10.0.0.0/25",
    destination_ports: ["443"],
    tags: [],
  }),
  inputDrifts: {
    vpcId: "part of the path: another value is another object",
    protocol: { wire: { protocol: "udp" }, shown: "udp" },
    sourceAddress: { wire: { source_address: "192.0.2.0/24" }, shown: "192.0.2.0/24" },
    destinationAddress: { wire: { destination_address: "10.0.0.7/32" }, shown: "10.0.0.7/32" },
    destinationPorts: { wire: { destination_ports: ["443", "8443"] }, shown: ["443", "8443"] },
    tags: { wire: { tags: ["theirs"] }, shown: ["theirs"] },
    name: { wire: { name: "theirs" }, shown: "theirs" },
  },
  outputDrifts: { status: { wire: { status: "error" }, shown: "error" }, ...times },
  limits: [
    ...["0", "65536", "99999", "http", "80,443", "80-99999", "-1", "080"].map((port): Limit => [
      { destinationPorts: ["443", port] },
      `destinationPorts[1]: ${notAPort} (is "${port}")`,
    ]),
    [{ destinationPorts: ["443-80"] }, 'destinationPorts[0]: 443-80 is reversed: write "80-443"'],
    [{}, undefined],
    [{ destinationPorts: ["1", "65535", "8000-9000", "8000:9000"] }, undefined],
    [{ vpcId: undefined }, "vpcId: is required"],
    [{ protocol: "udp" }, undefined],
    [{ protocol: "icmp" }, 'protocol: must be one of tcp, udp (is "icmp")'],
    [{ sourceAddress: "192.168.1.0/24" }, undefined],
    [
      { sourceAddress: "192.168.1.7/24" },
      "sourceAddress: must be network-aligned and in canonical form (is 192.168.1.7/24): write 192.168.1.0/24",
    ],
    [{ sourceAddress: "0.0.0.0/8" }, "sourceAddress: 0.0.0.0 is allowed with mask 0 only: 0.0.0.0/0"],
    [{ destinationAddress: "10.0.0.1/32" }, undefined],
    [
      { destinationAddress: "10.0.0.1/25" },
      "destinationAddress: must be network-aligned and in canonical form (is 10.0.0.1/25): write 10.0.0.0/25",
    ],
    [{ destinationPorts: "443" }, 'destinationPorts: must be a list (is "443"): write ["443"]'],
    [{ destinationPorts: [443] }, 'destinationPorts[0]: must be a string (is the number 443): write "443"'],
    [{ tags: tags(50) }, undefined],
    [{ tags: tags(51) }, "tags: must have at most 50 items (has 51)"],
    [{ name: "" }, undefined],
  ],
};
