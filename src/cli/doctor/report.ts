import { styleText } from "node:util";
import Table from "cli-table3";
import type { z } from "zod";
import type { CliIo } from "../io";
import { COLUMN_GAP, columnsOnly, printable, tableText } from "../../terminal-text";
import { isPlain } from "../terminal";
import type { doctorDocument } from "./json-shape";

/** `"unknown"`: not asked, or no clear answer. */
export type Verdict = "ok" | "no" | "unknown";

/** One line of the report. */
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

/** The report as text. */
export function renderReport({ lines, advice }: Report, io: CliIo): string {
  const plain = isPlain(io);
  const mark = plain ? plainMark : colouredMark;
  const table = new Table({ ...columnsOnly, ...wrapped(lines, plain ? undefined : io.stdout.columns) });
  for (const { verdict, subject, finding } of lines) table.push([mark(verdict), subject, printable(finding)]);
  const sentences = new Set(advice.map((entry) => entry.split("\n").map(printable).join("\n")));
  return [tableText(table), ...sentences].join("\n\n") + "\n";
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

const NARROWEST_FINDING = 20;

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
