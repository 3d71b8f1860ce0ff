import { overBudget } from "../../src/cost/budget";
import { breachJson, breachOf, jsonReport } from "../../src/cost/json-report";
import type { BreachJson } from "../../src/cost/json-shape";
import { decimal } from "../../src/cost/money";
import { firstSchema, outputSchema } from "../cli/cost-schema";
import { expectGolden } from "./golden";
import { everyKindOfRow, sampleReport } from "./sample-reports";

const several = [
  sampleReport([{ name: "link", operation: "same", before: "3", after: "3" }], { isPartial: true }),
  sampleReport([], { stack: "empty" }),
];

describe("a report as JSON", () => {
  it("when there is everything that a report can say, it looks as it is known to, and as its schema says", () => {
    const text = jsonReport([everyKindOfRow()]);

    expectGolden("everything.json", text);
    expect(outputSchema.safeParse(JSON.parse(text)).error).toBeUndefined();
  });

  it("when there are several stacks, the shape is the same", () => {
    const text = jsonReport(several);

    expectGolden("stacks.json", text);
    expect(outputSchema.safeParse(JSON.parse(text)).error).toBeUndefined();
  });

  it("when the first version is asked for, it is one object for one stack and a list for several, as its schema says", () => {
    const [one, two] = [[everyKindOfRow()], several].map(
      (reports) => JSON.parse(jsonReport(reports, { schemaVersion: "1" })) as object,
    );

    expect(one).toMatchObject({ version: "1", stack: "dev", delta: "-534.8695" });
    expect(two).toMatchObject([{ stack: "dev" }, { stack: "empty" }]);
    for (const shown of [one, two]) expect(firstSchema.safeParse(shown).error).toBeUndefined();
  });

  it("when a limit is exceeded, it is written and read back without loss", () => {
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
