import { z } from "zod";
import { isPlainOutput, painterOf, type CliIo } from "../io";
import { columnsTable } from "../../text/terminal-table";
import { jsonText } from "../../text/json";
import { printable } from "../../text/terminal-text";

/** `"no"`: a fault, or a result of one. `"unknown"`: not asked, no clear answer, or only a hint. */
type Verdict = "ok" | "no" | "unknown";

export interface DoctorLine {
  readonly verdict: Verdict;
  readonly subject: string;
  readonly finding: string;
  /** Sentences that are printed below all lines, each only once. */
  readonly advice: readonly string[];
  /** True if a program cannot work like this, or if the doctor could not do what the flags ask for. */
  readonly isFault: boolean;
  /** The entries of the journal that the line is about. Only the JSON lists them. */
  readonly entries?: readonly { readonly object: string; readonly key: string }[];
}

export function line(verdict: Verdict, subject: string, finding: string, advice: readonly string[] = []): DoctorLine {
  return { verdict, subject, finding, advice, isFault: false };
}

export function fault(subject: string, finding: string, advice: readonly string[] = []): DoctorLine {
  return { ...line("no", subject, finding, advice), isFault: true };
}

/** In plain text, and on a terminal. */
const MARKS = { ok: ["ok", "green", "✔"], no: ["no", "red", "✘"], unknown: ["--", "yellow", "-"] } as const;

export function renderReport(lines: readonly DoctorLine[], io: CliIo): string {
  const plain = isPlainOutput(io);
  const mark = (verdict: Verdict): string => {
    const [word, colour, symbol] = MARKS[verdict];
    return plain ? word : painterOf(io)(colour, symbol);
  };
  const rows = lines.map(({ verdict, subject, finding }) => [mark(verdict), subject, printable(finding)]);
  // For a narrow terminal: the finding follows its subject in the same column.
  const narrower = rows.map(([mark = "", subject = "", finding = ""]) => [mark, `${subject}: ${finding}`]);
  const table = columnsTable(rows, { width: plain ? undefined : io.stdout.columns, narrower });
  return [table, ...adviceOf(lines).map((entry) => entry.split("\n").map(printable).join("\n"))].join("\n\n") + "\n";
}

/** The report as JSON, by docs/doctor.schema.json. */
export function doctorJson(lines: readonly DoctorLine[], isFine: boolean): string {
  const document: z.input<typeof doctorDocument> = {
    version: "1",
    fine: isFine,
    findings: lines.map(({ verdict, subject, finding, entries }) => ({
      verdict,
      subject,
      finding,
      ...(entries && { entries: [...entries] }),
    })),
    advice: [...adviceOf(lines)],
  };
  return jsonText(document);
}

function adviceOf(lines: readonly DoctorLine[]): readonly string[] {
  return [...new Set(lines.flatMap(({ advice }) => advice))];
}

/**
 * The output of `cloudinfra doctor --format json`. docs/doctor.schema.json is made from this: `UPDATE_GOLDEN=true npm
 * test -- test/cli/published-schemas`.
 */
export const doctorDocument = z
  .strictObject({
    version: z.literal("1"),
    fine: z.boolean().meta({
      description:
        "True if a program can work with this configuration, and the key may read all. With --forget: true if the entries are removed. The exit code is then 0.",
    }),
    findings: z.array(
      z.strictObject({
        verdict: z.enum(["ok", "no", "unknown"]).meta({
          description: "no: a fault, or a result of one. unknown: not asked, no clear answer, or only a hint.",
        }),
        subject: z.string().meta({ description: "The checked subject, such as `credential`." }),
        finding: z.string().meta({ description: "The finding, in words." }),
        entries: z
          .array(
            z.strictObject({
              object: z.string().meta({ description: "The resource and its object, in words." }),
              key: z.string().meta({ description: "The value for `--forget`." }),
            }),
          )
          .optional()
          .meta({ description: "The entries of the journal that the finding is about." }),
      }),
    ),
    advice: z.array(z.string()).meta({ description: "The next steps, in sentences." }),
  })
  .meta({ title: "The output of `cloudinfra doctor --format json`" });
