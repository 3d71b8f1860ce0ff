import { quotaWords, type QuotaName } from "../../definition/quotas";

export interface QuotaRow {
  readonly name: QuotaName;
  readonly limit: number;
  readonly used: number;
  readonly added: number;
  readonly missing: number;
}

const HEADINGS = ["Quota", "Limit", "Used", "Added", "Missing"];

export function quotaTable(region: string, rows: readonly QuotaRow[]): string {
  const cells = rows.map(({ name, limit, used, added, missing }) => [
    quotaWords[name],
    ...[limit, used, added, missing].map(String),
  ]);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(...[heading, ...cells.map((row) => row[column] ?? "")].map(({ length }) => length)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ");
  return [
    `The quotas of ${region} have no room for everything that this program adds:`,
    "",
    ...[HEADINGS, ...cells].map((row) => `  ${line(row)}`),
    "",
    "These are the sums up to the first resource that does not fit. That resource and each later one have a warning of their own.",
    "Resources that leave the program are not counted, because a preview does not show them to the provider. If they do not make",
    "enough room, use another region, or ask for a higher quota: otherwise the update fails.",
  ].join("\n");
}
