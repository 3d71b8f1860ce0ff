import Table from "cli-table3";
import type { z } from "zod";
import { columnsOnly, printable, tableText } from "../../text/terminal-text";
import type { AuditedKey } from "./key-audit";
import { AUDITED_ONLY } from "./check-report";
import { isoDate, readableDate } from "./dates";
import type { auditDocument } from "./json-shape";

/** The start of the period in the audit log. */
export interface AuditedTime {
  readonly days: number;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** The audit for machines: docs/rotate.schema.json. */
export function auditJson(keys: readonly AuditedKey[], { since }: AuditedTime): string {
  const shown = keys.map(({ urn, name, id, replacedAt, users }) => ({
    urn,
    name,
    replacedId: id,
    replacedAt: isoDate(replacedAt),
    uses: users.map(({ actor, address, userAgent, count, countSinceReplaced, lastUsedAt }) => ({
      actor: { id: actor.id, name: actor.name, type: actor.type },
      address,
      userAgent,
      count,
      countSinceReplaced: countSinceReplaced ?? null,
      lastUsedAt: isoDate(lastUsedAt),
    })),
  }));
  const document: z.input<typeof auditDocument> = { version: "1", since: isoDate(since), keys: shown };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** The audit for people. */
export function auditTable(keys: readonly AuditedKey[], { days }: AuditedTime): string {
  if (keys.length === 0) return "No API key of the stack is known to have replaced another.\n";
  const period = days === 1 ? "the last day" : `the last ${days} days`;
  const one = keys.length === 1;
  const used = keys.filter(({ users }) => users.length > 0);
  if (used.length === 0) {
    const nobody = `Nobody was seen with the ${one ? "replaced key" : `${keys.length} replaced keys`} in ${period}.`;
    return `${nobody}\n\n${AUDITED_ONLY}\n`;
  }
  const head = ["name", "replaced (UTC)", "actor", "address", "user agent", "uses", "since replaced", "last (UTC)"];
  const table = new Table({
    ...columnsOnly,
    head,
    colAligns: head.map((_, column) => (column === 5 || column === 6 ? "right" : "left")),
  });
  for (const { name, replacedAt, users } of used) {
    for (const { actor, address, userAgent, count, countSinceReplaced, lastUsedAt } of users) {
      const cells = [
        name,
        readableDate(replacedAt),
        actor.name ?? actor.id,
        address,
        userAgent === "" ? "-" : userAgent,
      ];
      table.push([...cells.map(printable), count, countSinceReplaced ?? "-", readableDate(lastUsedAt)]);
    }
  }
  const count = one
    ? `The replaced API key was seen in ${period}.`
    : `${used.length} of ${keys.length} replaced API keys ${used.length === 1 ? "was" : "were"} seen in ${period}.`;
  return `${[tableText(table), count, AUDITED_ONLY].join("\n\n")}\n`;
}
