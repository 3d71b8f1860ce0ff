import { styleText } from "node:util";
import Table from "cli-table3";
import type { z } from "zod";
import { isPlain, type CliIo } from "../io";
import { COLUMN_GAP, columnsOnly, printable, tableText } from "../../text/terminal-text";
import type { doctorDocument } from "./json-shape";

/** `"unknown"`: not asked, or no clear answer. */
export type Verdict = "ok" | "no" | "unknown";

export interface Line {
  readonly verdict: Verdict;
  readonly subject: string;
  readonly finding: string;
}

/** The findings, one line each, and then the advice in sentences. */
export interface Report {
  readonly lines: readonly Line[];
  readonly advice: readonly string[];
}

export function renderReport({ lines, advice }: Report, io: CliIo): string {
  const plain = isPlain(io);
  const mark = plain ? plainMark : colouredMark;
  const rows = lines.map(({ verdict, subject, finding }) => [mark(verdict), subject, printable(finding)]);
  const sentences = new Set(advice.map((entry) => entry.split("\n").map(printable).join("\n")));
  return [tableOf(rows, plain ? undefined : io.stdout.columns), ...sentences].join("\n\n") + "\n";
}

/** The report for machines: docs/doctor.schema.json. */
export function jsonReport({ lines, advice }: Report, isFine: boolean): string {
  const document: z.input<typeof doctorDocument> = {
    version: "1",
    fine: isFine,
    findings: [...lines],
    advice: [...new Set(advice)],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

const MARK_WIDTH = 1 + COLUMN_GAP;

/** The table wraps between words. If the longest word has no room beside the subjects, it stands behind its subject. */
function tableOf(rows: readonly (readonly string[])[], width: number | undefined): string {
  if (width === undefined) return filled(rows);
  const subjects = Math.max(...rows.map(([, subject = ""]) => subject.length)) + COLUMN_GAP;
  const words =
    Math.max(...rows.flatMap((cells) => cells.join(" ").split(" ")).map(({ length }) => length)) + COLUMN_GAP;
  const beside = width - MARK_WIDTH - subjects;
  if (beside >= words) return filled(rows, [MARK_WIDTH, subjects, beside]);
  const joined = rows.map(([mark = "", subject = "", finding = ""]) => [mark, `${subject}: ${finding}`]);
  return filled(joined, [MARK_WIDTH, Math.max(words, width - MARK_WIDTH)]);
}

function filled(rows: readonly (readonly string[])[], colWidths?: number[]): string {
  const table = new Table({ ...columnsOnly, ...(colWidths && { colWidths, wordWrap: true }) });
  table.push(...rows.map((cells) => [...cells]));
  return tableText(table);
}

function plainMark(verdict: Verdict): string {
  return { ok: "ok", no: "no", unknown: "--" }[verdict];
}

function colouredMark(verdict: Verdict): string {
  const [colour, symbol] = ({ ok: ["green", "✔"], no: ["red", "✘"], unknown: ["yellow", "-"] } as const)[verdict];
  return styleText(colour, symbol, { validateStream: false });
}
