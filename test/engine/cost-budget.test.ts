import { failed, saidOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

const links = [
  declare("ConnectConnection", "small", { bandwidthMbps: 50 }),
  declare("ConnectConnection", "large", { bandwidthMbps: 500 }),
];
const budgeted = (budget: object, ...more: string[]): string =>
  program(...links, ...more, `new cloudinfra.CostSummary("cost", { budget: ${JSON.stringify(budget)} });`);

describe("when a program is over its budget", () => {
  it.each([
    [
      { monthlyTotal: "500" },
      "the total would be $859.38/mo, $359.38/mo over the budget of $500.00/mo: + ConnectConnection large $781.25/mo, + ConnectConnection small $78.13/mo",
    ],
    [
      { monthlyIncrease: "859.374" },
      "the increase would be +$859.38/mo, <$0.01/mo over the budget of $859.374/mo: + ConnectConnection large +$781.25/mo, + ConnectConnection small +$78.13/mo",
    ],
    [
      { perResource: "781.24" },
      "ConnectConnection large would cost $781.25/mo, $0.01/mo over the budget of $781.24/mo for each resource",
    ],
  ])(
    "by %j, preview fails with the figures and the largest contributors, and nothing is touched",
    async (budget, text) => {
      const session = await Session.start(budgeted(budget));
      const up = await session.api.during(() => session.stack.up());
      expect(saidOf(failed(up.result), "cost")).toContain(`has a problem: budget: ${text}`);
      expect(saidOf(up.result.output, "cost")).toContain("cost per month");
      expect(up.requests.filter((request) => !request.endsWith("/cost"))).toEqual(["GET routes"]);
      expect(await session.api.heldIds()).toEqual([]);
    },
  );

  it("an update without a preview warns, as there is nothing left to prevent; so does an advisory budget in preview", async () => {
    const session = await Session.start(budgeted({ monthlyTotal: "500" }));
    const warning = "warning: budget: the total would be $859.38/mo, $359.38/mo over the budget of $500.00/mo";
    expect(saidOf(succeeded(await session.up()), "cost")).toContain(warning);
    expect((await session.api.held()).connections).toHaveLength(2);
    session.stack.write(budgeted({ monthlyTotal: "500", enforce: "advisory" }));
    expect(saidOf(succeeded(await session.stack.preview()), "cost")).toContain(warning);
  });
});

describe("when a program keeps to its budget", () => {
  it("to the cent, nothing is said of it, and an unchanged stack is held to it too", async () => {
    const session = await Session.start(
      budgeted({ monthlyTotal: "859.375", monthlyIncrease: "859.375", perResource: "781.25" }),
    );
    expect(saidOf(succeeded(await session.stack.up()), "cost")).not.toContain("budget");
    expect((await session.api.held()).connections).toHaveLength(2);
    // Nothing increases any more: only the total can be too much.
    session.stack.write(budgeted({ monthlyTotal: "859.374", monthlyIncrease: "0" }));
    expect(saidOf(failed(await session.stack.preview()), "cost")).toContain(
      "budget: the total would be $859.38/mo, <$0.01/mo over the budget of $859.374/mo",
    );
  });
});

describe("when a cost is not known", () => {
  const unknown = declare("ConnectConnection", "unknown", { bandwidthMbps: "=small.id.apply(() => 50)" });

  it("the budget allows it with a warning, unless it says otherwise", async () => {
    const session = await Session.start(budgeted({ monthlyTotal: "900" }, unknown));
    expect(saidOf(succeeded(await session.stack.preview()), "cost")).toContain(
      "warning: budget: the cost of ConnectConnection unknown is unknown, so the budget does not count it",
    );
    session.stack.write(budgeted({ monthlyTotal: "900", onUnknown: "fail" }, unknown));
    expect(saidOf(failed(await session.stack.preview()), "cost")).toContain(
      "budget: the cost of ConnectConnection unknown is unknown",
    );
    expect(await session.api.heldIds()).toEqual([]);
  });
});
