import type { ChartRow } from "../../src/cost/chart";
import { barChart } from "../../src/cost/html-chart";
import { decimal } from "../../src/cost/money";

const row = (label: string, before: string, after: string): ChartRow => ({
  label,
  before: decimal(before),
  after: decimal(after),
  beforeText: `$${before}`,
  afterText: `$${after}`,
});

/** The widths of the bars by their side. A side without a bar is absent. */
function barsOf(rows: readonly ChartRow[]): string[] {
  const { text: chart } = barChart("c", { title: "Cost", rows });
  const [, body = ""] = chart.split("</desc>");
  return Array.from(
    body.matchAll(/<rect class="(\w+)"[^>]* width="([^"]*)"/g),
    ([, side, width]) => `${side} ${width}`,
  );
}

it("draws no bar if every amount is zero", () => {
  const rows = [row("a", "0", "0"), row("b", "0", "0")];
  expect(barsOf(rows)).toEqual([]);
  expect(barChart("c", { title: "Cost", rows }).text).not.toMatch(/NaN|Infinity/);
});

it("draws the only bar as wide as possible", () => {
  expect(barsOf([row("a", "0", "10")])).toEqual(["after 80.00%"]);
});

it("bars are as wide as their amounts", () => {
  expect(barsOf([row("a", "10", "40"), row("b", "20", "-5")])).toEqual([
    "before 20.00%",
    "after 80.00%",
    "before 40.00%",
  ]);
});

it("bars leave room for long amounts", () => {
  expect(barsOf([{ ...row("a", "0", "1"), afterText: "x".repeat(20) }])).toEqual(["after 44.00%"]);
  expect(barsOf([{ ...row("a", "0", "1"), afterText: "x".repeat(40) }])).toEqual(["after 20.00%"]);
});
