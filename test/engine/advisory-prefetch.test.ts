import { Stage } from "./fronts/stage";
import { counts, succeeded } from "./support/output";
import { basicsOf, FRONTS, programOf, type Front } from "./support/programs";

const COUNT = 20;
const QUOTE = { method: "POST", path: /firewall_rules\/cost$/ };

/** Rules with these ports, each of which the API checks. The VPC's id comes from an output. */
const rules = (front: Front, ports: readonly number[]): string =>
  programOf(
    front,
    `const { vpcId, ...rule } = ${JSON.stringify(basicsOf("FirewallRule"))};
     for (const port of ${JSON.stringify(ports)})
       new cloudinfra.FirewallRule("rule-" + port, { ...rule, vpcId: pulumi.output(vpcId), destinationPorts: [String(port)] });`,
  );

const ports = Array.from({ length: COUNT }, (_, i) => 1000 + i);

describe.each(FRONTS)("new resources of %s", (front) => {
  it("quotes each new resource once, several at a time", async () => {
    const stage = await Stage.open(front, { simulator: { latency: "100ms" } });
    const { session, proxy } = stage;
    session.stack.write(rules(front, ports));
    let [underWay, most] = [0, 0];
    proxy.on(QUOTE, async (request, forward) => {
      underWay += 1;
      most = Math.max(most, underWay);
      const answer = await forward(request);
      underWay -= 1;
      return answer;
    });
    succeeded(await session.stack.preview());
    expect(proxy.count(QUOTE)).toBe(COUNT);
    expect(most).toBeGreaterThan(4);

    expect(counts(succeeded(await session.up()))).toContain(`+ ${COUNT + 1} created`);
    const before = proxy.requests.length;
    succeeded(await session.stack.preview());
    expect(proxy.requests.slice(before)).toEqual([]); // nothing is new

    session.stack.write(rules(front, [...ports.slice(0, 10), 7000, ...ports.slice(10)]));
    const earlier = proxy.count(QUOTE);
    succeeded(await session.stack.preview());
    expect(proxy.count(QUOTE) - earlier).toBe(1);
  });

  it("shows what a slow preview waits for", async () => {
    const { session } = await Stage.open(front, { simulator: { latency: "1200ms" } });
    session.stack.write(rules(front, ports.slice(0, 2)));
    expect(succeeded(await session.stack.preview())).toMatch(
      /Stack test-dev create waiting for the API's answers: \w+/,
    );
  });
});
