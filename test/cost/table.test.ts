import { stacksTable } from "../../src/cost/stacks-table";
import type { CostReport } from "../../src/cost/report";
import { expectGolden } from "./golden";
import { everyKindOfRow, sampleReport } from "./sample-reports";

const table = (reports: readonly CostReport[], options = {}): string =>
  stacksTable(reports, { details: false, ...options });
const unchanged = sampleReport([{ name: "link", operation: "same", before: "3", after: "3" }]);
const empty = sampleReport([], { stack: "empty" });

/** A thousand new connections, each a little dearer than the one before. */
const thousand = sampleReport(
  Array.from({ length: 1_000 }, (_, index) => ({ name: `link-${index}`, after: `${index}.005` })),
);

describe("a report as a table", () => {
  it("when there is everything that a report can say, it looks as it is known to", () => {
    expectGolden("everything.txt", table([everyKindOfRow()], { details: true }));
  });

  it("when nothing changes, it looks as it is known to", () => {
    expectGolden("nothing.txt", table([unchanged]));
  });

  it("when there are several stacks, it looks as it is known to", () => {
    expectGolden(
      "stacks.txt",
      table([everyKindOfRow(), { ...unchanged, isPartial: true, remarks: ["from elsewhere"] }, empty]),
    );
  });

  it("when there is nothing in the stack, it says so", () => {
    expect(table([empty])).toBe("No resource with a cost.\n");
  });

  it("when there are a thousand changes, it looks as it is known to: the 20 largest, and the rest in one row", () => {
    expectGolden("thousand.txt", table([thousand]));
  });

  it("when all are asked for, each of the thousand has a row, and so have its dimensions", () => {
    const all = table([thousand], { limit: Infinity });

    expect(all.match(/^\+ +ConnectConnection link-\d+ /gm)).toHaveLength(1_000);
    expect(all).not.toMatch(/ more /);
    expect(table([thousand], { details: true }).match(/the quote names none/g)).toHaveLength(20);
    expect(table([thousand], { details: true, limit: Infinity }).match(/the quote names none/g)).toHaveLength(1_000);
  });

  it("when names would move the cursor, they do not", () => {
    const hostile = sampleReport([{ name: "a\u001b[2Jb\nc", after: "1" }]);

    expect(table([hostile], { details: true })).not.toMatch(/[^\P{Cc}\n]/u);
  });
});
