import { jsonReport } from "../../src/cost/json-report";
import { outputSchema } from "../cli/cost-schema";
import { expectGolden } from "./golden";
import { everyKindOfRow, sampleReport } from "./sample-reports";

describe("a report as JSON", () => {
  it("when there is everything that a report can say, it looks as it is known to, and as its schema says", () => {
    const text = jsonReport([everyKindOfRow()]);

    expectGolden("everything.json", text);
    expect(outputSchema.safeParse(JSON.parse(text)).error).toBeUndefined();
  });

  it("when there are several stacks, it looks as it is known to, and as its schema says", () => {
    const text = jsonReport([
      sampleReport([{ name: "link", operation: "same", before: "3", after: "3" }], { isPartial: true }),
      sampleReport([], { stack: "empty" }),
    ]);

    expectGolden("stacks.json", text);
    expect(outputSchema.safeParse(JSON.parse(text)).error).toBeUndefined();
  });
});
