import { up } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import { argsOf, World } from "../support/world";

const world = World.forSuite();
const sshKey = (comment: string): object => ({
  sshKey: { publicKey: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGtleQ== ${comment}` },
});

it.each([
  ["a start that has passed, and none", "ApiKey", { startsAt: "2026-06-15T00:00:00Z" }, { startsAt: undefined }],
  ["an SSH key with another comment", "Vm", sshKey("you@example.com"), sshKey("me@example.com")],
])("%s mean the same", async (_case, type, before, after) => {
  const args = argsOf(type, world.simulator);
  const { state } = await up(world.run(), type, { ...args, ...before }, undefined);
  const { operation } = await preview(world.run(), type, { ...args, ...after }, state);
  expect(operation).toBe("same");
});

const bootVolume = { size: 64, type: "abs" };
const taints = (...of: readonly string[]): object => ({
  nodeConfig: { instanceType: "n1-standard-2", bootVolume, taints: of },
});
const account = (accountId: string): object => ({ externalProvider: { accountId, region: "us-west-2" } });

it.each([
  ["a new taint of a pool's nodes", "NksNodePool", taints("a=1:NoSchedule"), taints("a=1:NoExecute")],
  ["another account of a connection", "ConnectConnection", account("123456789012"), account("210987654321")],
])("%s makes a replacement", async (_case, type, before, after) => {
  const args = argsOf(type, world.simulator);
  const { state } = await up(world.run(), type, { ...args, ...before }, undefined);
  const { operation } = await preview(world.run(), type, { ...args, ...after }, state);
  expect(operation).toBe("replace");
});
