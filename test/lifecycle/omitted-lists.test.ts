import { up } from "../support/mini-engine";
import { preview, refresh } from "../support/mini-refresh";
import { World } from "../support/world";

const world = World.forSuite();

it.each<[string, string, object, object]>([
  ["no tags", "FirewallRule", {}, { tags: [] }],
  ["no rule", "ApiKey", {}, { sourceIpRule: { allowed: [], blocked: [] } }],
  ["a rule without lists", "ApiKey", { sourceIpRule: {} }, { sourceIpRule: {} }],
  [
    "a rule without a list of blocked",
    "ApiKey",
    { sourceIpRule: { allowed: ["127.0.0.0/8"] } },
    { sourceIpRule: { allowed: ["127.0.0.0/8"] } },
  ],
  [
    "a rule without a list of allowed",
    "ApiKey",
    { sourceIpRule: { blocked: ["192.0.2.7"] } },
    { sourceIpRule: { blocked: ["192.0.2.7"] } },
  ],
])("shows no difference if a program gives %s", async (_case, type, own, outputs) => {
  const args = world.args(type, own);
  const { state } = await up(world.run(), type, args, undefined);
  expect(state.outs).toMatchObject(outputs);
  for (const [name, value] of Object.entries(outputs)) expect(state.outs[name]).toEqual(value);

  const same = { operation: "same", fields: [] };
  expect(await preview(world.run(), type, args, state)).toEqual(same);
  const refreshed = await refresh(world.run(), type, state);
  expect(refreshed?.outs).toMatchObject(outputs);
  expect(await preview(world.run(), type, args, refreshed!)).toEqual(same);
});
