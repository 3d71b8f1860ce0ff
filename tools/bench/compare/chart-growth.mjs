import { INK, MUTED, RULE, SERIES, element, text } from "./chart-marks.mjs";

const [LEFT, RIGHT, TOP, BOTTOM] = [52, 14, 28, 22];

/** The panel of a phase: the time a resource of each program, over the number of resources. */
export function drawGrowth(phase, sizes, width, height) {
  const programs = Object.keys(sizes[0].phases[phase]);
  const timeOf = (size, program) => size.phases[phase][program].wallMs / size.resources;
  const sizesOf = (program) => sizes.filter(({ phases }) => program in phases[phase]);
  const times = programs.flatMap((program) => sizesOf(program).map((size) => timeOf(size, program)));
  const x = scale(
    sizes.map(({ resources }) => resources),
    LEFT,
    width - RIGHT,
  );
  const y = scale(powersOfTen(times), height - BOTTOM, TOP);
  const frame = [
    text(phase, { x: 0, y: 14, fill: INK, "font-size": 13 }),
    ...powersOfTen(times).map(
      (ms) =>
        element("line", { x1: LEFT, x2: width - RIGHT, y1: y(ms), y2: y(ms), stroke: RULE }) +
        text(ms < 1000 ? `${ms} ms` : `${ms / 1000} s`, {
          x: LEFT - 6,
          y: y(ms) + 4,
          fill: MUTED,
          "font-size": 11,
          "text-anchor": "end",
        }),
    ),
    ...sizes.map(({ resources }) =>
      text(resources.toLocaleString("en"), {
        x: x(resources),
        y: height - 4,
        fill: MUTED,
        "font-size": 11,
        "text-anchor": "middle",
      }),
    ),
  ];
  const lines = programs.map((program) => {
    const points = sizesOf(program).map((size) => [x(size.resources), y(timeOf(size, program))]);
    return line(points, SERIES[program]);
  });
  return [...frame, ...lines].join("");
}

function line(points, { colour, dashes, mark }) {
  const path = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  const stroke = { points: path, fill: "none", stroke: colour, "stroke-width": 2, "stroke-dasharray": dashes };
  return element("polyline", stroke) + points.map(([x, y]) => MARKS[mark](x, y, colour)).join("");
}

const MARKS = {
  circle: (cx, cy, fill) => element("circle", { cx, cy, r: 4, fill }),
  square: (x, y, fill) => element("rect", { x: x - 3.5, y: y - 3.5, width: 7, height: 7, fill }),
  diamond: (x, y, fill) =>
    element("rect", {
      x: x - 3.5,
      y: y - 3.5,
      width: 7,
      height: 7,
      fill,
      transform: `rotate(45 ${x.toFixed(1)} ${y.toFixed(1)})`,
    }),
};

/** Where a value stands between `start` and `end`, logarithmically. */
function scale(values, start, end) {
  const [least, most] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  return (value) => start + ((Math.log10(value) - least) / (most - least)) * (end - start);
}

/** The powers of ten from the one below the least value to the one above the largest. */
function powersOfTen(values) {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
}
