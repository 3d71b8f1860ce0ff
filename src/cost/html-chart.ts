import type { Decimal } from "decimal.js";
import { html, type Markup } from "./html-text";
import { clipped } from "../text/terminal-text";
import type { DimensionCost } from "./resource-cost";
import { sum } from "./money";
import { printedAmounts, printedReport } from "./printed-report";
import { amountOf, isKnown, type CostReport } from "./report";

const [LABEL_HEIGHT, BAR_HEIGHT, BAR_GAP, ROW_GAP] = [22, 14, 3, 14];
const ROW_HEIGHT = LABEL_HEIGHT + 2 * BAR_HEIGHT + BAR_GAP + ROW_GAP;
/** The longest label in characters, which fits on a phone. */
const MAX_LABEL_LENGTH = 38;
/** The width of a character of an amount, as a percentage of a phone's width. */
const CHARACTER_PERCENT = 2.8;
const NO_WIDTH = "0%";
const [WIDEST_PERCENT, NARROWEST_PERCENT] = [80, 20];

/**
 * A bar chart. In each row, the bar of the cost before is above the bar of the cost after. Widths are percentages, so
 * that letters keep their size on a phone. One bar is an outline and the other is filled, so they differ without
 * colour. Empty without rows.
 */
export function barChart(id: string, { title, rows }: Chart): Markup {
  if (rows.length === 0) return html``;
  const longest = Math.max(...rows.flatMap(({ beforeText, afterText }) => [beforeText.length, afterText.length]));
  const fullPercent = Math.max(NARROWEST_PERCENT, Math.min(WIDEST_PERCENT, 100 - longest * CHARACTER_PERCENT));
  const largest = rows.flatMap(({ before, after }) => [before, after]).reduce((a, b) => (a.greaterThan(b) ? a : b));
  // Zero and negative amounts have no bar.
  const widthOf = (amount: Decimal): string =>
    amount.greaterThan(0) ? `${amount.dividedBy(largest).times(fullPercent).toFixed(2)}%` : NO_WIDTH;
  const described = rows.map(({ label, beforeText, afterText }) => `${label}: ${beforeText} → ${afterText}.`).join(" ");
  return html`<figure>
    <figcaption><b>${title}</b>${legend}</figcaption>
    <svg
      class="chart"
      width="100%"
      height="${rows.length * ROW_HEIGHT}"
      role="img"
      aria-labelledby="${id}-title ${id}-desc"
    >
      <title id="${id}-title">${title}, before and after</title>
      <desc id="${id}-desc">${described}</desc>
      ${rows.map((row, index) => bars(row, index * ROW_HEIGHT, widthOf))}
    </svg>
  </figure>`;
}

const legend = html`<span class="legend"
  ><svg width="14" height="14" aria-hidden="true"><rect class="before" x="1" y="1" width="12" height="12" /></svg>
  before <svg width="14" height="14" aria-hidden="true"><rect class="after" width="14" height="14" /></svg> after</span
>`;

function bars(
  { label, before, after, beforeText, afterText }: ChartRow,
  top: number,
  widthOf: (amount: Decimal) => string,
): Markup {
  const beforeTop = top + LABEL_HEIGHT;
  const afterTop = beforeTop + BAR_HEIGHT + BAR_GAP;
  return html`<text x="0" y="${top + LABEL_HEIGHT - 7}">${clipped(label, MAX_LABEL_LENGTH)}</text>
    ${bar("before", widthOf(before), beforeTop, beforeText)} ${bar("after", widthOf(after), afterTop, afterText)}`;
}

function bar(side: "before" | "after", width: string, top: number, text: string): Markup {
  // Moved by half a pixel, for a sharp outline.
  const rect = html`<rect class="${side}" x="0.5" y="${top + 0.5}" width="${width}" height="${BAR_HEIGHT - 1}" />`;
  return html`${width === NO_WIDTH ? "" : rect}<text
      class="amount"
      x="${width}"
      dx="${width === NO_WIDTH ? 0 : 7}"
      y="${top + BAR_HEIGHT - 3}"
      >${text}</text
    >`;
}

interface Chart {
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
const MAX_BARS = 20;

/** The resources whose cost changes, the largest difference first. */
export function resourceChart(report: CostReport): Chart {
  const { resources, isShortened } = printedReport(report, { limit: MAX_BARS });
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
  const title = rows.length > MAX_BARS ? `The ${MAX_BARS} largest dimensions of the stack` : "The stack by dimension";
  return { title, rows: rows.slice(0, MAX_BARS) };
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
