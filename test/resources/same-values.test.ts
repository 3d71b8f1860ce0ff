import { up } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import { argsOf, World } from "../support/world";

const world = World.forSuite();
const sshKey = (comment: string): object => ({
  sshKey: { publicKey: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGtleQ== ${comment}` },
});
const start = { startsAt: "2026-06-15T00:00:00Z" };
const bootVolume = { size: 64, type: "abs" };
const taints = (...of: readonly string[]): object => ({
  nodeConfig: { instanceType: "n1-standard-2", bootVolume, taints: of },
});
const account = (accountId: string): object => ({ externalProvider: { accountId, region: "us-west-2" } });
const blocking = (source: string): object => ({ sourceIpRule: { blocked: [source] } });

it.each([
  ["a start that has passed, and none", "same", "ApiKey", start, { startsAt: undefined }],
  ["an address, and its network", "same", "ApiKey", blocking("192.0.2.7"), blocking("192.0.2.7/32")],
  ["an address, and another network", "update", "ApiKey", blocking("192.0.2.7"), blocking("192.0.2.7/31")],
  ["an SSH key with another comment", "same", "Vm", sshKey("you@example.com"), sshKey("me@example.com")],
  ["another taint of a pool's nodes", "replace", "NksNodePool", taints("a=1:NoSchedule"), taints("a=1:NoExecute")],
  ["another account of a connection", "replace", "ConnectConnection", account("123456789012"), account("210987654321")],
])("decides whether values are equal: %s, %s", async (_case, operation, type, before, after) => {
  const args = argsOf(type, world.simulator);
  const { state } = await up(world.run(), type, { ...args, ...before }, undefined);
  expect(await preview(world.run(), type, { ...args, ...after }, state)).toMatchObject({ operation });
});

it("sends an IP rule's address as a network, without a difference", async () => {
  const args = { ...argsOf("ApiKey", world.simulator), ...blocking("192.0.2.7") };
  const { state } = await up(world.run(), "ApiKey", args, undefined);
  const { source_ip_rule: rule } = (await world.api("GET", `/v1/api_keys/${state.id}`)) as Record<string, unknown>;
  expect(rule).toEqual({ allowed: [], blocked: ["192.0.2.7/32"] });
  expect(await preview(world.run(), "ApiKey", args, state)).toMatchObject({ operation: "same" });
});
