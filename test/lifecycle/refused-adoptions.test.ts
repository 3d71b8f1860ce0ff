import { UNKNOWN } from "../../src/engine/values";
import { sent, urnOf } from "../support/lifecycle";
import { up } from "../support/mini-engine";
import { takenOver } from "../kinds";
import { World, NOWHERE } from "../support/world";
import { reasonsOf } from "./support/reasons";

const MANAGED_KEY = "00000000-0000-4000-8000-000000000005";

const world = World.forSuite();

/** Why a preview refuses to adopt. It asks, and changes nothing. */
async function refusal(type: string, args: object): Promise<string> {
  const before = (await world.requests()).length;
  const reasons = await reasonsOf(world.run(), type, "x", world.args(type, args));
  const requests = (await world.requests()).slice(before);
  expect(requests.filter((request) => !/^GET|\/(cost|availability)$/.test(request))).toEqual([]);
  expect(reasons).not.toEqual([]);
  return reasons.join("\n");
}

describe("when an object cannot be adopted", () => {
  it("names each field that cannot be changed", async () => {
    const { projectId, region } = world.simulator;
    const { resource_id } = await world.api("POST", "/v1/networking/connect/connections", {
      ...{ name: "by-hand", project_id: projectId, region, bandwidth_mbps: 50 },
      ...{ cidrs: ["10.0.0.0/25"], provider_cidrs: ["172.16.0.0/16"] },
      external_provider: { account_id: "123456789012", region: "us-west-2" },
    });
    const differing = { adopt: resource_id, bandwidthMbps: 500, cidrs: ["10.9.0.0/16"] };
    const message = await refusal("ConnectConnection", differing);
    expect(message).toMatch(/bandwidthMbps: cannot be changed.* has 50, the program 500/);
    expect(message).toMatch(/cidrs: cannot be changed.*10\.0\.0\.0\/25.*10\.9\.0\.0\/16/);
  });

  it("refuses an object that the system manages", async () => {
    expect(await refusal("ApiKey", { adopt: MANAGED_KEY })).toContain("is managed by the system");
  });

  it("names the id of a missing object", async () => {
    const message = await refusal("FirewallRule", { adopt: `${world.simulator.vpcId}/${NOWHERE}` });
    expect(message).toContain(`there is no firewall rule with the id ${NOWHERE}: correct it, or remove "adopt"`);
    const bare = await refusal("FirewallRule", { adopt: NOWHERE });
    expect(bare).toContain('correct it, write it as "<vpcId>/<id>", or remove "adopt"');
  });

  it("gives other advice if a list shows the missing object", async () => {
    const { id } = await world.create("Volume");
    await world.fault({ method: "GET", path: `/volumes/${id}$`, status: 404, every: 1 });
    expect(await refusal("Volume", { adopt: id })).toContain(
      `the API lists the volume ${id} and answers 404 to it: run`,
    );
    expect(await refusal("Volume", { adopt: NOWHERE })).toContain('correct it, or remove "adopt"');
  });

  it.each(takenOver)("suggests the id of the %s that a name or mistyped id means", async (type) => {
    const { id, outs } = await world.create(type);
    const name = String(outs["name"]);
    for (const wrong of [name, `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`])
      expect(await refusal(type, { name: "another", adopt: wrong })).toContain(`has the id ${id}): correct it`);
  });
});

it("refuses to adopt or read what is deleted first", async () => {
  const type = "ConnectConnection";
  const args = world.args(type);
  const { state } = await up(world.run(), type, args, undefined);
  const preview = world.run();
  // The engine compares a dependent of a resource with `deleteBeforeReplace` without a check, and with unknown inputs.
  await preview.of(type).diff(state.id, state.outs, { ...state.inputs, cidrs: UNKNOWN });
  // It may check the dependent as a new resource before the others.
  await preview.of(type).check({}, sent(type, "x", args));
  const reasons = await reasonsOf(preview, type, "renamed", { ...args, adopt: state.id });
  await expect(preview.of(type).read(state.id, sent(type, "reader", {}))).rejects.toThrow(
    "which this run deletes first",
  );
  expect(reasons.join()).toContain('belongs to the resource "x", which this run deletes first');
});

it.each([
  ["adopts", 'The resource "renamed" adopts connect connection'],
  ["reads", 'The get "renamed" of the program reads'],
])("refuses to delete first what a resource %s", async (how, text) => {
  const type = "ConnectConnection";
  const args = world.args(type);
  const { state } = await up(world.run(), type, args, undefined);
  const preview = world.run();
  if (how === "reads") await preview.of(type).read(state.id, sent(type, "renamed", {}));
  else await preview.of(type).check({}, sent(type, "renamed", { ...args, adopt: state.id }));
  const compare = (outs: object): Promise<unknown> =>
    preview.of(type).diff(state.id, { ...state.outs, ...outs }, { ...state.inputs, cidrs: UNKNOWN });
  await expect(compare({ __retainOnDelete: true })).resolves.toMatchObject({ replaces: ["cidrs"] });
  await expect(compare({})).rejects.toThrow(text);
});

it("deletes an object before its dependency", async () => {
  const type = "ConnectConnection";
  const { state } = await up(world.run(), type, world.args(type), undefined);
  const update = world.run();
  await update.of(type).diff(state.id, state.outs, { ...state.inputs, cidrs: UNKNOWN });
  await update.of(type).delete(state.id, { ...state.outs, __urn: urnOf(type, "before") });
  expect(await world.made(type)).toEqual([]);
});
