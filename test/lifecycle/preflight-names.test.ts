import { argsOf, World } from "../support/world";
import { sent } from "../support/lifecycle";

const NOWHERE = "00000000-0000-4000-8000-00000000dead";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

it.each<[type: string, args: object, said: RegExp]>([
  [
    "Vm",
    { osImageName: "ubuntu-nobel-2026-05-18" },
    /osImageName: .*; the closest to "ubuntu-nobel-2026-05-18" are ubuntu-noble-2026-05-18, /,
  ],
  ["Vm", { instanceType: "n1-standart-2" }, /instanceType: .*; the closest to "n1-standart-2" are n1-standard-2, /],
  ["Vm", { subnetId: NOWHERE }, /subnetId: .*; the closest to ".*dead" is .* \(default\)/],
  ["Volume", { region: "us-sva-1", vmId: undefined }, /region: .*; the closest to "us-sva-1" are us-sva-2, /],
  ["Vpc", { projectId: NOWHERE }, /projectId: .*; the closest to ".*dead" is .* \(default\)/],
  ["NksCluster", { kubernetesVersion: "v1.34.5" }, /kubernetesVersion: .*; the closest to "v1\.34\.5" are v1\.34\.4, /],
  ["FirewallRule", { vpcId: NOWHERE }, /vpcId: .*; the closest to ".*dead" is .* \(default\)/],
  ["RpcNodeFlex", { projectId: NOWHERE }, /projectId: there is no project ".*dead"\. The closest is .* \(default\)/],
])(
  "when a new %s has %j, which the API does not have, the preview fails, and lists the closest names",
  async (type, args, said) => {
    const run = world.run();
    const { failures } = await run
      .of(type)
      .check({}, sent(type, "wrong", { ...argsOf(type, world.simulator), ...args }));
    expect(failures.map(({ reason }) => reason)).toEqual([expect.stringMatching(said)]);
    expect(await world.made(type)).toEqual([]);
  },
);
