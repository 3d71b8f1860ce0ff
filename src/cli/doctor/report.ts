import { styleText } from "node:util";
import Table from "cli-table3";
import type { CliIo } from "../io";

/** `"unknown"`: nobody asked, or nobody can tell. */
export type Verdict = "ok" | "no" | "unknown";

/** One line of the report. */
export interface Line {
  readonly verdict: Verdict;
  readonly subject: string;
  readonly finding: string;
}

/** What was found: a line each, and behind them what to do about it, in sentences. */
export interface Report {
  readonly lines: readonly Line[];
  readonly advice: readonly string[];
}

/** The report as text. Colours and symbols are for terminals, and for people who have not declined them. */
export function renderReport({ lines, advice }: Report, { stdout, environment }: CliIo): string {
  const isPlain = stdout.isTTY !== true || isSet(environment["NO_COLOR"]) || isSet(environment["CI"]);
  const mark = isPlain ? plainMark : colouredMark;
  const width = isPlain ? undefined : stdout.columns;
  const table = new Table({ ...layout, ...wrapped(lines, width) });
  for (const { verdict, subject, finding } of lines) table.push([mark(verdict), subject, printable(finding)]);
  const text = table.toString().replace(/ +$/gm, "");
  return [text, ...new Set(advice.map((entry) => entry.split("\n").map(printable).join("\n")))].join("\n\n") + "\n";
}

const COLUMN_GAP = 2;
const NARROWEST_FINDING = 20;

/** Columns without lines between them. */
const layout: Table.TableConstructorOptions = {
  chars: Object.fromEntries(
    ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"]
      .concat(["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"])
      .map((name) => [name, ""]),
  ),
  style: { "padding-left": 0, "padding-right": COLUMN_GAP, head: [], border: [] },
};

function wrapped(lines: readonly Line[], width: number | undefined): Table.TableConstructorOptions {
  if (width === undefined) return {};
  const [marks, subjects] = [1 + COLUMN_GAP, Math.max(...lines.map(({ subject }) => subject.length)) + COLUMN_GAP];
  const findings = Math.max(NARROWEST_FINDING, width - marks - subjects);
  return { colWidths: [marks, subjects, findings], wordWrap: true };
}

function plainMark(verdict: Verdict): string {
  return { ok: "ok", no: "no", unknown: "--" }[verdict];
}

function colouredMark(verdict: Verdict): string {
  const [colour, symbol] = ({ ok: ["green", "✔"], no: ["red", "✘"], unknown: ["yellow", "-"] } as const)[verdict];
  return styleText(colour, symbol, { validateStream: false });
}

/** Names come from the service: a terminal would obey the control characters in them. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
