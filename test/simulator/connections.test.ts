import {
  expectRejected,
  harnessForSuite,
  type Json,
  paths,
  requests,
  startTimes,
  tags,
  withNone,
} from "./support/harness";

const api = harnessForSuite();

/* Connect connections: section 2.7. */

it("a new connection becomes ready with both ends", async () => {
  const external_provider = { account_id: "523816707215", region: "us-east-1" };
  const body = { ...requests.connection, external_provider, tags: ["a"] };
  const { status, id, at } = await api.create(paths.connections, body);
  expect(status).toBe(202);
  const before = await api.get(at);
  expect(before).toEqual({
    ...{ ...requests.connection, id, tags: ["a"], status: "creating", external_provider: { region: "us-east-1" } },
    ...{ asn: null, provider_asn: null, router_ip: null, provider_router_ip: null, ...startTimes },
  });
  await api.advance("8s");
  const after = await api.get(at);
  const [number, address] = [expect.any(Number) as number, expect.stringMatching(/^169\.254\./) as string];
  const ends = { asn: number, provider_asn: number, router_ip: address, provider_router_ip: address };
  expect(after).toEqual({ ...before, ...ends, status: "ready", updated_at: "2026-03-01T12:00:08Z" });
  expect((await api.state())["connections"]).toEqual([after]);
  expect(JSON.stringify(await api.state())).not.toContain("523816707215");
});

it("an absent external provider is null", async () => {
  const { at } = await api.create(paths.connections, requests.connection);
  expect((await api.get(at))["external_provider"]).toBeNull();
});

const members = "bandwidth_mbps cidrs name provider_cidrs region";
const providerOf = (account_id: string): Json => ({ external_provider: { account_id, region: "us-east-1" } });

it.each<[string, Json, string]>([
  ["nothing but a project", withNone(members), members],
  ["no project", { project_id: undefined }, "project_id"],
  ["an unknown project", { project_id: "nowhere" }, "project_id"],
  ["an unknown region", { region: "us-xxx-9" }, "region"],
  ["a region without connect", { region: "us-chi-1" }, "region"],
  ["a bandwidth between two", { bandwidth_mbps: 100 }, "bandwidth_mbps"],
  ["a bandwidth as text", { bandwidth_mbps: "200" }, "bandwidth_mbps"],
  ["no CIDRs", { cidrs: [] }, "cidrs"],
  ["no provider CIDRs", { provider_cidrs: [] }, "provider_cidrs"],
  ["an unaligned CIDR", { cidrs: ["10.0.0.0/16", "10.1.0.1/16"] }, "cidrs[1]"],
  ["an unaligned provider CIDR", { provider_cidrs: ["172.16.0.1/12"] }, "provider_cidrs[0]"],
  ["a CIDR that is not canonical", { cidrs: ["010.0.0.0/16"] }, "cidrs[0]"],
  ["a CIDR in short", { cidrs: ["10/8"] }, "cidrs[0]"],
  ["an address without a mask", { cidrs: ["10.0.0.0"] }, "cidrs[0]"],
  ["a mask of 33", { cidrs: ["10.0.0.0/33"] }, "cidrs[0]"],
  ["an unaligned CIDR of IPv6", { cidrs: ["2001:db8::1/32"] }, "cidrs[0]"],
  ["a CIDR of IPv6 that is not canonical", { cidrs: ["2001:0db8::/32"] }, "cidrs[0]"],
  ["a mask of 129", { cidrs: ["2001:db8::/129"] }, "cidrs[0]"],
  ["an account of 11 characters", providerOf("12345678901"), "external_provider.account_id"],
  ["an account of 13 characters", providerOf("1234567890123"), "external_provider.account_id"],
  ["a provider without a region", { external_provider: { account_id: "123456789012" } }, "external_provider.region"],
  ["51 tags", { tags: tags(51) }, "tags"],
  ["the public service's name of the provider", { aws: { account_id: "123456789012", region: "us-east-1" } }, "aws"],
])("refuses a connection with %s", async (_name, more, bad) => {
  const body = { ...requests.connection, ...more };
  await expectRejected(api, "POST", [paths.connections, `${paths.connections}/cost`], body, bad);
  expect((await api.state())["connections"]).toEqual([]);
});

it.each<[string, Json]>([
  ...[50, 200, 500, 1000, 2000].map((bandwidth_mbps): [string, Json] => [`${bandwidth_mbps} Mbps`, { bandwidth_mbps }]),
  ["50 tags", { tags: tags(50) }],
  ["a name of 300 characters", { name: "x".repeat(300) }],
  ["another region", { region: "us-wdc-1" }],
  ["every address", { cidrs: ["0.0.0.0/0"] }],
  ["CIDRs of IPv6", { cidrs: ["2001:db8::/32", "::/0"] }],
])("creates a connection with %s", async (_name, more) => {
  expect((await api.create(paths.connections, { ...requests.connection, ...more })).status).toBe(202);
  expect((await api.state())["connections"]).toMatchObject([more]);
});

it("an update of any other member is rejected", async () => {
  const { at } = await api.create(paths.connections, requests.connection);
  const body = { bandwidth_mbps: 500, cidrs: ["10.0.0.0/8"], tags: tags(51) };
  await expectRejected(api, "PATCH", [at], body, "bandwidth_mbps cidrs tags");
});
