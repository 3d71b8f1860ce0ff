import type { Decimal } from "decimal.js";
import type { DimensionCost } from "./resource-cost";
import { sum } from "./money";
import { printedAmounts, printedReport } from "./printed-report";
import { amountOf, isKnown, type CostReport } from "./report";

export interface Chart {
  readonly title: string;
  readonly rows: readonly ChartRow[];
}

export interface ChartRow {
  readonly label: string;
  readonly before: Decimal;
  readonly after: Decimal;
  readonly beforeText: string;
  readonly afterText: string;
}

/** The most bars of a chart that are still useful. */
const MOST_BARS = 20;

/** The resources whose cost changes, the largest difference first. */
export function resourceChart(report: CostReport): Chart {
  const { resources, isShortened } = printedReport(report, { limit: MOST_BARS });
  return {
    title: isShortened ? `The ${resources.length} largest changes` : "What changes",
    rows: resources.map(({ label, resource: { before, after }, amounts: [beforeText, afterText] }) => {
      return { label, before, after, beforeText, afterText };
    }),
  };
}

/** The dimensions of all resources with a known cost, the most expensive first. */
export function dimensionChart(report: CostReport): Chart {
  const all = report.resources.filter(isKnown).flatMap(({ dimensions }) => dimensions);
  const ofName = (name: string): readonly DimensionCost[] => all.filter(({ displayName }) => displayName === name);
  const rows = [...new Set(all.map(({ displayName }) => displayName))]
    .map((name) => chartRow(name, ofName(name)))
    .filter(({ before, after }) => !before.isZero() || !after.isZero())
    .sort((a, b) => largerOf(b).comparedTo(largerOf(a)));
  const title = rows.length > MOST_BARS ? `The ${MOST_BARS} largest dimensions of the stack` : "The stack by dimension";
  return { title, rows: rows.slice(0, MOST_BARS) };
}

function chartRow(label: string, dimensions: readonly DimensionCost[]): ChartRow {
  const sumOf = (side: "before" | "after"): Decimal => sum(dimensions.map((dimension) => amountOf(dimension[side])));
  const [before, after] = [sumOf("before"), sumOf("after")];
  const [beforeText, afterText] = printedAmounts(before, after);
  return {
    label,
    before,
    after,
    beforeText: dimensions.some((dimension) => dimension.before) ? beforeText : "-",
    afterText: dimensions.some((dimension) => dimension.after) ? afterText : "-",
  };
}

function largerOf({ before, after }: ChartRow): Decimal {
  return before.greaterThan(after) ? before : after;
}
