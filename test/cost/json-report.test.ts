import { jsonReport } from "../../src/cost/json-report";
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

  it("several stacks have the same shape", () => {
    const text = jsonReport(several);

    expectGolden("stacks.json", text);
    expect(outputSchema.safeParse(JSON.parse(text)).error).toBeUndefined();
  });
});
