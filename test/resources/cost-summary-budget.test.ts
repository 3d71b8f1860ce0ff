import { UNKNOWN } from "../../src/engine/values";
import { budgetOf } from "../../src/resources/cost-summary-budget";

it.each([{ onUnknown: "allow" }, { onUnknown: "fail" }, { enforce: "mandatory" }, { enforce: "advisory" }])(
  "accepts the budget %p",
  (value) => {
    expect(budgetOf(value)).toEqual({ budget: value, findings: [] });
  },
);

it("amounts are exact decimals", () => {
  const { budget } = budgetOf({ monthlyTotal: "1000", monthlyIncrease: "0.10", perResource: "199.50" });
  const amounts = [budget?.monthlyTotal, budget?.monthlyIncrease, budget?.perResource];
  expect(amounts.map((amount) => amount?.toFixed(2))).toEqual(["1000.00", "0.10", "199.50"]);
});

it("sets no limit without a budget", () => {
  expect(budgetOf(undefined)).toEqual({ budget: undefined, findings: [] });
});

it("the row says that an unknown budget has no effect", () => {
  const { budget, findings } = budgetOf({ monthlyTotal: UNKNOWN });
  expect(budget).toBeUndefined();
  const reason = expect.stringContaining("before the update") as string;
  expect(findings).toEqual([{ severity: "warning", field: "budget", reason }]);
});

it.each([
  [{ onUnknown: "warn" }, "budget.onUnknown", 'must be one of allow, fail (is "warn")'],
  [{ enforce: "strict" }, "budget.enforce", 'must be one of mandatory, advisory (is "strict")'],
  [{ monthlyTotal: 1000 }, "budget.monthlyTotal", " (is the number 1000)"],
  [{ perResource: "-1" }, "budget.perResource", "must be an amount in dollars such as"],
  ["1000", "budget", "must be an object"],
])("refuses %p at %s", (value, field, reason) => {
  const finding = { severity: "failure", field, reason: expect.stringContaining(reason) as string };
  expect(budgetOf(value).findings).toMatchObject([finding]);
});

it("names all wrong values", () => {
  const { findings } = budgetOf({ monthlyTotal: 500, perResource: "a lot", enforce: "never" });
  const texts = findings.map(({ severity, field, reason }) => `${severity}: ${field}: ${reason}`);
  const AMOUNT = "must be an amount in dollars";
  expect(texts).toEqual([
    expect.stringContaining(`failure: budget.monthlyTotal: ${AMOUNT} as a string, such as "1000" or "199.50"`),
    expect.stringContaining(`failure: budget.perResource: ${AMOUNT} such as "1000" or "199.50"`),
    expect.stringContaining("failure: budget.enforce: must be one of mandatory, advisory"),
  ]);
});
