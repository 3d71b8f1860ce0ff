import { type ChartRow, barChart } from "../../src/cost/html-chart";
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
  expect(chart).not.toMatch(/NaN|Infinity/);
  const [, body = ""] = chart.split("</desc>");
  return Array.from(
    body.matchAll(/<rect class="(\w+)"[^>]* width="([^"]*)"/g),
    ([, side, width]) => `${side} ${width}`,
  );
}

const dearer = row("a", "10", "40");

it.each<[string, readonly ChartRow[], readonly string[]]>([
  ["none if every amount is zero", [row("a", "0", "0"), row("b", "0", "0")], []],
  ["the only one as wide as possible", [row("a", "0", "10")], ["after 80.00%"]],
  ["each as wide as its amount", [dearer, row("b", "20", "-5")], ["before 20.00%", "after 80.00%", "before 40.00%"]],
  ["with room for a long amount", [{ ...row("a", "0", "1"), afterText: "x".repeat(20) }], ["after 44.00%"]],
  ["with room for a longer amount", [{ ...row("a", "0", "1"), afterText: "x".repeat(40) }], ["after 20.00%"]],
])("draws bars: %s", (_case, rows, bars) => {
  expect(barsOf(rows)).toEqual(bars);
});
