import { until } from "./support/interruption";
import { counts, succeeded } from "./support/output";
import { basicsOf, program } from "./support/programs";
import { Session } from "./support/session";
import { forSuite } from "../support/suite";

const COUNT = 100;
const RULES = `const rule = ${JSON.stringify(basicsOf("FirewallRule"))};
  for (let i = 0; i < ${COUNT}; i += 1)
    new cloudinfra.FirewallRule("rule-" + i, { ...rule, destinationPorts: [String(1000 + i)] });`;
const DELETED = ["rule-0", "rule-50", "rule-99"];

/** How long an operation takes; all together take no longer if they begin at the same time. */
const OPERATION = "1m";
const ALL_AT_ONCE = ["--parallel", "1000"];

const session = forSuite(() =>
  Session.start(program(RULES), { simulator: { operationTime: OPERATION, latency: "20ms" } }),
);

/**
 * Ends the operations of a run only after all have begun, so that shared requests do not depend on this machine's
 * speed.
 */
async function endTogether<T>(method: "POST" | "DELETE", count: number, run: () => Promise<T>): Promise<T> {
  const begun = async (): Promise<number> => (await session.api.answers())[`${method} 202`] ?? 0;
  const before = await begun();
  const running = run();
  await until(async () => (await begun()) === before + count);
  await session.api.advance(OPERATION);
  return running;
}

/** The number of requests of each kind that an action has caused. */
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

describe(`when a program has ${COUNT} rules in a VPC`, () => {
  it("creates each rule, and shares reads and polls", async () => {
    const numbers = await requestsOf(() => endTogether("POST", COUNT, () => session.up(ALL_AT_ONCE)));
    const { polls = 0, "GET firewall_rules": lists = 0, "GET firewall_rules/:id": alone = 0, ...others } = numbers;
    expect(others).toEqual({ "POST firewall_rules/cost": 1, "POST firewall_rules": COUNT });
    expect(lists).toBeGreaterThan(0);
    expect(lists + alone).toBeLessThan(COUNT);
    expect(polls + lists + alone + COUNT).toBeLessThan(250);
    await session.expectAgreement();
  });

  it("sends no request in an unchanged preview", async () => {
    expect(await requestsOf(() => session.stack.preview())).toEqual({});
  });

  it("refreshes by one list", async () => {
    expect(await requestsOf(() => session.refresh())).toEqual({ "GET firewall_rules": 1 });
    expect(session.kept()).toHaveLength(COUNT);
    await session.expectAgreement();
  });

  it("refreshes one target by its id", async () => {
    const target = ["--target", session.one("rule-50").urn];
    expect(await requestsOf(() => session.refresh(target))).toEqual({ "GET firewall_rules/:id": 1 });
  });

  it("asks by id for objects that the list lacks", async () => {
    for (const name of DELETED) await session.api.call("DELETE", `${session.api.rules}/${session.one(name).id}`);
    await session.api.advance(OPERATION);
    expect(await requestsOf(() => session.refresh())).toEqual({
      "GET firewall_rules": 1,
      "GET firewall_rules/:id": 2 * DELETED.length, // a 404 is asked again
    });
    expect(session.kept()).toHaveLength(COUNT - DELETED.length);
    await session.expectAgreement();
  });

  it("reads each object by id if listing is forbidden", async () => {
    await session.api.fault({ method: "GET", path: "/firewall_rules$", status: 403, times: 100 });
    expect(await requestsOf(() => session.refresh())).toEqual({
      "GET firewall_rules": 1,
      "GET firewall_rules/:id": COUNT - DELETED.length,
    });
    await session.api.clearFaults();
    await session.expectAgreement();
  });

  it("refreshes by one list for each VPC", async () => {
    const { projectId, region } = session.api.simulator;
    const vpcs = "/v1/networking/vpcs";
    const body = { name: "second", project_id: projectId, region, subnet_name: "second" };
    const { resource_id: second } = await session.api.call("POST", vpcs, body);
    session.api.others.add(String(second));
    await session.api.advance(OPERATION);
    const { subnet } = await session.api.call("GET", `${vpcs}/${String(second)}`);
    const there = { vpcId: second, destinationAddress: (subnet as { readonly cidr: string }).cidr };
    session.stack.write(
      program(
        RULES,
        `for (let i = 0; i < 5; i += 1) new cloudinfra.FirewallRule("other-" + i, { ...rule, ...${JSON.stringify(there)} });`,
      ),
    );
    const made = 5 + DELETED.length;
    const output = succeeded(await endTogether("POST", made, () => session.up(ALL_AT_ONCE)));
    expect(counts(output)).toContain(`+ ${made} created`);
    const { "GET firewall_rules": lists, "GET firewall_rules/:id": alone = 0 } = await requestsOf(() =>
      session.refresh(),
    );
    expect(lists).toBe(2);
    // If the first of the five comes before the others, the reader does not know yet that there are more.
    expect(alone).toBeLessThanOrEqual(1);
    await session.expectAgreement();
  });

  it("deletes each rule, and shares polls", async () => {
    const deleted = session.kept().length;
    const { polls = 0, ...others } = await requestsOf(() =>
      endTogether("DELETE", deleted, () => session.destroy(ALL_AT_ONCE)),
    );
    expect(others).toEqual({ "DELETE firewall_rules/:id": deleted, "GET firewall_rules/:id": deleted });
    // Fewer than two requests for each besides its 404, even on a slow machine.
    expect(polls + deleted).toBeLessThan(2 * deleted);
    expect(await session.api.heldIds()).toEqual([]);
  });
});
