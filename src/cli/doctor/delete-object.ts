import { CloudinfraError, NotFoundError } from "../../api/errors";
import type { Api } from "../../api/client";
import { isSameId } from "../../api/same-id";
import { readSettings } from "../../config";
import { FileJournal } from "../../journal/file-journal";
import type { JournalEntry } from "../../journal/journal";
import { isUnderWay } from "../../journal/under-way";
import type { Props, ResourceKind } from "../../lifecycle/kind";
import { urlSpelling } from "../../lifecycle/saved-settings";
import type * as Registry from "../../resources/registry";
import { printable } from "../../terminal-text";
import { urnParts } from "../../urn";
import { journalFolder } from "../../user-folders";
import { CommandFailure } from "../command-failure";
import { confirmed } from "../confirmation";
import { exitCodes } from "../exit-codes";
import type { CliIo } from "../io";
import { openApi } from "../stack-api";
import { proofOf, type EntryProof } from "./entry-proof";
import { configOfEntry, holderOf } from "./entry-stack";

/** The flags of `cloudinfra doctor --delete`. */
export interface DeleteOptions {
  /** The id of the object. */
  readonly delete: string;
  /** Delete without asking. */
  readonly yes?: true | undefined;
}

/** The open entries that name an object. */
type Entries = readonly [JournalEntry, ...JournalEntry[]];

const PAUSE_MS = 1_000;
/** How long after its creation a 404 does not prove that an object is gone. */
const NEW_FOR_MS = 60_000;
/** The times of an entry and of its object may be of two clocks. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * Deletes an object that an interrupted run has left, after a person has seen it and said yes. The entries of the journal end when the
 * API no longer has the object. Resolves with the exit code. Rejects with CommandFailure.
 */
export async function deleteObject({ delete: id, yes }: DeleteOptions, io: CliIo): Promise<number> {
  const folder = journalFolder(io.environment);
  const journal = folder === undefined ? undefined : new FileJournal(folder);
  const all = (await journal?.all())?.entries ?? [];
  const entries = await entriesOf(all, id, io);
  const [entry] = entries;
  const holder = await holderOf(entry, id, io);
  if ("urn" in holder) {
    throw new CommandFailure(
      `${entry.noun} ${id} was not deleted: the stack ${stackOf(entry)} has it as ${holder.urn}. Remove the resource from the ` +
        `program, and run \`pulumi up\`.`,
    );
  }
  const isGone = await atApi(entry, id, io, async (api, operationTimeoutMs) => {
    const [object, proof] = [await lookAt(api, entry, id), await proofOf(api, entry)];
    if (object === undefined) {
      assertGone(entry, id, api.serverNow(), proof);
      return true;
    }
    io.stderr.write(`${description(entry, object, id)}\n${holder.unknown ?? ""}`);
    for (const doubt of doubtsAbout(entries, id, proof)) {
      if (yes)
        throw new CommandFailure(`${entry.noun} ${id} was not deleted: ${doubt} If it can go, run this without --yes.`);
      io.stderr.write(`warning: ${doubt}\n`);
    }
    if (!yes && !(await confirmed(`Delete ${entry.noun} ${id}?`, io))) return false;
    await remove(api, entry, object, { io, id, endsAt: io.clock.now() + operationTimeoutMs });
    return true;
  });
  if (!isGone) {
    io.stderr.write("Nothing was deleted.\n");
    return exitCodes.error;
  }
  for (const each of entries) await journal?.remove(each);
  io.stdout.write(`The API no longer has ${entry.noun} ${id}. Its entry in the journal is closed.\n`);
  return exitCodes.fine;
}

/**
 * The open entries that name this object: by the id, or by the name if the answer with the id was lost. Rejects with CommandFailure if
 * there is none that a person may decide on.
 */
async function entriesOf(all: readonly JournalEntry[], id: string, io: CliIo): Promise<Entries> {
  const [byId, ...others] = all.filter((each) => isSameId(each.id, id));
  const entry = byId ?? (await entryOfName(all, id, io));
  if (entry === undefined) {
    throw new CommandFailure(
      `No open entry of the journal names ${id}, so it was not deleted: this command deletes only what an interrupted run on this ` +
        `machine has made. \`cloudinfra doctor\` lists the entries.`,
    );
  }
  if (entry.foundAs !== undefined)
    throw new CommandFailure(`${entry.noun} ${id} was not deleted: no run has made it, one has taken it over.`);
  if ([entry, ...others].some((each) => isUnderWay(each, io.clock.now()))) {
    throw new CommandFailure(
      `${entry.noun} ${id} was not deleted: the run that makes it has not ended. Wait until it has, and run this again.`,
    );
  }
  return [entry, ...others];
}

/** The entry without an id whose object this can be: it has the name, and was not there before. */
async function entryOfName(all: readonly JournalEntry[], id: string, io: CliIo): Promise<JournalEntry | undefined> {
  for (const entry of all.filter((each) => each.id === undefined)) {
    const object = await atApi(entry, id, io, (api) => lookAt(api, entry, id)).catch((error: unknown) => {
      if (error instanceof CommandFailure) return undefined; // of another API, or another kind
      throw error;
    });
    const isSince = Date.parse(textOf(object?.["createdAt"])) >= Date.parse(entry.sentAt) - CLOCKS_DIFFER_MS;
    if (object?.["name"] === entry.name && isSince) return entry;
  }
  return undefined;
}

/** Signs in as the provider of the entry did. Rejects with CommandFailure if that is another API, or if it does not answer. */
async function atApi<T>(
  entry: JournalEntry,
  id: string,
  io: CliIo,
  ask: (api: Api, operationTimeoutMs: number) => Promise<T>,
): Promise<T> {
  const { provider, project, baseUrl: own } = entry.stack;
  try {
    const config = await configOfEntry(entry, io);
    const { baseUrl, operationTimeoutMs } = readSettings(config, io.environment, provider);
    if (urlSpelling(baseUrl) !== urlSpelling(own)) {
      throw new CommandFailure(
        `${entry.noun} ${id} is at ${own}, but the settings here are for ${urlSpelling(baseUrl)}. Run this in the folder of the ` +
          `project ${project}, or set CLOUDINFRA_BASE_URL and CLOUDINFRA_API_KEY.`,
      );
    }
    const api = openApi(config, io, provider);
    return await ask(api, operationTimeoutMs).finally(() => api.close());
  } catch (error) {
    if (!(error instanceof CloudinfraError)) throw error;
    throw new CommandFailure(`${error.message}\nThe entry in the journal stays.`, { cause: error });
  }
}

/** The object as the API shows it. Undefined if the API says that there is none. */
async function lookAt(api: Api, entry: JournalEntry, id: string): Promise<Props | undefined> {
  const kind = kindOfEntry(entry);
  try {
    return kind.fromWire(await kind.collection(api, entry.place, id).get(id, { what: `read ${entry.noun} ${id}` }));
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** What only a person can decide. Throws CommandFailure if the log shows that something else made the object. */
function doubtsAbout([entry, ...others]: Entries, id: string, proof: EntryProof): readonly string[] {
  const { noun, name } = entry;
  if (proof.madeIt(id) === false) {
    throw new CommandFailure(
      `${noun} ${id} was not deleted: the audit log shows that another request made it, not the interrupted one.`,
    );
  }
  const isFoundByName = entry.id === undefined && proof.madeIt(id) !== true;
  return [
    ...([entry, ...others].some(({ isHandedOver }) => isHandedOver)
      ? ["Pulumi was told of it. Another stack may have it, for example after a rename or a move. Look there first."]
      : []),
    ...(isFoundByName
      ? [`Only its name, "${name}", says that the interrupted run made it. The audit log does not show that.`]
      : []),
  ];
}

/** Throws CommandFailure unless the 404 proves that the object is gone: it is not new, and the account is the entry's. */
function assertGone({ noun, sentAt, key }: JournalEntry, id: string, now: number, { isSameAccount }: EntryProof): void {
  if (now - Date.parse(sentAt) <= NEW_FOR_MS)
    throw new CommandFailure(`The API does not show ${noun} ${id}, but it may be too new. Run this again in a minute.`);
  if (isSameAccount) return;
  throw new CommandFailure(
    `The API does not show ${noun} ${id} to this API key, and no audit log shows that the key is of the account that made it. Check ` +
      `the key. If it is the right one, the object is gone: run \`cloudinfra doctor --forget ${key}\`.`,
  );
}

/** Resolves when the API says that there is no such object. */
async function remove(
  api: Api,
  entry: JournalEntry,
  object: Props,
  { io: { clock, stderr }, id, endsAt }: { readonly io: CliIo; readonly id: string; readonly endsAt: number },
): Promise<void> {
  const kind = kindOfEntry(entry);
  const call = { what: `delete ${entry.noun} ${id}` };
  const refusal = kind.refuse?.(object) ?? kind.refuseDeletion?.(object);
  if (refusal !== undefined) throw new CommandFailure(`${entry.noun} ${id} was not deleted: ${refusal}`);
  try {
    const deletion = await kind.collection(api, entry.place, id).delete(id, call);
    stderr.write(`Waiting until the API no longer has ${entry.noun} ${id}.\n`);
    if (deletion.kind === "operation") await api.operations.wait(deletion.operation, call);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
  for (;;) {
    const left = await lookAt(api, entry, id);
    if (left === undefined) return;
    if (clock.now() >= endsAt) {
      throw new CommandFailure(
        `The API still shows ${entry.noun} ${id}, with the status ${textOf(left["status"])}. Its entry in the journal stays. Run this again later.`,
      );
    }
    await clock.sleep(PAUSE_MS);
  }
}

function kindOfEntry({ type, noun }: JournalEntry): ResourceKind {
  // The resources bring Pulumi's SDK with them.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when it is needed
  const { kinds } = require("../../resources/registry") as typeof Registry;
  const kind = kinds.find((each) => each.type === type);
  if (kind) return kind;
  throw new CommandFailure(
    `This version of the package knows no ${noun} (${type}). Use the version that wrote the entry.`,
  );
}

function description({ noun, urn, stack, sentAt }: JournalEntry, object: Props, id: string): string {
  const { status, createdAt, name } = object;
  const rows = [
    ["kind", noun],
    ["name", textOf(name)],
    ["id", id],
    ["status", textOf(status)],
    ["created", textOf(createdAt)],
    ["made for", `resource "${urnParts(urn).name}" of the stack ${stackOf({ stack })}, by a run of ${sentAt}`],
  ];
  return rows.map(([title = "", text = ""]) => `${title.padEnd(10)}${printable(text)}`).join("\n");
}

function stackOf({ stack: { project, stack } }: Pick<JournalEntry, "stack">): string {
  return `${project}/${stack}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "not shown";
}
