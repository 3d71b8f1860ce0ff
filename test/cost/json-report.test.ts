import { jsonReport } from "../../src/cost/json-report";
import { documentOf } from "../cli/cost-schema";
import { everyKindOfRow, sampleReport } from "./sample-reports";

// test/cli/cost has each value of a resource, and test/cost/exactness all amounts.
it("JSON has everything of each stack, and the total", () => {
  const stdout = jsonReport([everyKindOfRow(), sampleReport([], { stack: "empty" })]);
  const amounts = { before: "2425.879", after: "1891.0095", delta: "-534.8695" };
  const sums = { ...amounts, percent: "-22%", atLeast: true, unknown: 2 };
  const organization = { before: "1875.40", after: "1340.5305" };
  const late = "not included (registered too late, or failed): late-link";
  const notes = [late, expect.stringMatching(/^warning: .* odd-link: the quote/)];
  const document = documentOf({ stdout });
  const empty = { stack: "empty", percent: null, resources: [], notes: [] };
  const stacks = [{ ...sums, organization, notes }, empty];
  expect(document).toMatchObject({ stacks, total: sums, overBudget: [] });
  const unoffered = document.stacks[0]?.resources.find(({ name }) => name === "old-style");
  expect(unoffered).toMatchObject({ status: "notOffered", after: null, delta: null });
});
