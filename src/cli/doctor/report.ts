import { styleText } from "node:util";
import type { z } from "zod";
import { isPlain, type CliIo } from "../io";
import { columnsTable } from "../../text/terminal-table";
import { printable } from "../../text/terminal-text";
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

/** If the longest word has no room beside the subjects, it stands behind its subject. */
function tableOf(rows: readonly (readonly string[])[], width: number | undefined): string {
  const narrower = rows.map(([mark = "", subject = "", finding = ""]) => [mark, `${subject}: ${finding}`]);
  return columnsTable(rows, { width, narrower });
}

function plainMark(verdict: Verdict): string {
  return { ok: "ok", no: "no", unknown: "--" }[verdict];
}

function colouredMark(verdict: Verdict): string {
  const [colour, symbol] = ({ ok: ["green", "✔"], no: ["red", "✘"], unknown: ["yellow", "-"] } as const)[verdict];
  return styleText(colour, symbol, { validateStream: false });
}
