import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { markdownTable } from "markdown-table";
import { format } from "prettier";

const TABLES = { compare: engineTables, "landing-zone": engineTables, start: startTables };

/** The tables of a result of any bench. */
export function tablesOf(result) {
  return TABLES[result.bench](result);
}

/** Prints a result, and writes it to a file if one is given. */
export async function present(result, file) {
  console.log(asMarkdown(tablesOf(JSON.parse(jsonOf(result)))));
  if (file !== undefined) await writeResult(result, file);
}

/** Writes a result as JSON, formatted like the repository's files. */
export async function writeResult(result, file) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await format(jsonOf(result), { parser: "json", printWidth: 120 }));
}

/** Rounds to hundredths: further digits are noise. */
function jsonOf(result) {
  return JSON.stringify(result, (_key, value) => (typeof value === "number" ? Math.round(value * 100) / 100 : value));
}

// A table is `{ title, head, rows, note? }`. The first `texts` columns (default 1) are text. The others are numbers,
// aligned to the right.

/** Formats tables as Markdown. */
export function asMarkdown(tables) {
  const draw = ({ title, head, rows, texts = 1, note }) => {
    const align = head.map((_, column) => (column < texts ? "left" : "right"));
    const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
    return [`${title}:`, markdownTable(cells, { align }), ...(note ? [note] : [])].join("\n\n");
  };
  return tables.map(draw).join("\n\n");
}

/** Formats a time: `812 ms`, `3.21 s`, `145 s`. */
function time(ms) {
  if (Math.abs(ms) < 1000) return `${Math.abs(ms) < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(Math.abs(ms) < 100_000 ? 2 : 0)} s`;
}

/** Formats bytes in powers of 1000; "unknown" for null. */
function size(bytes) {
  if (bytes === null) return "unknown";
  if (bytes < 1e4) return `${Math.round(bytes)} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

/** Says how often something was measured: `medians of 5 runs in turn`, or one run. */
function howOften(times, runs = "runs") {
  return times === 1 ? "one run each" : `medians of ${times} ${runs} in turn`;
}

/** Formats a tally in words, such as `100 creates, 9 operation lists`. */
function inWords(calls) {
  const parts = Object.entries(calls).map(([kind, count]) => `${count} ${kind}${count === 1 ? "" : "s"}`);
  return parts.length === 0 ? "0" : parts.join(", ");
}

const NAMES = { package: "this package", floor: "the floor", plain: "the plain provider" };

// The columns of the tables of a phase, each with its cell. A program that was not measured has no column.

const TIMES = [
  ["package (a)", ({ package: ours }) => time(ours.wallMs)],
  ["floor (b)", ({ floor }) => time(floor.wallMs)],
  ["plain (c)", ({ plain }) => plain && time(plain.wallMs)],
  ["a − b", ({ package: ours, floor }) => time(ours.wallMs - floor.wallMs)],
  ["a / b", ({ package: ours, floor }) => (ours.wallMs / floor.wallMs).toFixed(2)],
  ["a / c", ({ package: ours, plain }) => plain && (ours.wallMs / plain.wallMs).toFixed(2)],
];

const CALLS = [
  ["calls, package", ({ package: ours }) => inWords(ours.calls)],
  ["calls, plain", ({ plain }) => plain && inWords(plain.calls)],
];

const MEMORY = [
  ["memory, package", ({ package: ours }) => size(ours.peakBytes)],
  ["memory, floor", ({ floor }) => size(floor.peakBytes)],
  ["memory, plain", ({ plain }) => plain && size(plain.peakBytes)],
];

/** The tables of a bench of the engine: for each size the times, then calls and memory. */
function engineTables({ sizes }) {
  return sizes.flatMap(({ title, runs, phases, ...about }) => {
    const columnsOf = (columns) => columns.filter(([, cellOf]) => cellOf(phases.up) !== undefined);
    const table = (columns) => ({
      head: ["phase", ...columns.map(([head]) => head)],
      rows: Object.entries(phases).map(([phase, programs]) => [
        phase,
        ...columns.map(([, cellOf]) => cellOf(programs)),
      ]),
    });
    const [times, calls, memory] = [TIMES, CALLS, MEMORY].map(columnsOf);
    return [
      { title: `${title}: times, ${howOften(runs)}`, ...table(times) },
      {
        title: `${title}: API calls, and the most memory that the plugin took`,
        texts: 1 + calls.length,
        ...table([...calls, ...memory]),
        note: noteOf(about),
      },
    ];
  });
}

function noteOf({ stateBytes, resources, created }) {
  if (stateBytes === undefined)
    return `The program declares ${resources} resources: ${created} of them are objects of the API.`;
  const states = Object.entries(stateBytes).map(
    ([program, { largest, mean }]) => `${NAMES[program]} ${size(largest)} at most, ${size(mean)} on average`,
  );
  return `A resource in the state, as compact JSON: ${states.join("; ")}.`;
}

const NOTE =
  "Only the first set-up checks types, and only if the program has changed, because Pulumi caches compiled code. For the others, " +
  "run `tsc --noEmit` in an editor or in CI. Without `typescript: false`, Pulumi also loads the compiler for compiled programs.";

/** The tables of `npm run bench -- start`. */
function startTables({ runs, imports, program: { alone, withPackage }, plugin, setUps }) {
  return [
    {
      title: `Importing the package in a program, ${howOften(imports, "processes")}`,
      head: ["a process that requires", "time", "CPU"],
      rows: [
        ["`@pulumi/pulumi`", time(alone.wallMs), time(alone.cpuMs)],
        ["and `pulumi-cloudinfra`", time(withPackage.wallMs), time(withPackage.cpuMs)],
        ["difference", time(withPackage.wallMs - alone.wallMs), time(withPackage.cpuMs - alone.cpuMs)],
      ],
    },
    {
      title: `Loading the package's modules in the engine's plugin, ${howOften(imports, "processes")}`,
      head: ["when", "time"],
      rows: [
        ["before the first check", time(plugin.beforeMs)],
        ["in the first check that asks for a quote: the HTTP client", time(plugin.duringMs)],
        ["in all", time(plugin.beforeMs + plugin.duringMs)],
      ],
    },
    {
      title: `\`pulumi preview\` of examples/quickstart by set-up of the project, ${howOften(runs)}`,
      head: ["set-up", "the program has changed", "it has not", "nor, with `NODE_COMPILE_CACHE`"],
      rows: setUps.map(({ name, changedMs, sameMs, cachedMs }) => [
        name,
        time(changedMs),
        time(sameMs),
        time(cachedMs),
      ]),
      note: NOTE,
    },
  ];
}
