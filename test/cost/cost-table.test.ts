import type { Cost } from "../../src/cost/cost";
import { overBudget } from "../../src/cost/budget";
import { decimal } from "../../src/cost/money";
import type { RenderOptions } from "../../src/cost/renderer";
import { costTable, stacksTable } from "../../src/cost/cost-table";
import type { CostReport } from "../../src/cost/report";
import { expectGolden } from "./golden";
import { expectToFit, WIDTHS } from "../support/narrow-text";
import { everyKindOfRow, quote, sampleReport, type Sample } from "./sample-reports";

const table = (reports: readonly CostReport[], options = {}): string =>
  stacksTable(reports, { details: false, ...options });
const unchanged = sampleReport([{ name: "link", operation: "same", before: "3", after: "3" }]);
const empty = sampleReport([], { stack: "empty" });

/** A thousand new connections, each a little more expensive than the previous one. */
const thousand = sampleReport(
  Array.from({ length: 1_000 }, (_, index) => ({ name: `link-${index}`, after: `${index}.005` })),
);

describe("a report as a table", () => {
  const partial = { ...unchanged, isPartial: true, remarks: ["from elsewhere"] };
  it.each<[string, readonly CostReport[], RenderOptions?]>([
    ["everything.txt", [everyKindOfRow()], { details: true }],
    ["nothing.txt", [unchanged]],
    ["stacks.txt", [everyKindOfRow(), partial, empty]],
    ["thousand.txt", [thousand]],
  ])("the table matches the golden file %s", (file, reports, options = {}) => {
    expectGolden(file, table(reports, options));
  });

  it("shows all rows of a thousand with details", () => {
    const all = table([thousand], { limit: Infinity });
    expect(all.match(/^\+ +ConnectConnection link-\d+ /gm)).toHaveLength(1_000);
    expect(all).not.toMatch(/ more /);
    expect(table([thousand], { details: true }).match(/the quote names none/g)).toHaveLength(20);
    expect(table([thousand], { details: true, limit: Infinity }).match(/the quote names none/g)).toHaveLength(1_000);
  });

  it("removes control characters from names", () => {
    const hostile = sampleReport([{ name: "a\u001b[2Jb\nc", after: "1" }]);
    expect(table([hostile], { details: true })).not.toMatch(/[^\P{Cc}\n]/u);
  });
});

const text = (samples: readonly Sample[], options: RenderOptions = {}): string =>
  costTable(sampleReport(samples), options);

describe("the headline", () => {
  const same = { name: "a", operation: "same", before: "3", after: "3" } as const;
  const unpriced = { name: "b", unknown: "why" };
  const replaced = { ...unpriced, operation: "replace", before: "78.125" } as const;
  const LOST = "-$10.00/mo, -76.9% and 1 unknown (at least $13.00/mo → at least $3.00/mo)";

  it.each<[string, readonly Sample[], string]>([
    ["nothing changes", [same], "$3.00/mo, unchanged"],
    ["a resource changes at the same price", [{ name: "a", before: "3", after: "3" }], "$3.00/mo as before"],
    ["one of unknown price is added", [same, unpriced], "+$0.00/mo and 1 unknown ($3.00/mo → at least $3.00/mo)"],
    ["one is replaced by one of unknown price", [replaced, { name: "b", before: "10" }, same], LOST],
    ["an unchanged one was never quoted", [{ ...same, ...unpriced }], "$0.00/mo and 1 unknown, unchanged"],
  ])("the headline says that %s", (_, samples, headline) => {
    expect(text(samples).split("\n")[0]).toBe(headline);
  });
});

describe("resources without a cost", () => {
  const rules = ["rule-1", "rule-10", "rule-2"].map((name) => ({ name, type: "FirewallRule", after: "0" }));
  const samples = [{ name: "link", after: "10" }, ...rules, { name: "key", before: "0", after: "0" }];

  it("counts resources without costs in one line", () => {
    expect(text(samples)).toContain("\n4 resources cost nothing: 3 new, 1 updated");
    expect(text(samples)).not.toContain("rule-");
  });

  it("lists all resources in the usual order without a limit", () => {
    const all = text(samples, { limit: Infinity });
    expect(all).not.toContain("cost nothing");
    expect(all.match(/rule-\d+/g)).toEqual(["rule-1", "rule-2", "rule-10"]);
  });

  it("unknown costs of one kind and reason share a line", () => {
    const unknown = ["a", "b", "c", "d"].map((name) => ({ name, unknown: "why" }));
    const lines = text([...unknown, { name: "e", unknown: "another" }]).split("\n");
    expect(lines.filter((line) => line.startsWith("cost unknown"))).toEqual([
      "cost unknown: ConnectConnection a, b, c and 1 more: why",
      "cost unknown: ConnectConnection e: another",
    ]);
  });
});

describe("rows that are folded into one", () => {
  const many = (sample: Omit<Sample, "name">): Sample[] =>
    Array.from({ length: 22 }, (_, index) => ({ name: `link-${index}`, ...sample }));

  it.each<[string, Omit<Sample, "name">, RegExp]>([
    ["new", { after: "1" }, /and 2 more +- +\$2\.00/],
    ["deleted", { before: "1" }, /and 2 more +\$2\.00 +- /],
    ["dearer", { before: "1", after: "2" }, /and 2 more +\$2\.00 +\$4\.00/],
  ])("folds %s rows without an amount on the empty side", (_, sample, line) => {
    expect(text(many(sample))).toMatch(line);
  });
});

describe("a table on a terminal of 80 columns", () => {
  it("shortens long names in the middle", () => {
    const name = `a-${"very-".repeat(20)}long-link-17`;
    const lines = text([{ name, after: "1234567.891" }], { width: 80 }).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBe(80);
    expect(lines.at(-2)).toMatch(/^\+ +ConnectConnection.*….*long-link-17 +- +\$1,234,567\.89 +\+\$1,234,567\.89$/);
  });
});

it.each(WIDTHS)("the cost table breaks no word at %d columns", (width) => {
  const mbps = (number: number, amount: string): Cost =>
    quote(amount, ["Bandwidth of the connection", number, "1.5625", amount]);
  const unknown = "the API did not answer in time, and is not asked again in this run";
  const report = sampleReport([
    { name: "a", type: "Vm", before: mbps(200, "312.50"), after: mbps(500, "781.25") },
    { name: "b", type: "Vpc", operation: "same", unknown },
  ]);
  const breaches = overBudget(report, { monthlyTotal: decimal("100") });
  const shown = (options: RenderOptions): string =>
    table([{ ...report, overBudget: breaches }, unchanged], { details: true, overBudget: breaches, ...options });
  expectToFit(shown({ width }), shown({}), width);
});

describe("a report that exceeds a budget", () => {
  it("names the budget, the excess and the resources first", () => {
    const report = sampleReport(["30", "80"].map((after) => ({ name: `for-${after}`, after })));
    const budget = { monthlyIncrease: decimal("100"), perResource: decimal("79.995") };
    const shown = costTable({ ...report, overBudget: overBudget(report, budget, "CostSummary cost") });
    expect(shown.split("\n").slice(1, 3)).toEqual([
      "over budget: the increase would be +$110.00/mo, $10.00/mo over the budget of $100.00/mo: + ConnectConnection for-80 +$80.00/mo, + ConnectConnection for-30 +$30.00/mo (CostSummary cost)",
      "over budget: ConnectConnection for-80 would cost $80.00/mo, $0.01/mo over the budget of $79.995/mo for each resource (CostSummary cost)",
    ]);
  });
});
