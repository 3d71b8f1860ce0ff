import { overBudget } from "../../src/cost/budget";
import { breachJson, breachOf, jsonReport } from "../../src/cost/json-report";
import type { BreachJson } from "../../src/cost/json-shape";
import { decimal } from "../../src/cost/money";
import { outputSchema } from "../cli/cost-schema";
import { expectGolden } from "./golden";
import { everyKindOfRow, sampleReport } from "./sample-reports";

const several = [
  sampleReport([{ name: "link", operation: "same", before: "3", after: "3" }], { isPartial: true }),
  sampleReport([], { stack: "empty" }),
];

describe("a report as JSON", () => {
  it("matches its golden file and its schema", () => {
    const text = jsonReport([everyKindOfRow()]);

    expectGolden("everything.json", text);
    expect(outputSchema.safeParse(JSON.parse(text)).error).toBeUndefined();
  });

  it("when there are several stacks, the shape is the same", () => {
    const text = jsonReport(several);

    expectGolden("stacks.json", text);
    expect(outputSchema.safeParse(JSON.parse(text)).error).toBeUndefined();
  });

  it("reads an exceeded limit back without loss", () => {
    const limits = { monthlyTotal: decimal("1.005"), perResource: decimal("1"), onUnknown: "fail" } as const;
    const breaches = overBudget(everyKindOfRow(), limits).map((breach) => ({
      ...breach,
      source: "CostSummary cost",
      isAdvisory: true,
    }));

    expect(breaches.map(({ limit }) => limit)).toEqual(["monthlyTotal", "perResource", "onUnknown"]);
    expect(breaches.map((breach) => breachOf(JSON.parse(JSON.stringify(breachJson(breach))) as BreachJson))).toEqual(
      breaches,
    );
  });
});
