import { UNKNOWN } from "../../src/engine/values";
import { sent, type TestRun } from "../support/lifecycle";
import { World } from "../support/world";

const world = World.forSuite();

/** A preview of a new resource: its cost, what its row says, and the requests. */
async function previewed(run: TestRun, type: string, args: object, name = "x") {
  const [lines, before] = [run.lines.length, (await world.requests()).length];
  const given = world.args(type, args);
  const { inputs, failures } = await run.of(type).check({}, sent(type, name, given));
  expect(failures).toEqual([]);
  return {
    cost: (inputs["cost"] as { readonly monthlyTotal: string } | undefined)?.monthlyTotal,
    texts: run.lines.slice(lines).map(({ text }) => text),
    requests: (await world.requests()).slice(before),
  };
}

it("quotes the rules of a new VPC once", async () => {
  const run = world.run();
  await previewed(run, "Vpc", {}, "net");
  expect(await previewed(run, "FirewallRule", { vpcId: UNKNOWN, destinationAddress: "10.77.0.0/25" }, "a")).toEqual({
    cost: "0.00",
    texts: [],
    requests: [expect.stringMatching(/^GET .*\/vpcs/), expect.stringMatching(/^POST .*\/firewall_rules\/cost$/)],
  });
  expect(await previewed(run, "FirewallRule", { vpcId: UNKNOWN, destinationAddress: UNKNOWN }, "b")).toMatchObject({
    cost: "0.00",
    requests: [],
  });
});

it.each([
  ["no other cluster is in the region", ["us-wdc-1"]],
  ["the run makes clusters in two regions", ["us-sva-2", "us-wdc-1"]],
])("does not know a pool's price when %s", async (_case, regions) => {
  const run = world.run();
  for (const region of regions) run.run.standIns.noteNew({ type: "NksCluster" }, { region });
  const { cost, texts } = await previewed(run, "NksNodePool", { clusterId: UNKNOWN });
  expect([cost, texts]).toEqual([undefined, ["cost unknown: clusterId is not known yet"]]);
});

it("offers no quote in a dialect without quotes for rules", async () => {
  const run = world.run({ dialect: "nirvana" });
  expect(await previewed(run, "FirewallRule", { vpcId: UNKNOWN })).toMatchObject({
    texts: ["no quote offered for this kind of resource"],
    requests: [],
  });
});
