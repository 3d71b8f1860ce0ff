import { machineInWords } from "../machine.mjs";
import { time } from "../tables.mjs";
import { drawBars } from "./chart-bars.mjs";
import { drawGrowth } from "./chart-growth.mjs";
import { FONT, INK, MUTED, PAPER, SERIES, element, text } from "./chart-marks.mjs";

const [WIDTH, MARGIN, GAP, COLUMNS] = [960, 24, 24, 3];
const PANEL_WIDTH = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS;
const [HEADING_HEIGHT, SECTION_HEIGHT, BARS_HEIGHT, GROWTH_HEIGHT] = [84, 40, 112, 190];

/**
 * A comparison as an SVG on a ground of its own: the time of each phase at the size nearest to 100 resources, and, where there
 * are several sizes, how the time a resource goes with their number. `<desc>` has the figures as text.
 */
export function drawChart(result) {
  const { sizes, machine, settings } = result;
  const shown = sizes.reduce((a, b) => (Math.abs(b.resources - 100) < Math.abs(a.resources - 100) ? b : a));
  const parts = heading();
  let top = HEADING_HEIGHT;
  parts.push(sectionTitle(`Time of a run with ${shown.resources} firewall rules (each panel has its own scale)`, top));
  top += SECTION_HEIGHT;
  top = panels(parts, Object.entries(shown.phases), top, BARS_HEIGHT, ([phase, programs]) =>
    drawBars(phase, programs, PANEL_WIDTH),
  );
  if (sizes.length > 1) {
    parts.push(sectionTitle("Time a resource, by how many there are (both scales are logarithmic)", top));
    top += SECTION_HEIGHT;
    top = panels(parts, Object.keys(shown.phases), top, GROWTH_HEIGHT, (phase) =>
      drawGrowth(phase, sizes, PANEL_WIDTH, GROWTH_HEIGHT - GAP),
    );
  }
  const foot = `${machineInWords(machine)}. Operations of ${settings.operationTime}, latency ${settings.latency}, ${settings.parallel} at a time.`;
  parts.push(text(foot, { x: MARGIN, y: top + 4, fill: MUTED, "font-size": 11 }));
  return svg(WIDTH, top + MARGIN, descriptionOf(shown), parts);
}

function heading() {
  const legend = Object.entries(SERIES).map(([, { name, colour }], i) => {
    const x = MARGIN + i * 210;
    return (
      element("rect", { x, y: 54, width: 12, height: 12, fill: colour }) +
      text(name, { x: x + 18, y: 64, fill: INK, "font-size": 13 })
    );
  });
  const title = "This package, the engine's floor, and a plain dynamic provider";
  return [text(title, { x: MARGIN, y: 36, fill: INK, "font-size": 18, "font-weight": "bold" }), ...legend];
}

function sectionTitle(words, top) {
  return text(words, { x: MARGIN, y: top + 20, fill: INK, "font-size": 14, "font-weight": "bold" });
}

/** Puts a panel for each item into `parts`, in rows; gives where the last row ends. */
function panels(parts, items, top, height, draw) {
  items.forEach((item, i) => {
    const x = MARGIN + (i % COLUMNS) * (PANEL_WIDTH + GAP);
    const y = top + Math.floor(i / COLUMNS) * height;
    parts.push(element("g", { transform: `translate(${x} ${y})` }, draw(item)));
  });
  return top + Math.ceil(items.length / COLUMNS) * height;
}

function descriptionOf({ resources, phases }) {
  const sentences = Object.entries(phases).map(([phase, programs]) => {
    const times = Object.entries(programs).map(([program, { wallMs }]) => `${SERIES[program].name} ${time(wallMs)}`);
    return `${phase}: ${times.join(", ")}.`;
  });
  return `With ${resources} firewall rules. ${sentences.join(" ")}`;
}

function svg(width, height, description, parts) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc" font-family="${FONT}">`,
    element("title", { id: "title" }, "Times of the engine's runs, compared"),
    element("desc", { id: "desc" }, description),
    element("rect", { width: "100%", height: "100%", rx: 8, fill: PAPER }),
    ...parts,
    `</svg>`,
    ``,
  ].join("\n");
}
