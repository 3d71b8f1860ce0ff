import { counts, succeeded } from "./support/output";
import { basicsOf, program } from "./support/programs";
import { Session } from "./support/session";

const COUNT = 100;
const RULES = `const rule = ${JSON.stringify(basicsOf("FirewallRule"))};
  for (let i = 0; i < ${COUNT}; i += 1)
    new cloudinfra.FirewallRule("rule-" + i, { ...rule, destinationPorts: [String(1000 + i)] });`;
const GONE = ["rule-0", "rule-50", "rule-99"];

let session: Session;

/** How many requests of each kind an action has caused. */
async function requestsOf(action: () => ReturnType<Session["up"]>): Promise<Readonly<Record<string, number>>> {
  const { result, requests } = await session.api.during(action);
  succeeded(result);
  const numbers: Record<string, number> = {};
  for (const request of requests) {
    const kind = request.startsWith("GET operations") ? "polls" : request;
    numbers[kind] = (numbers[kind] ?? 0) + 1;
  }
  return numbers;
}

beforeAll(async () => {
  session = await Session.start(program(RULES), { simulator: { operationTime: "200ms", latency: "20ms" } });
});
afterAll(() => Session.closeAll());

describe(`when a program has ${COUNT} rules in a VPC`, () => {
  it("up creates each, reads those of one moment together, and asks few times for all that are under way", async () => {
    const numbers = await requestsOf(() => session.up());
    const { polls = 0, "GET firewall_rules": lists = 0, "GET firewall_rules/:id": alone = 0, ...others } = numbers;
    expect(others).toEqual({ "POST firewall_rules/cost": 1, "POST firewall_rules": COUNT });
    expect(lists).toBeGreaterThan(0);
    expect(lists + alone).toBeLessThan(COUNT);
    expect(polls + lists + alone + COUNT).toBeLessThan(250);
    await session.expectAgreement();
  });

  it("a preview without a change asks for nothing", async () => {
    expect(await requestsOf(() => session.stack.preview())).toEqual({});
  });

  it("a refresh asks for one list, and for nothing else", async () => {
    expect(await requestsOf(() => session.refresh())).toEqual({ "GET firewall_rules": 1 });
    expect(session.kept()).toHaveLength(COUNT);
    await session.expectAgreement();
  });

  it("a refresh of one resource among them asks for that one", async () => {
    const target = ["--target", session.one("rule-50").urn];
    expect(await requestsOf(() => session.refresh(target))).toEqual({ "GET firewall_rules/:id": 1 });
  });

  it("three that somebody has deleted are asked for one by one, and only then dropped from the state", async () => {
    for (const name of GONE) await session.api.call("DELETE", `${session.api.rules}/${session.one(name).id}`);
    await session.api.advance("1m");
    expect(await requestsOf(() => session.refresh())).toEqual({
      "GET firewall_rules": 1,
      "GET firewall_rules/:id": GONE.length,
    });
    expect(session.kept()).toHaveLength(COUNT - GONE.length);
    await session.expectAgreement();
  });

  it("when the key may not list, each is asked for one by one", async () => {
    await session.api.fault({ method: "GET", path: "/firewall_rules$", status: 403, times: 100 });
    expect(await requestsOf(() => session.refresh())).toEqual({
      "GET firewall_rules": 1,
      "GET firewall_rules/:id": COUNT - GONE.length,
    });
    await session.api.clearFaults();
    await session.expectAgreement();
  });

  it("beside a few in another VPC, a refresh asks for the list of each", async () => {
    const { projectId, region } = session.api.simulator;
    const vpcs = "/v1/networking/vpcs";
    const body = { name: "second", project_id: projectId, region, subnet_name: "second" };
    const { resource_id: second } = await session.api.call("POST", vpcs, body);
    session.api.others.add(String(second));
    const { subnet } = await session.api.call("GET", `${vpcs}/${String(second)}`);
    const there = { vpcId: second, destinationAddress: (subnet as { readonly cidr: string }).cidr };
    session.stack.write(
      program(
        RULES,
        `for (let i = 0; i < 5; i += 1) new cloudinfra.FirewallRule("other-" + i, { ...rule, ...${JSON.stringify(there)} });`,
      ),
    );
    expect(counts(succeeded(await session.up()))).toContain(`+ ${5 + GONE.length} created`);
    const { "GET firewall_rules": lists, "GET firewall_rules/:id": alone = 0 } = await requestsOf(() =>
      session.refresh(),
    );
    expect(lists).toBe(2);
    // Where the first of the five comes before the others, nobody knows yet that there are more.
    expect(alone).toBeLessThanOrEqual(1);
    await session.expectAgreement();
  });

  it("destroy deletes each, and asks few times for all that are under way: at most 1.5 calls for each", async () => {
    const deleted = session.kept().length;
    const { polls = 0, ...others } = await requestsOf(() => session.destroy());
    expect(others).toEqual({ "DELETE firewall_rules/:id": deleted });
    expect(polls + deleted).toBeLessThanOrEqual(1.5 * deleted);
    expect(await session.api.heldIds()).toEqual([]);
  });
});
