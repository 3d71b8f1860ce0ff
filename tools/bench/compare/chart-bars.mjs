import { time } from "../tables.mjs";
import { INK, SERIES, element, text } from "./chart-marks.mjs";

const [TITLE_HEIGHT, BAR_HEIGHT, BAR_GAP] = [24, 18, 4];
/** What the longest value needs behind its bar. */
const VALUE_WIDTH = 64;

/** The panel of a phase: a bar for each program, with its time. */
export function drawBars(phase, programs, width) {
  const longest = Math.max(...Object.values(programs).map(({ wallMs }) => wallMs));
  const bars = Object.entries(programs).map(([program, { wallMs }], i) => {
    const y = TITLE_HEIGHT + i * (BAR_HEIGHT + BAR_GAP);
    const length = (wallMs / longest) * (width - VALUE_WIDTH);
    return (
      element("rect", { x: 0, y, width: length, height: BAR_HEIGHT, fill: SERIES[program].colour }) +
      text(time(wallMs), { x: length + 6, y: y + 14, fill: INK, "font-size": 12 })
    );
  });
  return text(phase, { x: 0, y: 16, fill: INK, "font-size": 13 }) + bars.join("");
}
