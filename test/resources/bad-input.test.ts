import { UNKNOWN } from "../../src/dynamic/engine-values";
import { sent, startRun } from "../support/lifecycle";
import { VirtualClock } from "../support/virtual-clock";

const NOW = "2026-06-15T12:00:00Z";

const good = {
  ApiKey: {
    projectIds: ["p-1"],
    permissions: [{ resourceType: "vm", permission: "edit" }],
    expiresAt: "2026-12-31T00:00:00Z",
    name: "deployer",
  },
  ConnectConnection: {
    projectId: "p-1",
    region: "us-sva-2",
    bandwidthMbps: 200,
    cidrs: ["10.0.0.0/16"],
    providerCidrs: ["172.16.0.0/16"],
    externalProvider: { accountId: "123456789012", region: "us-west-2" },
    name: "aws-link",
  },
  FirewallRule: {
    vpcId: "v-1",
    protocol: "tcp",
    sourceAddress: "0.0.0.0/0",
    destinationAddress: "10.0.0.0/25",
    destinationPorts: ["443"],
    name: "allow-https",
  },
} as const;

type Type = keyof typeof good;

async function reasonsFor(type: Type, args: object): Promise<string[]> {
  const run = startRun({}, new VirtualClock(Date.parse(NOW)));
  const { failures } = await run.of(type).check({}, sent(type, "x", { ...good[type], ...args }));
  expect(failures.every(({ property }) => property === "")).toBe(true); // with a property the engine prints its value
  return failures.map(({ reason }) => reason);
}

const tags = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag-${index}`);

/** Specification sections 2, 5.6 and 8: the resource, what is given, what is said (nothing: it is accepted). */
const table: [type: Type, args: object, reason: string | undefined][] = [
  ["ApiKey", {}, undefined],
  ["ApiKey", { name: "" }, "name: must have 1 to 255 characters (has 0)"],
  ["ApiKey", { name: "n" }, undefined],
  ["ApiKey", { name: "n".repeat(255) }, undefined],
  ["ApiKey", { name: "n".repeat(256) }, "name: must have 1 to 255 characters (has 256)"],
  ["ApiKey", { name: 7 }, "name: must be a string"],
  ["ApiKey", { tags: tags(50) }, undefined],
  ["ApiKey", { tags: tags(51) }, "tags: must have at most 50 items (has 51)"],
  ["ApiKey", { tags: "a" }, "tags: must be a list"],
  ["ApiKey", { tags: [1] }, "tags[0]: must be a string"],
  ["ApiKey", { projectIds: [] }, "projectIds: must have at least 1 item"],
  ["ApiKey", { projectIds: undefined }, "projectIds: is required"],
  ["ApiKey", { permissions: [] }, "permissions: must have at least 1 item"],
  ["ApiKey", { permissions: [{ resourceType: "audit_log", permission: "read" }] }, undefined],
  [
    "ApiKey",
    { permissions: [{ resourceType: "vms", permission: "edit" }] },
    "permissions[0].resourceType: must be one of vm, vpc, volume, connect_connection, rpc_node_dedicated, rpc_node_flex, " +
      "nks_cluster, nks_node_pool, project, api_key, organization, audit_log, usage",
  ],
  [
    "ApiKey",
    { permissions: [good.ApiKey.permissions[0], { resourceType: "vm", permission: "write" }] },
    "permissions[1].permission: must be one of read, edit",
  ],
  ["ApiKey", { permissions: [{ resourceType: "vm" }] }, "permissions[0].permission: is required"],
  ["ApiKey", { permissions: ["vm"] }, "permissions[0]: must be an object"],
  ["ApiKey", { expiresAt: undefined }, "expiresAt: is required, or a lifetime instead"],
  ["ApiKey", { expiresAt: "2027" }, 'expiresAt: must be a date and time in ISO 8601 such as "2027-01-31T00:00:00Z"'],
  [
    "ApiKey",
    { expiresAt: "2026-06-15T12:00:00Z" },
    "expiresAt: must be in the future (it is 2026-06-15T12:00:00Z now)",
  ],
  ["ApiKey", { expiresAt: "2026-06-15T12:00:01Z" }, undefined],
  ["ApiKey", { expiresAt: "2027-06-15T12:00:00Z" }, undefined],
  [
    "ApiKey",
    { expiresAt: "2027-06-15T12:00:01Z" },
    "expiresAt: must be at most one year after the creation: 2027-06-15T12:00:00Z at the latest",
  ],
  ["ApiKey", { startsAt: "2026-06-15T00:00:00Z" }, undefined],
  ["ApiKey", { startsAt: "2026-06-14T23:59:59Z" }, "startsAt: must be today or later"],
  ["ApiKey", { startsAt: "2026-09-01T00:00:00Z", expiresAt: "2027-09-01T00:00:00Z" }, undefined],
  [
    "ApiKey",
    { startsAt: "2026-09-01T00:00:00Z", expiresAt: "2027-09-01T00:00:01Z" },
    "expiresAt: must be at most one year after startsAt: 2027-09-01T00:00:00Z at the latest",
  ],
  ["ApiKey", { startsAt: "2026-12-31T00:00:00Z" }, "startsAt: must be before expiresAt"],
  ["ApiKey", { sourceIpRule: {} }, undefined],
  ["ApiKey", { sourceIpRule: { allowed: "10.0.0.0/8" } }, "sourceIpRule.allowed: must be a list"],

  ["ConnectConnection", {}, undefined],
  ["ConnectConnection", { name: "" }, undefined], // section 8 limits the names of API keys only
  ["ConnectConnection", { name: "n".repeat(300) }, undefined],
  ["ConnectConnection", { externalProvider: undefined }, undefined],
  ...[50, 200, 500, 1000, 2000].map((bandwidthMbps): [Type, object, undefined] => [
    "ConnectConnection",
    { bandwidthMbps },
    undefined,
  ]),
  ["ConnectConnection", { bandwidthMbps: 100 }, "bandwidthMbps: must be one of 50, 200, 500, 1000, 2000"],
  ["ConnectConnection", { bandwidthMbps: "200" }, "bandwidthMbps: must be one of 50, 200, 500, 1000, 2000"],
  ["ConnectConnection", { bandwidthMbps: undefined }, "bandwidthMbps: is required"],
  ["ConnectConnection", { projectId: undefined }, "projectId: is required"],
  ["ConnectConnection", { region: undefined }, "region: is required"],
  ["ConnectConnection", { cidrs: [] }, "cidrs: must have at least 1 item"],
  ["ConnectConnection", { providerCidrs: [] }, "providerCidrs: must have at least 1 item"],
  [
    "ConnectConnection",
    { cidrs: ["10.0.0.0/16", "10.1.0.1/16"] },
    "cidrs[1]: must be network-aligned and in canonical form: 10.1.0.0/16",
  ],
  ["ConnectConnection", { providerCidrs: ["172.16.0.0"] }, 'providerCidrs[0]: must be a CIDR such as "10.0.0.0/25"'],
  ["ConnectConnection", { cidrs: ["10.0.0.0/33"] }, 'cidrs[0]: must be a CIDR such as "10.0.0.0/25"'],
  [
    "ConnectConnection",
    { externalProvider: { accountId: "12345678901", region: "r" } },
    "externalProvider.accountId: must have exactly 12 characters (has 11)",
  ],
  [
    "ConnectConnection",
    { externalProvider: { accountId: "1234567890123", region: "r" } },
    "externalProvider.accountId: must have exactly 12 characters (has 13)",
  ],
  ["ConnectConnection", { externalProvider: { accountId: "123456789012" } }, "externalProvider.region: is required"],
  ["ConnectConnection", { tags: tags(51) }, "tags: must have at most 50 items (has 51)"],

  ["FirewallRule", {}, undefined],
  ["FirewallRule", { vpcId: undefined }, "vpcId: is required"],
  ["FirewallRule", { protocol: "udp" }, undefined],
  ["FirewallRule", { protocol: "icmp" }, "protocol: must be one of tcp, udp"],
  ["FirewallRule", { sourceAddress: "192.168.1.0/24" }, undefined],
  [
    "FirewallRule",
    { sourceAddress: "192.168.1.7/24" },
    "sourceAddress: must be network-aligned and in canonical form: 192.168.1.0/24",
  ],
  ["FirewallRule", { sourceAddress: "0.0.0.0/8" }, "sourceAddress: 0.0.0.0 is allowed with mask 0 only: 0.0.0.0/0"],
  ["FirewallRule", { destinationAddress: "10.0.0.1/32" }, undefined],
  [
    "FirewallRule",
    { destinationAddress: "10.0.0.1/25" },
    "destinationAddress: must be network-aligned and in canonical form: 10.0.0.0/25",
  ],
  ["FirewallRule", { destinationPorts: "443" }, "destinationPorts: must be a list"],
  ["FirewallRule", { destinationPorts: [443] }, "destinationPorts[0]: must be a string"],
  ["FirewallRule", { tags: tags(50) }, undefined],
  ["FirewallRule", { tags: tags(51) }, "tags: must have at most 50 items (has 51)"],
  ["FirewallRule", { name: "" }, undefined],
];

describe("check", () => {
  it.each(table)("%s with %j", async (type, args, reason) => {
    expect(await reasonsFor(type, args)).toEqual(reason === undefined ? [] : [reason]);
  });

  it("when several things are wrong, it names them all at once", async () => {
    const reasons = await reasonsFor("FirewallRule", { protocol: "icmp", sourceAddress: "0.0.0.0/8", tags: tags(51) });
    expect(reasons).toHaveLength(3);
  });

  it.each(Object.keys(good) as Type[])("when any value of %s is not known yet, it accepts it", async (type) => {
    for (const field of Object.keys(good[type])) {
      expect(await reasonsFor(type, { [field]: UNKNOWN })).toEqual([]);
    }
    const everything = Object.fromEntries(Object.keys(good[type]).map((field) => [field, UNKNOWN]));
    expect(await reasonsFor(type, everything)).toEqual([]);
  });

  it("when a part of a value is not known yet, it accepts it and still judges the rest", async () => {
    expect(await reasonsFor("ConnectConnection", { cidrs: [UNKNOWN, "10.0.0.1/16"] })).toEqual([
      "cidrs[1]: must be network-aligned and in canonical form: 10.0.0.0/16",
    ]);
    expect(await reasonsFor("ApiKey", { tags: [...tags(50), UNKNOWN] })).toEqual([
      "tags: must have at most 50 items (has 51)",
    ]);
  });
});
