import { styleText } from "node:util";
import Table from "cli-table3";
import type { z } from "zod";
import type { CliIo } from "../io";
import { columnsOnly, printable, tableText } from "../../text/terminal-text";
import { isPlain } from "../terminal";
import type { Check, CheckedKey, DueReason } from "./key-check";
import { isoDate, readableDate } from "./dates";
import type { checkDocument } from "./json-shape";

/** A limit of every audit log. */
export const AUDITED_ONLY =
  "The audit log has audited requests only. A key that makes only other requests is in use, but not seen.";

/** The check for machines: docs/rotate.schema.json. */
export function checkJson({ keys }: Check): string {
  const shown = keys.map(({ urn, name, id, status, expiresAt, rotatesAt, due, lastUsedAt }) => ({
    urn,
    name,
    id,
    status,
    expiresAt: isoDate(expiresAt),
    rotatesAt: isoDate(rotatesAt),
    due: due !== undefined,
    lastUsedAt: isoDate(lastUsedAt),
  }));
  const document: z.input<typeof checkDocument> = { version: "1", keys: shown };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** The check for people. */
export function checkTable({ keys }: Check, io: CliIo): string {
  if (keys.length === 0) return "The stack has no API keys.\n";
  const paint = isPlain(io) ? (_colour: Colour, text: string) => text : inColour;
  const head = ["name", "status", "expires (UTC)", "rotates (UTC)", "due", "last seen (UTC)"];
  const table = new Table({ ...columnsOnly, head });
  for (const key of keys) {
    table.push([
      printable(key.name),
      key.status,
      readableDate(key.expiresAt),
      readableDate(key.rotatesAt),
      dueCell(key, paint),
      readableDate(key.lastUsedAt),
    ]);
  }
  const due = keys.filter((key) => key.due !== undefined);
  const count =
    keys.length === 1
      ? `The API key is ${due.length === 0 ? "not due" : "due"}.`
      : `${due.length === 0 ? "None" : due.length} of ${keys.length} API keys ${due.length > 1 ? "are" : "is"} due.`;
  const sentences = [[count, ...advice(due)].join("\n"), AUDITED_ONLY];
  return `${[tableText(table), ...sentences].join("\n\n")}\n`;
}

type Colour = "red" | "yellow" | "green";

const dueWords: Readonly<Record<DueReason, readonly [Colour, string]>> = {
  gone: ["red", "yes: gone"],
  expired: ["red", "yes: expired"],
  rotates: ["yellow", "yes: rotates"],
  "ends soon": ["yellow", "yes: ends soon"],
};

function dueCell({ due, isPendingDeletion }: CheckedKey, paint: typeof inColour): string {
  if (isPendingDeletion) return "no: is replaced";
  return due === undefined ? paint("green", "no") : paint(...dueWords[due]);
}

/** The advice for the keys that are due. */
function advice(due: readonly CheckedKey[]): readonly string[] {
  const sentence = (text: string, isMeant: (key: CheckedKey) => boolean): readonly string[] => {
    const names = due.filter(isMeant).map(({ name }) => printable(name));
    return names.length === 0 ? [] : [`${names.join(", ")}: ${text}`];
  };
  const hasRun = ({ due }: CheckedKey): boolean => due === "expired" || due === "rotates";
  return [
    ...sentence("`pulumi up` makes a new key.", (key) => hasRun(key) && key.rotatesAt !== undefined),
    ...sentence("`pulumi up --refresh` makes a new key.", (key) => key.due === "gone"),
    ...sentence(
      "give a later `expiresAt`, or a `lifetime` instead. `pulumi up` then makes a new key.",
      (key) => key.rotatesAt === undefined && key.due !== "gone",
    ),
    ...sentence(
      "`pulumi up` makes a new key once it rotates.",
      (key) => key.rotatesAt !== undefined && key.due === "ends soon",
    ),
  ];
}

function inColour(colour: Colour, text: string): string {
  return styleText(colour, text, { validateStream: false });
}
