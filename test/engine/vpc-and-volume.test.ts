import { program } from "./support/programs";
import { Session } from "./support/session";

const net = `const net = new cloudinfra.Vpc("net", { tags: ["ours"] });`;
const volume = (args: object): string => `const data = new cloudinfra.Volume("data", ${JSON.stringify(args)});`;
const outputs = `exports.cidr = net.subnet.cidr; exports.cost = data.cost;`;
const said = (args: object): string => program(net, volume(args), outputs);

/** What the organization pays, as each quote of the service says. */
async function billOf({ api }: Session): Promise<number> {
  const { projectId, region } = api.simulator;
  const body = { name: "asked", subnet_name: "asked", project_id: projectId, region };
  const { current_summary: bill } = await api.call("POST", "/v1/networking/vpcs/cost", body);
  return Number((bill as { monthly_cost: string }).monthly_cost);
}

it("a VPC and a volume live in a stack: made, unchanged, grown, replaced, refreshed, taken over from another, gone", async () => {
  const session = await Session.start(said({ size: 100, type: "abs" }));
  await session.up();
  const first = session.one("data").id;
  expect(session.one("net").outputs).toMatchObject({ subnet: { cidr: expect.stringMatching(/^10\./) as string } });

  const quiet = await session.api.during(() => session.up());
  expect(quiet.requests).toEqual([]);

  session.stack.write(said({ size: 50, type: "abs" }));
  const refused = await session.stack.preview().catch((error: unknown) => String(error));
  expect(JSON.stringify(refused)).toContain("cannot become smaller: the volume has 100");

  session.stack.write(said({ size: 150, type: "abs" }));
  const grown = await session.stack.preview();
  expect(grown.stdout).toContain("$10.00/mo → $15.00/mo (+$5.00/mo)");
  await session.up();
  expect(session.one("data")).toMatchObject({ id: first, outputs: { size: 150 } });

  session.stack.write(said({ size: 50, type: "nvme" }));
  await session.up();
  expect(session.one("data").id).not.toBe(first);

  await session.api.call("PATCH", `/v1/compute/volumes/${session.one("data").id}`, { tags: ["theirs"] });
  await session.refresh();
  expect(session.one("data").outputs).toMatchObject({ tags: ["theirs"] });

  const { projectId, region } = session.api.simulator;
  const byHand = { name: "by-hand", project_id: projectId, region, size: 500, type: "abs", tags: [] };
  const made = await session.api.call("POST", "/v1/compute/volumes", byHand);
  const adopt = String(made["resource_id"]);
  session.stack.write(program(net, volume({ size: 600, type: "abs", adopt }), `new cloudinfra.CostSummary("cost");`));
  const before = await billOf(session);
  await session.up();
  const { delta } = session.one("cost").outputs;
  expect(session.one("data").id).toBe(adopt);
  // The network, the volume of 50 GB, the one made by hand, and the cluster that every test has.
  expect([before, Number(delta)]).toEqual([150.1, (await billOf(session)) - before]);
  await session.destroy();
  expect(session.kept()).toEqual([]);
});
