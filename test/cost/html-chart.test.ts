import { barChart, type ChartRow } from "../../src/cost/html-chart";
import { decimal } from "../../src/cost/money";

const row = (label: string, before: string, after: string): ChartRow => ({
  label,
  before: decimal(before),
  after: decimal(after),
  beforeText: `$${before}`,
  afterText: `$${after}`,
});

/** The widths of the bars, by their side; a side without a bar is absent. */
function barsOf(rows: readonly ChartRow[]): string[] {
  const { text: chart } = barChart("c", "Cost", rows);
  const [, body = ""] = chart.split("</desc>");
  return Array.from(
    body.matchAll(/<rect class="(\w+)"[^>]* width="([^"]*)"/g),
    ([, side, width]) => `${side} ${width}`,
  );
}

it("when every amount is zero, there is no bar, and no width is a division by zero", () => {
  const rows = [row("a", "0", "0"), row("b", "0", "0")];
  expect(barsOf(rows)).toEqual([]);
  expect(barChart("c", "Cost", rows).text).not.toMatch(/NaN|Infinity/);
});

it("when one side is nothing, only the other has a bar, which is as wide as the chart lets it", () => {
  expect(barsOf([row("a", "0", "10")])).toEqual(["after 80.00%"]);
});

it("bars are as wide as their amounts, and less than nothing has none", () => {
  expect(barsOf([row("a", "10", "40"), row("b", "20", "-5")])).toEqual([
    "before 20.00%",
    "after 80.00%",
    "before 40.00%",
  ]);
});

it("when amounts are long, bars leave room for them, but are never narrower than a fifth", () => {
  expect(barsOf([{ ...row("a", "0", "1"), afterText: "x".repeat(20) }])).toEqual(["after 44.00%"]);
  expect(barsOf([{ ...row("a", "0", "1"), afterText: "x".repeat(40) }])).toEqual(["after 20.00%"]);
});
