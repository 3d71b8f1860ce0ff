import { counts, partsOf, rowOf, saidOf, succeeded } from "./support/output";
import { ALL, declare, oneOf, oneOfEach, program } from "./support/programs";
import { Session } from "./support/session";

/** What a session's preview printed, and asked. */
async function previewOf(session: Session): Promise<{ output: string; requests: string[] }> {
  const { result, requests } = await session.api.during(() => session.stack.preview());
  return { output: succeeded(result), requests };
}

const KEY = "exports.key = deployer.key;";

describe("when quotes are not to be had", () => {
  let session: Session;
  let preview: string;

  beforeAll(async () => {
    session = await Session.start(program(oneOfEach(), KEY));
    await session.api.fault({ path: "/connections/cost$", status: 500, every: 1 });
    await session.api.fault({ path: "/api_keys/cost$", delay: "5s", every: 1 });
    await session.api.fault({ path: "/firewall_rules/cost$", status: 404, every: 1 });
    ({ preview } = partsOf(succeeded(await session.stack.up())));
  });

  it.each([
    ["link", /warning: cost unknown: quote connect connection "link" .* was answered 500 .*Run again later/],
    [
      "deployer",
      /warning: cost unknown: quote API key "deployer" .* no complete answer from 127\.0\.0\.1:\d+ within 2000 ms/,
    ],
    ["https", / https create no quote offered for this kind of resource$/],
  ])("the preview succeeds, and the row of %s says why, and what to check", (name, reason) => {
    expect(rowOf(preview, name)).toMatch(reason);
    expect(counts(preview)).toEqual([`+ ${ALL} to create`]);
  });

  it("the resources are made all the same, without a cost", async () => {
    await session.expectAgreement();
    for (const name of ["link", "deployer", "https"]) expect(session.one(name).outputs).not.toHaveProperty("cost");
  });

  it("an update is previewed and made all the same", async () => {
    session.stack.write(program(oneOfEach({ ConnectConnection: { tags: ["new"] } }), KEY));
    await session.api.fault({ method: "PATCH", path: "/cost$", status: 500, every: 1 });
    expect(rowOf(partsOf(succeeded(await session.stack.up())).preview, "link")).toMatch(
      /warning: cost unknown: .* was answered 500/,
    );
    expect((await session.api.held()).connections[0]).toMatchObject({ tags: ["new"] });
  });

  it("once the service quotes again, what is unknown is asked for, and the preview says that the state gets it", async () => {
    await session.api.clearFaults();
    const { output, requests } = await previewOf(session);
    expect(counts(output)).toEqual(["~ 2 to update", `${ALL - 2} unchanged`]);
    expect(requests.sort()).toEqual(["POST api_keys/cost", "POST connections/cost"]);
    expect(rowOf(output, "link")).toMatch(/update \[diff: \+cost\]; \$78\.13\/mo, not known until now$/);
    expect(saidOf(output, "link")).toBe("$78.13/mo, not known until now");
  });

  it("an update puts the cost into inputs and outputs, changes nothing at the API, and then nobody asks any more", async () => {
    const held = await session.api.held();
    const up = await session.api.during(() => session.up());
    expect(counts(succeeded(up.result))).toEqual(["~ 2 updated", `${ALL - 2} unchanged`]);
    expect(up.requests.filter((request) => !/^GET|cost$/.test(request))).toEqual([]);
    expect(await session.api.held()).toEqual(held);
    for (const props of ["inputs", "outputs"] as const) {
      expect(session.one("link")[props]).toMatchObject({ cost: { monthlyTotal: "78.125" } });
      expect(session.one("deployer")[props]).toMatchObject({ cost: { monthlyTotal: "0.00" } });
    }
    expect(session.one("link").outputs).not.toHaveProperty("__unpriced");
    expect(session.shownOutputs()["key"]).toMatch(/\w/); // an update keeps the secret
    const preview = await previewOf(session);
    expect(counts(preview.output)).toEqual([`${ALL} unchanged`]);
    expect(preview.requests).toEqual([]);
    const refresh = await session.api.during(() => session.stack.refresh());
    succeeded(refresh.result);
    expect(refresh.requests.filter((request) => request.endsWith("/cost"))).toEqual([]);
  });
});

it("when cloudinfra:costQuotes is false, no quote is asked for and no row speaks of cost", async () => {
  const session = await Session.start(program(oneOfEach()), { config: { "cloudinfra:costQuotes": "false" } });
  const { result, requests } = await session.api.during(() => session.stack.up());
  expect(succeeded(result)).not.toMatch(/cost|\$/);
  expect(requests.filter((request) => request.endsWith("/cost"))).toEqual([]);
  await session.expectAgreement();
});

describe("when inputs are not known before the update", () => {
  let session: Session;
  let preview: string;

  beforeAll(async () => {
    session = await Session.start("");
    const vpcId = `=link.id.apply(() => "${session.api.simulator.vpcId}")`;
    session.stack.write(
      program(
        declare("ConnectConnection", "link"),
        declare("FirewallRule", "unpriced", { vpcId }),
        declare("FirewallRule", "priced", { tags: ["=link.id"], name: "=link.name" }),
        declare("ConnectConnection", "open", { bandwidthMbps: "=link.id.apply(() => 200)" }),
        declare("ApiKey", "deployer", { projectIds: ["=link.projectId"], tags: "=link.id.apply((id) => [id])" }),
      ),
    );
    ({ preview } = partsOf(succeeded(await session.stack.up())));
  });

  it("a cost that depends on them is unknown, and says on which", () => {
    expect(saidOf(preview, "unpriced")).toBe("cost unknown: vpcId is not known yet");
    expect(saidOf(preview, "open")).toBe("cost unknown: bandwidthMbps is not known yet");
  });

  it("a cost that does not depend on them is known", () => {
    expect(rowOf(preview, "priced")).toMatch(/ create$/);
    expect(rowOf(preview, "deployer")).toMatch(/ create$/);
  });

  it("the update makes all of them, and then every cost is known", async () => {
    await session.expectAgreement();
    expect(session.one("open").outputs["cost"]).toMatchObject({ monthlyTotal: "312.50" });
    expect(session.one("unpriced").outputs["cost"]).toMatchObject({ monthlyTotal: "0.00" });
  });
});

it("when the dialect offers quotes for connections alone, the other rows say that none is offered", async () => {
  const session = await Session.start(program(oneOf({ ApiKey: {}, ConnectConnection: {}, FirewallRule: {} })), {
    simulator: { dialect: "nirvana" },
    config: { "cloudinfra:dialect": "nirvana" },
  });
  const { result, requests } = await session.api.during(() => session.stack.up());
  const { preview } = partsOf(succeeded(result));
  expect(rowOf(preview, "link")).toContain("+$78.13/mo");
  for (const name of ["deployer", "https"]) expect(saidOf(preview, name)).toContain("no quote offered");
  // One of the preview, and one of the update.
  const quotes = requests.filter((request) => request.endsWith("/cost"));
  expect(quotes).toEqual(["POST connections/cost", "POST connections/cost"]);
  await session.expectAgreement();
});
