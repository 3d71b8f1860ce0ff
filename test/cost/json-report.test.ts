import { jsonReport } from "../../src/cost/json-report";
import { documentOf } from "../cli/cost-schema";
import { everyKindOfRow, sampleReport } from "./sample-reports";

// test/cli/cost has each value of a resource, and test/cost/exactness all amounts.
it("JSON has everything of each stack, and the total", () => {
  const stdout = jsonReport([everyKindOfRow(), sampleReport([], { stack: "empty" })]);
  const sums = {
    before: "2425.879",
    after: "1891.0095",
    delta: "-534.8695",
    percent: "-22%",
    atLeast: true,
    unknown: 2,
  };
  expect(documentOf({ stdout })).toMatchObject({
    stacks: [
      {
        ...sums,
        resources: expect.arrayContaining([
          expect.objectContaining({ name: "old-style", status: "notOffered", after: null, delta: null }),
        ]) as unknown,
        organization: { before: "1875.40", after: "1340.5305" },
        notes: [
          "not included (registered too late, or failed): late-link",
          expect.stringMatching(/^warning: .* odd-link: the quote/),
        ],
      },
      { stack: "empty", percent: null, resources: [], notes: [] },
    ],
    total: sums,
    overBudget: [],
  });
});
