import type { z } from "zod";
import { painterOf, type CliIo, type Color } from "../io";
import { columnsTable } from "../../text/terminal-table";
import { secondText } from "../../time/utc";
import { jsonText } from "../../text/json";
import { printable } from "../../text/terminal-text";
import type { AuditedKey, CheckedKey, CheckedWaitingKey, DueReason } from "./key-check";
import type { auditDocument, checkDocument, waitingKey } from "./rotate-document";

function isoDate(time: number | undefined): string | null {
  return time === undefined ? null : secondText(time);
}

/** An instant to the minute. The heading says that it is UTC. */
function readableDate(time: number | undefined): string {
  return isoDate(time)?.replace("T", " ").slice(0, 16) ?? "-";
}

const AUDITED_ONLY =
  "The audit log has audited requests only. A key that makes only other requests is in use, but not seen.";

interface Check {
  readonly keys: readonly CheckedKey[];
  readonly waiting: readonly CheckedWaitingKey[];
}

/** The check as JSON, by docs/rotate.schema.json. */
export function checkJson({ keys, waiting }: Check): string {
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
  const document: z.input<typeof checkDocument> = { version: "1", keys: shown, waiting: waiting.map(waitingJson) };
  return jsonText(document);
}

function waitingJson({ urn, name, id, replacedAt, verdict }: CheckedWaitingKey): z.input<typeof waitingKey> {
  const { isDue, reason, clients, until } = verdict;
  const users = clients.map(({ address, userAgent, count, lastUsedAt }) => ({
    address,
    userAgent,
    count,
    lastUsedAt: secondText(lastUsedAt),
  }));
  const times = { replacedAt: secondText(replacedAt), until: secondText(until) };
  return { urn, name, id, ...times, due: isDue, reason, clients: users };
}

export function checkTable({ keys, waiting }: Check, io: CliIo): string {
  if (keys.length === 0) return "The stack has no API keys.\n";
  const paint = painterOf(io);
  const head = ["name", "status", "expires (UTC)", "rotates (UTC)", "due", "last seen (UTC)"];
  const rows = keys.map((key) => [
    printable(key.name),
    key.status,
    readableDate(key.expiresAt),
    readableDate(key.rotatesAt),
    dueCell(key, paint),
    readableDate(key.lastUsedAt),
  ]);
  const due = keys.filter((key) => key.due !== undefined);
  const count =
    keys.length === 1
      ? `The API key is ${due.length === 0 ? "not due" : "due"}.`
      : `${due.length === 0 ? "None" : due.length} of ${keys.length} API keys ${due.length > 1 ? "are" : "is"} due.`;
  const sentences = [[count, ...advice(due)].join("\n"), ...waitingTable(waiting, io), AUDITED_ONLY];
  return `${[columnsTable(rows, { head, width: io.stdout.columns }), ...sentences].join("\n\n")}\n`;
}

function waitingTable(waiting: readonly CheckedWaitingKey[], io: CliIo): readonly string[] {
  if (waiting.length === 0) return [];
  const head = ["name", "replaced key", "due", "at the latest (UTC)", "reason"];
  const rows = waiting.map(({ name, id, verdict: { isDue, until, reason } }) => [
    printable(name),
    printable(id),
    isDue ? "yes: is deleted" : "no: waits",
    readableDate(until),
    printable(reason),
  ]);
  const due = waiting.filter(({ verdict }) => verdict.isDue).map(({ name }) => printable(name));
  const advice = due.length === 0 ? [] : [`${[...new Set(due)].join(", ")}: \`pulumi up\` deletes the replaced key.`];
  return [[columnsTable(rows, { head, width: io.stdout.columns }), ...advice].join("\n\n")];
}

const dueWords: Readonly<Record<DueReason, readonly [Color, string]>> = {
  missing: ["red", "yes: missing"],
  expired: ["red", "yes: expired"],
  rotates: ["yellow", "yes: rotates"],
  "ends soon": ["yellow", "yes: ends soon"],
  replaced: ["yellow", "yes: is replaced"],
};

function dueCell({ due }: CheckedKey, paint: ReturnType<typeof painterOf>): string {
  return due === undefined ? paint("green", "no") : paint(...dueWords[due]);
}

function advice(due: readonly CheckedKey[]): readonly string[] {
  const sentence = (text: (aNewKey: string) => string, isMeant: (key: CheckedKey) => boolean): readonly string[] => {
    const names = due.filter(isMeant).map(({ name }) => printable(name));
    const aNewKey = names.length === 1 ? "a new key" : "a new key for each";
    return names.length === 0 ? [] : [`${names.join(", ")}: ${text(aNewKey)}`];
  };
  const hasRun = ({ due }: CheckedKey): boolean => due === "expired" || due === "rotates";
  return [
    ...sentence(
      () => "the run that replaced it has failed. `pulumi up` goes on from there, and deletes it at the end.",
      (key) => key.due === "replaced",
    ),
    ...sentence(
      (aNewKey) => `\`pulumi up\` makes ${aNewKey}.`,
      (key) => hasRun(key) && key.rotatesAt !== undefined,
    ),
    ...sentence(
      (aNewKey) => `\`pulumi up --refresh\` makes ${aNewKey}.`,
      (key) => key.due === "missing",
    ),
    ...sentence(
      (aNewKey) =>
        `give a later \`expiresAt\`, or a \`lifetime\` instead, and remove any \`ignoreChanges\`. \`pulumi up\` then makes ${aNewKey}.`,
      (key) => key.rotatesAt === undefined && (hasRun(key) || key.due === "ends soon"),
    ),
    ...sentence(
      (aNewKey) => `\`pulumi up\` makes ${aNewKey} from the time under "rotates" on, but not earlier.`,
      (key) => key.rotatesAt !== undefined && key.due === "ends soon",
    ),
  ];
}

/** The audit as JSON, by docs/rotate.schema.json. `since`: its start in epoch milliseconds. */
export function auditJson(keys: readonly AuditedKey[], since: number): string {
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
      lastUsedAt: secondText(lastUsedAt),
    })),
  }));
  const document: z.input<typeof auditDocument> = { version: "1", since: secondText(since), keys: shown };
  return jsonText(document);
}

export function auditTable(keys: readonly AuditedKey[], days: number, io: Pick<CliIo, "stdout">): string {
  if (keys.length === 0) return "No API key of the stack is known to have replaced another.\n";
  const period = days === 1 ? "the last day" : `the last ${days} days`;
  const one = keys.length === 1;
  const used = keys.filter(({ users }) => users.length > 0);
  if (used.length === 0) {
    const nobody = `The audit log shows no client of the ${one ? "replaced key" : `${keys.length} replaced keys`} in ${period}.`;
    return `${nobody}\n\n${AUDITED_ONLY}\n`;
  }
  const head = ["name", "replaced (UTC)", "actor", "address", "user agent", "uses", "since replaced", "last (UTC)"];
  const rows = used.flatMap(({ name, replacedAt, users }) =>
    users.map(({ actor, address, userAgent, count, countSinceReplaced, lastUsedAt }) => [
      ...[name, readableDate(replacedAt), actor.name ?? actor.id, address, userAgent || "-"].map(printable),
      ...[String(count), String(countSinceReplaced ?? "-"), readableDate(lastUsedAt)],
    ]),
  );
  const table = columnsTable(rows, {
    head,
    width: io.stdout.columns,
    isRight: (column) => column === 5 || column === 6,
  });
  const count = one
    ? `The replaced API key was used in ${period}.`
    : `${used.length} of ${keys.length} replaced API keys ${used.length === 1 ? "was" : "were"} used in ${period}.`;
  return `${[table, count, AUDITED_ONLY].join("\n\n")}\n`;
}
