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
    /osImageName: .*there is no image "ubuntu-nobel-2026-05-18"\. The closest are ubuntu-noble-2026-05-18, /,
  ],
  [
    "Vm",
    { instanceType: "n1-standart-2" },
    /instanceType: .*no instance type "n1-standart-2" in us-sva-2\. The closest are n1-standard-2, /,
  ],
  ["Vm", { subnetId: NOWHERE }, /subnetId: .*there is no subnet ".*dead" in .*\. The closest is .* \(default\)/],
  [
    "Volume",
    { region: "us-sva-1", vmId: undefined },
    /region: .*there is no region "us-sva-1"\. The closest are us-sva-2, /,
  ],
  ["Vpc", { projectId: NOWHERE }, /projectId: .*there is no project ".*dead"\. The closest is .* \(default\)/],
  [
    "NksCluster",
    { kubernetesVersion: "v1.34.5" },
    /there is no version of Kubernetes "v1\.34\.5"\. The closest are v1\.34\.4, /,
  ],
  ["FirewallRule", { vpcId: NOWHERE }, /vpcId: .*there is no VPC ".*dead".*\. The closest is .* \(default\)/],
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
