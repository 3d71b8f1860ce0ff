import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { partsIn, type NamedPart } from "../../definition/parts";
import { NotFoundError, RequestError } from "../../api/errors";
import type { Api } from "../../api/client";
import { isBeingDeleted } from "../../api/schema";
import type { AuditLog } from "../../api/lists/audit-log";
import { shownName } from "../../journal/entry";
import { stackText } from "../../journal/left-behind";
import { messageOf } from "../../lifecycle/errors";
import type { Props } from "../../lifecycle/kind/kind";
import { printable } from "../../text/terminal-text";
import { urnParts } from "../../engine/urn";
import { CommandFailure } from "../command-failure";
import { exitCodes } from "../exit-codes";
import { confirmed, type CliIo } from "../io";
import { LeftObject } from "./left-object";
import { isSameId, NO_ID } from "../../definition/same-id";
import { LATE_ANSWER_PAUSES, pollUntil } from "../../time/clock";
import { isDeleted } from "../../lifecycle/objects/deletion";
import { LONGEST_HIDDEN_MS } from "../../lifecycle/objects/readiness";
import { actorOfRequest } from "../../lifecycle/preflight/key-end";
import { isOnlyNamed } from "../../lifecycle/recovery/journal-entry";
import { objectAdvice } from "../../lifecycle/recovery/lost-creation";
import type { Run } from "../../lifecycle/run/run";
import { proofOf, type EntryProof } from "./evidence";

export interface DeleteOptions {
  readonly delete: string;
  readonly yes?: true | undefined;
  /** Ask although a stack may have the object. */
  readonly force?: true | undefined;
}

const PAUSE_MS = 1_000;
const LOOKS = { ...LATE_ANSWER_PAUSES, leftMs: (pausedMs: number): number => PAUSE_MS - pausedMs };
/** How long a replica may hide an object. */
const HIDDEN_FOR_MS = 10_000;

/**
 * Deletes an object that an interrupted run has left, after a person has seen it and confirmed. When the API no longer
 * has the object, ends its entries in the journal. Resolves with the exit code. Rejects with CommandFailure.
 */
export async function runDelete({ delete: id, yes, force }: DeleteOptions, io: CliIo): Promise<number> {
  const left = await LeftObject.find(id, io);
  const { title } = left;
  const isDone = await left.withRun(async (run) => {
    const { api } = run;
    const look = (): Promise<Props | undefined> => left.shown(api);
    // It counts as deleted only if several looks say so.
    const object = await pollUntil(io.clock, LOOKS, look, (shown) => !isDeleted(shown));
    const proof = await proofOf(run, left.entry);
    if (object === undefined || isDeleted(object)) {
      if (object === undefined) assertDeleted(left, api.now(), proof);
      await left.whileLocked(() => endEntries(left, proof, io));
      return true;
    }
    await assertOther(api, left, io);
    const parts = partsIn(left.kind, object);
    const unread = await left.unreadStates(parts);
    io.stderr.write(`${describeObject(left, object, parts)}\n`);
    const doubts = [...unread, ...doubtsAbout(left, parts, proof)];
    if (doubts.length > 0 && !force) {
      const advice =
        "Look for the id in the output of `pulumi stack export` of each stack that may have it. " +
        "If nothing needs the object, run this with --force and without --yes.";
      throw left.notDeleted([...doubts, advice].join(" "));
    }
    for (const doubt of doubts) io.stderr.write(`warning: ${doubt}\n`);
    const advice = force ? "Run this on a terminal, because --force must be confirmed there." : "Confirm with --yes.";
    if (!yes && !(await confirmed(`Delete ${title}?`, advice, io))) return false;

    await left.whileLocked(async () => {
      const changes = changesOf(object, await left.read(api));
      if (!isDeepStrictEqual(await left.unreadStates(parts), unread))
        changes.push("the set of readable states has changed");
      if (!(await left.isJournalUnchanged([left.id, ...parts.map((part) => part.id)])))
        changes.push("its entries in the journal have changed");
      if (changes.length > 0) {
        const reason = `in the meantime, ${changes.join(", and ")}. A run may have taken it over. Run this again.`;
        throw left.notDeleted(reason);
      }
      await deleteAndWait(run, left, object, io);
      await endEntries(left, proof, io);
    });
    return true;
  });
  if (isDone) return exitCodes.fine;
  io.stderr.write("Nothing was deleted.\n");
  return exitCodes.error;
}

/**
 * Closes the entries if it is proven what their request has made. Each other object of that request gets a new entry.
 */
async function endEntries(left: LeftObject, { madeIt, alsoMade }: EntryProof, { stdout }: CliIo): Promise<void> {
  const { id, entry, title } = left;
  const isOpen = !isOnlyNamed(entry);
  const isUnproven = isOpen && madeIt(id) !== true;
  const twins = isUnproven ? [] : await left.close(isOpen ? alsoMade(id) : []);
  const end = isUnproven
    ? `stays, because the audit log does not show what its request has made. If nothing is left, run \`cloudinfra doctor --forget ${entry.key}\``
    : "is closed";
  const texts = [
    `The API no longer has ${title}. Its entry in the journal ${end}.`,
    ...twins.map((twin) => `Its request has also made ${twin}. ${objectAdvice(twin)}`),
  ];
  stdout.write(`${texts.join("\n")}\n`);
}

/** Throws CommandFailure if this command signs in with the object. Only the audit log shows that. */
async function assertOther(api: Api, left: LeftObject, { stderr }: CliIo): Promise<void> {
  if (left.kind.credential === undefined) return;
  const comment = `doctor ${randomUUID()}`;
  const find = async (): Promise<AuditLog["actor"] | undefined> => {
    await api.permits("edit", [...left.kind.path.split("/").slice(1), NO_ID], { comment });
    return actorOfRequest(api, comment, { purpose: "find out which API key this command signs in with" });
  };
  const own = await find().catch((error: unknown) => {
    if (error instanceof RequestError) return undefined;
    throw error;
  });
  if (isSameId(own?.id, left.id))
    throw left.notDeleted("this command signs in with it. Set another key, and run this again.");
  if (own === undefined)
    stderr.write(
      "warning: the audit log does not show which API key this command signs in with. If it is this one, the command locks itself out.\n",
    );
}

/**
 * The doubts that a person must decide. Throws CommandFailure if the audit log shows that something else made the
 * object.
 */
function doubtsAbout(left: LeftObject, parts: readonly NamedPart[], proof: EntryProof): readonly string[] {
  const { id, entry, entries } = left;
  const isProven = proof.madeIt(id);
  const ids = [id, ...parts.map((part) => part.id)];
  // An answer may have been about another object. Without an answer, the entry has its id from the audit log or from a
  // state.
  const isIdCertain = entry.id !== undefined && entry.answeredAt === undefined;
  if (isProven === false && !isIdCertain)
    throw left.notDeleted("the audit log shows that another request made it, not the interrupted one.");
  return [
    ...(entries.some((each) => each.isHandedOver) || ids.some((own) => left.isAdopted(own))
      ? ["Pulumi received it or a part of it, so a stack of another backend may have it, or one that you cannot see."]
      : []),
    ...(entry.id === undefined && !isProven
      ? [`Only its name, ${shownName(entry)}, says that the interrupted run made it. The audit log does not show that.`]
      : []),
  ];
}

function changesOf(object: Props, now: Props | undefined): string[] {
  if (now === undefined) return ["the API no longer shows it"];
  const fields = Object.keys({ ...object, ...now }).filter((field) => !isDeepStrictEqual(object[field], now[field]));
  return fields.length === 0 ? [] : [`the API shows other values (${fields.join(", ")})`];
}

/**
 * Throws CommandFailure unless the 404 proves that the object does not exist: the object is not new, and the account is
 * that of the entry.
 */
function assertDeleted(
  { title, entry: { sentAt, key } }: LeftObject,
  now: number,
  { isSameAccount }: EntryProof,
): void {
  if (now - Date.parse(sentAt) <= LONGEST_HIDDEN_MS)
    throw new CommandFailure(`The API does not show ${title}, but it may be too new. Run this again in a minute.`);
  if (isSameAccount) return;
  throw new CommandFailure(
    `The API does not show ${title} to this API key, and no audit log shows that the key is of the account that made it. Check ` +
      `the key. If it is the right one, the object no longer exists: run \`cloudinfra doctor --forget ${key}\`.`,
  );
}

/** Deletes the object, and resolves when it no longer exists. */
async function deleteAndWait(
  { api, settings }: Run,
  left: LeftObject,
  object: Props,
  { clock, stderr }: CliIo,
): Promise<void> {
  const { id, kind, title } = left;
  const endsAt = clock.now() + settings.operationTimeoutMs;
  const call = { purpose: `delete ${title}` };
  const refusal = kind.refuse?.(object) ?? kind.refuseDeletion?.(object);
  if (refusal !== undefined) throw left.notDeleted(refusal);
  const waiting = `Waiting until the API no longer has ${title}.\n`;
  let failure = "";
  try {
    const deletion = await left.collection(api).delete(id, call).catch(asUncertain(title));
    stderr.write(waiting);
    if (deletion.kind === "operation") await api.operations.wait(deletion.operation, call);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    // A response may be lost: the object shows whether it is deleted, or being deleted.
    const hiddenMs = error instanceof NotFoundError ? HIDDEN_FOR_MS : 0;
    const schedule = { ...LATE_ANSWER_PAUSES, leftMs: (pausedMs: number) => hiddenMs - pausedMs };
    const isShown = (object: Props | undefined): boolean => object !== undefined;
    const shown = await pollUntil(clock, schedule, () => left.read(api), isShown).catch(() => ({}));
    if (shown !== undefined && !isBeingDeleted(shown)) throw error;
    failure = `${messageOf(error)}\n`;
    stderr.write(waiting);
  }
  const shown = await pollUntil(
    clock,
    { firstPauseMs: PAUSE_MS, longestPauseMs: PAUSE_MS, endsAt },
    () => left.read(api),
    (object) => object === undefined,
  );
  if (shown === undefined) return;
  const status = `with the status ${textOrNotShown(shown["status"])}`;
  throw new CommandFailure(
    `${failure}The API still shows ${title}, ${status}. Its entry in the journal stays. Run this again later.`,
  );
}

/**
 * The only answer may come from an outdated replica, and so may further ones. The next run of this command looks again.
 */
function asUncertain(title: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof NotFoundError && error.effect === "none")) throw error;
    throw new CommandFailure(
      `It is not certain that ${title} is deleted: the API had shown it, and answered 404 to its deletion. Its entry in the journal ` +
        "stays. Run this again.",
    );
  };
}

function describeObject({ id, entry }: LeftObject, object: Props, parts: readonly NamedPart[]): string {
  const { noun, urn, sentAt } = entry;
  const rows = [
    ["kind", noun],
    ["name", entry.name === undefined ? shownName(entry) : textOrNotShown(object["name"])],
    ["id", id],
    ["status", textOrNotShown(object["status"])],
    ["created", textOrNotShown(object["createdAt"])],
    ...parts.map(({ id: own, part }) => ["goes too", `${part.of.noun} ${own}, if the API made it with the ${noun}`]),
    ["made for", `resource "${urnParts(urn).name}" of the ${stackText(entry)}, by a run of ${sentAt}`],
  ];
  return rows.map(([title = "", text = ""]) => `${title.padEnd(10)}${printable(text)}`).join("\n");
}

function textOrNotShown(value: unknown): string {
  return typeof value === "string" ? value : "not shown";
}
