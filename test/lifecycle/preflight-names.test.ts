import { UNKNOWN } from "../../src/engine/values";
import { World, NOWHERE } from "../support/world";
import { reasonsOf } from "./support/reasons";

const [VPC, SUBNET] = ["00000000-0000-4000-8000-000000000003", "00000000-0000-4000-8000-000000000004"];

const world = World.forSuite();

it.each<[type: string, args: object, said: RegExp]>([
  [
    "Vm",
    { osImageName: "ubuntu-nobel" },
    /osImageName: .*must be one of ubuntu-noble-.* \(is "ubuntu-nobel"\)\. Correct/,
  ],
  [
    "Vm",
    { instanceType: "n1-standart-2" },
    /instanceType: .* \(is "n1-standart-2"\)\. The closest are n1-standard-2, /,
  ],
  ["NksCluster", { kubernetesVersion: "1.34" }, /must be one of v1\.34\.4, .* \(is "1\.34"\)\. Correct/],
  ["Vm", { subnetId: NOWHERE }, /subnetId: .* \(is ".*dead"\)\. The closest is .* \(default\)/],
  [
    "Vm",
    { subnetId: SUBNET, region: "us-wdc-1" },
    /subnetId: .* \(is ".*0004"\)\. It is in the region us-sva-2\. Correct/,
  ],
  [
    "Volume",
    { region: "us-sva-1", vmId: undefined },
    /region: .*must be one of us-sva-2, .* \(is "us-sva-1"\)\. Correct/,
  ],
  ["Vpc", { projectId: NOWHERE }, /projectId: .*\. The closest is .* \(default\)/],
  [
    "NksCluster",
    { kubernetesVersion: "v1.34.5" },
    /kubernetesVersion: .*must be one of v1\.34\.4, .* \(is "v1\.34\.5"\)\. Correct/,
  ],
  ["FirewallRule", { vpcId: NOWHERE }, /vpcId: .*\. The closest is .* \(default\)/],
  [
    "ConnectConnection",
    { externalProvider: { accountId: "123456789012", region: "us-west-3" } },
    /externalProvider\.region: there is no route .*"us-west-3" in the region us-sva-2\. The closest are us-west-1, us-west-2, /,
  ],
  [
    "RpcNodeFlex",
    { blockchain: "etherum" },
    /blockchain: there is no blockchain "etherum"\. The closest are ethereum, /,
  ],
  [
    "RpcNodeFlex",
    { network: "manet" },
    /network: there is no network "manet" in the blockchain ethereum\. The closest are mainnet, sepolia\. /,
  ],
  [
    "RpcNodeFlex",
    { blockchain: "base", network: "sepolia" },
    /network: there is no network "sepolia" in the blockchain base\. The closest is mainnet\. /,
  ],
  ["RpcNodeFlex", { projectId: NOWHERE }, /projectId: there is no project ".*dead"\. The closest is .* \(default\)/],
])("refuses a new %s with %j, and lists close names", async (type, args, message) => {
  const wrong = world.args(type, args);
  expect(await reasonsOf(world.run(), type, "wrong", wrong)).toEqual([expect.stringMatching(message)]);
  expect(await world.made(type)).toEqual([]);
});

it.each([
  ["region", "us-sva-1"],
  ["project", NOWHERE],
])("names the setting of a wrong %s", async (setting, value) => {
  const run = world.run(setting === "region" ? { region: value } : { projectId: value });
  const args = world.args("Vpc", { region: undefined, projectId: undefined });
  expect(await reasonsOf(run, "Vpc", "wrong", args)).toEqual([
    expect.stringContaining(`(is "${value}", the configured ${setting})`),
  ]);
});

it("unknown blockchain: looks for a network in all", async () => {
  const check = (network: string): Promise<readonly string[]> => {
    const args = world.args("RpcNodeFlex", { network, blockchain: UNKNOWN });
    return reasonsOf(world.run(), "RpcNodeFlex", "open", args);
  };
  expect(await check("sepolia")).toEqual([]);
  expect(await check("manet")).toEqual([
    expect.stringMatching(/there is no network "manet"\. The closest are mainnet, /),
  ]);
});

it.each([
  ["Vm", { subnetId: VPC }, `subnetId: no such subnet .* \\(is "${VPC}"\\)\\. The closest is ${SUBNET} \\(default\\)`],
  ["Volume", { vmId: NOWHERE }, `vmId: no such VM .*\\(is "${NOWHERE}"\\)`],
])("a refused creation of a %s shows the program's value", async (type, own, message) => {
  await expect(world.create(type, own)).rejects.toThrow(
    new RegExp(`failed: 400 .*\\n {2}- ${message}\\nCorrect what is listed and run again\\.$`),
  );
});

it("lists the subnet if its VPC's id is given", async () => {
  const [vpc] = await world.objects("Vpc");
  const near = { ...(vpc?.["subnet"] as object), id: VPC.replace("0003", "0013") };
  await world.place("vpcs", { ...vpc, id: VPC.replace("0003", "0023"), subnet: near });
  const wrong = world.args("Vm", { subnetId: VPC });
  expect(await reasonsOf(world.run(), "Vm", "wrong", wrong)).toEqual([
    expect.stringContaining(`The closest is ${SUBNET} (default). `),
  ]);
});
