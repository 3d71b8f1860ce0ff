import { counts, rowOf, succeeded } from "./support/output";
import { basics, oneOfEach, program } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";

let session: Session;

beforeAll(async () => {
  session = await Session.start(
    program(
      oneOfEach({
        ApiKey: { tags: ["ours"] },
        ConnectConnection: { name: "link", tags: ["ours"] },
        FirewallRule: { tags: ["ours"] },
      }),
    ),
  );
  succeeded(await session.up());
});
afterAll(() => Session.closeAll());

describe("when somebody changes objects at the API", () => {
  let refreshed: string;
  let previewed: { output: string; requests: string[] };

  beforeAll(async () => {
    await session.api.call("PATCH", `${paths.apiKeys}/${session.one("deployer").id}`, {
      permissions: [{ resource_type: "vpc", permission: "read" }],
    });
    await session.api.call("PATCH", `${paths.connections}/${session.one("link").id}`, { name: "theirs" });
    await session.api.call("PATCH", `${session.api.rules}/${session.one("https").id}`, {
      destination_ports: ["8443"],
      tags: ["theirs"],
    });
    refreshed = succeeded(await session.refresh(["--diff"]));
    const preview = await session.api.during(() => session.stack.preview());
    previewed = { output: succeeded(preview.result), requests: preview.requests };
  });

  it("a refresh says which fields, from what to what", () => {
    expect(counts(refreshed)).toEqual(["~ 3 updated", "1 unchanged"]);
    expect(refreshed).toMatch(/~ name *: "link" => "theirs"/);
    expect(refreshed).toMatch(/~ \[0\]: "443" => "8443"/);
    expect(refreshed).toMatch(/~ \[0\]: "ours" => "theirs"/);
    expect(refreshed).toMatch(/~ resourceType: "vm" => "vpc"/);
  });

  it("a refresh takes the values into the state, outputs and inputs alike", () => {
    expect(session.one("link").outputs).toMatchObject({ name: "theirs", tags: ["ours"] });
    expect(session.one("https").outputs).toMatchObject({ destinationPorts: ["8443"], tags: ["theirs"] });
    expect(session.one("https").inputs).toMatchObject({ destinationPorts: ["8443"], tags: ["theirs"] });
  });

  it.each([
    ["deployer", ["permissions"]],
    ["link", ["name"]],
    ["https", ["destinationPorts", "tags"]],
  ])("the next preview wants exactly that back for %s", (name, fields) => {
    const row = rowOf(previewed.output, name);
    const shown = /update \[diff: ~([^\]]*)\]/.exec(row)?.[1];
    expect(shown?.split(",").sort()).toEqual(fields);
  });

  it("the next up puts it back, and then there is nothing more to do", async () => {
    succeeded(await session.up());
    const { apiKeys, connections, firewallRules } = await session.api.held();
    expect(apiKeys[0]).toMatchObject({ permissions: [{ resource_type: "vm", permission: "edit" }], tags: ["ours"] });
    expect(connections[0]).toMatchObject({ name: "link", tags: ["ours"] });
    expect(firewallRules[0]).toMatchObject({ destination_ports: ["443"], tags: ["ours"] });
    expect(counts(succeeded(await session.stack.preview()))).toEqual(["4 unchanged"]);
  });
});

async function deleteAll(): Promise<void> {
  await session.api.call("DELETE", `${paths.apiKeys}/${session.one("deployer").id}`);
  await session.api.call("DELETE", `${paths.connections}/${session.one("link").id}`);
  await session.api.call("DELETE", `${session.api.rules}/${session.one("https").id}`);
}

describe("when somebody deletes objects at the API", () => {
  let refreshed: string;

  beforeAll(async () => {
    await deleteAll();
    refreshed = succeeded(await session.refresh());
  });

  it("a refresh drops them from the state", () => {
    expect(counts(refreshed)).toEqual(["- 3 deleted", "1 unchanged"]);
    expect(session.kept()).toEqual([]);
  });

  it("the next up makes them anew", async () => {
    expect(counts(succeeded(await session.up()))).toContain("+ 3 created");
    await session.expectAgreement();
    expect(await session.api.heldIds()).toHaveLength(3);
  });
});

it("when somebody has deleted objects and nobody has refreshed, a destroy succeeds", async () => {
  await deleteAll();
  expect(counts(succeeded(await session.destroy()))).toEqual(["- 4 deleted"]);
  expect(session.kept()).toEqual([]);
});

describe("when a VPC has 100 rules, and another one three", () => {
  const MANY = 100;
  const FEW = 3;
  let many: Session;

  /** The requests of a refresh, each sort with its number. */
  async function requestsOf(args: readonly string[] = []): Promise<Readonly<Record<string, number>>> {
    const { result, requests } = await many.api.during(() => many.refresh(args));
    succeeded(result);
    const numbers: Record<string, number> = {};
    for (const request of requests) numbers[request] = (numbers[request] ?? 0) + 1;
    return numbers;
  }

  beforeAll(async () => {
    many = await Session.start("");
    const { projectId, region } = many.api.simulator;
    const body = { name: "second", project_id: projectId, region, subnet_name: "second" };
    const { resource_id: second } = await many.api.call("POST", "/v1/networking/vpcs", body);
    const { subnet } = await many.api.call("GET", `/v1/networking/vpcs/${String(second)}`);
    many.stack.write(
      program(
        `const rule = ${JSON.stringify(basics.FirewallRule)};`,
        `const there = { ...rule, vpcId: "${String(second)}", destinationAddress: "${(subnet as { cidr: string }).cidr}" };`,
        `for (let i = 0; i < ${MANY}; i += 1)
           new cloudinfra.FirewallRule("rule-" + i, { ...rule, destinationPorts: [String(1000 + i)] });`,
        `for (let i = 0; i < ${FEW}; i += 1) new cloudinfra.FirewallRule("other-" + i, there);`,
      ),
    );
    succeeded(await many.up(["--parallel", "32"]));
  });

  it("a refresh asks for one list of each, and for nothing else", async () => {
    expect(await requestsOf()).toEqual({ "GET firewall_rules": 2 });
    expect(many.kept()).toHaveLength(MANY + FEW);
    await many.expectAgreement();
  });

  it("a refresh of one resource of them asks for that one", async () => {
    expect(await requestsOf(["--target", many.one("rule-50").urn])).toEqual({ "GET firewall_rules/:id": 1 });
  });

  it("three that somebody has deleted are asked for one by one, and only then dropped from the state", async () => {
    for (const name of ["rule-0", "rule-50", "rule-99"]) {
      await many.api.call("DELETE", `${many.api.rules}/${many.one(name).id}`);
    }
    expect(await requestsOf()).toEqual({ "GET firewall_rules": 2, "GET firewall_rules/:id": 3 });
    expect(many.kept()).toHaveLength(MANY + FEW - 3);
    await many.expectAgreement();
  });

  it("when the key may not list, each is asked for one by one", async () => {
    await many.api.fault({ method: "GET", path: "/firewall_rules$", status: 403, times: 100 });
    expect(await requestsOf()).toEqual({ "GET firewall_rules": 2, "GET firewall_rules/:id": MANY + FEW - 3 });
    await many.api.clearFaults();
    await many.expectAgreement();
  });
});
