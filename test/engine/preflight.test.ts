import { counts, failed, rowOf, saidOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

/** Outside of the VPC: no local check can know that. */
const OUTSIDE = { destinationAddress: "10.9.0.0/24" };

describe("when the API refuses a rule whose price another rule has asked for", () => {
  const rules = (bad: object = {}): string =>
    program(
      declare("FirewallRule", "good", { destinationPorts: ["80"] }),
      // It waits for the good one, which has the price then.
      declare("FirewallRule", "bad", bad, "{ dependsOn: good }"),
    );

  it("the preview fails on that rule, and a corrected one is what the next run makes", async () => {
    const session = await Session.start(rules(OUTSIDE));
    const preview = await session.api.during(() => session.stack.preview());
    expect(saidOf(failed(preview.result), "bad")).toContain("destinationAddress: must be the CIDR of the VPC");
    expect(preview.requests).toEqual(["POST firewall_rules/cost", "POST firewall_rules/cost"]);
    expect(await session.api.heldIds()).toEqual([]);

    session.stack.write(rules());
    succeeded(await session.stack.preview());
    const { result, requests } = await session.api.during(() => session.up());
    succeeded(result);
    expect(requests.filter((request) => request.endsWith("/cost"))).toEqual(["POST firewall_rules/cost"]); // the price
    await session.expectAgreement();
    const next = await session.api.during(() => session.stack.preview());
    expect(counts(succeeded(next.result))).toEqual(["3 unchanged"]);
    expect(next.requests).toEqual([]);
  });

  it("with preflight at warn the preview warns, and the update fails with the same words", async () => {
    const session = await Session.start(rules(OUTSIDE), { config: { "cloudinfra:preflight": "warn" } });
    const words = "destinationAddress: must be the CIDR of the VPC";
    expect(rowOf(succeeded(await session.stack.preview()), "bad")).toMatch(
      new RegExp(`warning: .*refuses it: ${words}`),
    );
    expect(saidOf(failed(await session.up()), "bad")).toContain("must be the CIDR of the VPC");
    expect(session.kept().map(({ urn }) => urn.split("::").at(-1))).toEqual(["good"]);
    await session.expectAgreement();
  });

  it("with preflight off the price is asked for once, and nothing is shown to the API", async () => {
    const session = await Session.start(rules(OUTSIDE), { config: { "cloudinfra:preflight": "off" } });
    const { result, requests } = await session.api.during(() => session.stack.preview());
    succeeded(result);
    expect(requests).toEqual(["POST firewall_rules/cost"]);
  });
});

it("when a replacement is previewed, its body is shown to the API once", async () => {
  const link = (bandwidthMbps: number): string =>
    program(
      declare("ConnectConnection", "link", { bandwidthMbps }),
      declare("ConnectConnection", "twin", { bandwidthMbps }),
    );
  const session = await Session.start(link(50));
  succeeded(await session.up());
  session.stack.write(link(200));
  const { result, requests } = await session.api.during(() => session.stack.preview());
  expect(counts(succeeded(result))).toEqual(["+-2 to replace", "1 unchanged"]);
  expect(requests.sort()).toEqual(["GET routes", "POST connections/cost", "POST connections/cost"]);
});
