import { sent, urnOf } from "../support/lifecycle";
import { up } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import { World } from "../support/world";
import { otherStorage } from "../kinds/volume";
import { UNKNOWN } from "../../src/engine/values";

const world = World.forSuite();

const replacing: Readonly<Record<string, object>> = {
  Volume: { type: otherStorage },
  Vm: { osImageName: "debian-trixie-2026-01-12" },
  NksCluster: { kubernetesVersion: "v1.33.8", replaceOnVersionChange: true },
  ConnectConnection: { bandwidthMbps: 500 },
};

/** The lines of a preview that replaces an object of this type. */
async function linesOf(type: string, hidden: object = {}): Promise<string[]> {
  const args = world.args(type, hidden);
  const { state } = await up(world.run(), type, args, undefined);
  const run = world.run();
  await preview(run, type, { ...args, ...replacing[type] }, state);
  return run.lines.filter(({ urn }) => urn === urnOf(type, "x")).map(({ text }) => text);
}

it.each([
  ["Volume", /^the data of the old volume is deleted; /],
  ["Vm", /^the data of the old VM is deleted, also that of its dataVolumes; /],
  ["NksCluster", /^the old cluster is deleted with everything that runs in it; /],
  ["ConnectConnection", /^\$[\d.]+\/mo → /],
])("names the data that replacing a %s loses", async (type, line) => {
  expect(await linesOf(type)).toEqual([expect.stringMatching(line)]);
});

it("reports no loss if the replaced volume is retained", async () => {
  expect((await linesOf("Volume", { __retainOnDelete: true })).join("\n")).not.toContain("is deleted");
});

it("treats a dependent deleted first as replaced", async () => {
  const [net, args] = [world.args("Vpc"), world.args("Vm")];
  const stackId = "5d3f";
  const vpc = (await up(world.run({ stackId }), "Vpc", net, undefined)).state;
  const vm = (await up(world.run({ stackId }), "Vm", args, undefined)).state;
  const run = world.run({ stackId });
  // With deleteBeforeReplace, the engine compares the dependents, and then checks them without their state.
  await preview(run, "Vpc", { ...net, name: "other" }, vpc);
  await run.of("Vm").diff(vm.id, vm.outs, { ...vm.inputs, subnetId: UNKNOWN });
  const { inputs, failures } = await run.of("Vm").check({}, sent("Vm", "x", args));
  expect(failures).toEqual([]);
  expect(inputs["name"]).not.toBe(vm.inputs["name"]);
  const lines = run.lines.filter(({ urn }) => urn === urnOf("Vm", "x")).map(({ text }) => text);
  expect(lines).toEqual([expect.stringMatching(/^the data of the old VM is deleted.* as before/)]);
});
