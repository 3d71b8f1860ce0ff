import { collectionAt } from "../../lifecycle/kind/collection-at";
import type { NamedPart } from "../../definition/parts";
import { fromWire } from "../../definition/wire";
import { isDeepStrictEqual } from "node:util";
import { CloudinfraError, NotFoundError } from "../../api/errors";
import type { Api } from "../../api/client";
import { isSameId } from "../../api/same-id";
import { readSettings, type ConfigReader } from "../../settings/config";
import { isNamed, type JournalEntry } from "../../journal/entry";
import { isUnderWay } from "../../journal/process-identity";
import type { Props, ResourceKind } from "../../lifecycle/kind/kind";
import { urlSpelling } from "../../lifecycle/run/saved-settings";
import type * as Registry from "../../resources/registry";
import { CommandFailure, orFailure } from "../command-failure";
import type { CliIo } from "../io";
import { journalOf } from "./open-creations";
import { configOfProvider, configOfStack, noConfig, openApi } from "../stack-api";
import { addressOf } from "../../journal/address";
import { pulumiBackend } from "../../journal/backend";
import { urnParts } from "../../engine/urn";
import { projectName, stackNames } from "../pulumi/command";
import { exportStack } from "../pulumi/stack-state";

/** The project of what no state ever has: the keys of `cloudinfra with-key`. No project of Pulumi can have this name. */
export const WITHOUT_STATE = "with-key command";

export type Entries = readonly [JournalEntry, ...JournalEntry[]];

/** The times of an entry and of its object may be of two clocks. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * The open entries that name this object: by the id, or by the name if the answer with the id was lost. Rejects with CommandFailure if
 * there is none that a person may decide on.
 */
export async function entriesOf(id: string, io: CliIo): Promise<Entries> {
  const all = await allEntries(io);
  const [byId, ...others] = all.filter((each) => isSameId(each.id, id));
  const entry = byId ?? (await entryOfName(all, id, io));
  if (entry === undefined) {
    throw new CommandFailure(
      `No open entry of the journal names ${id}, so it was not deleted: this command deletes only what an interrupted run on this ` +
        `machine has made. \`cloudinfra doctor\` lists the entries.`,
    );
  }
  const entries: Entries = [entry, ...others];
  if (entries.some(({ foundAs }) => foundAs !== undefined))
    throw notDeleted(entry, id, "no run has made it, one has taken it over.");
  if (entries.some((each) => isUnderWay(each, io.clock.now())))
    throw notDeleted(entry, id, "the run that makes it has not ended. Wait until it has, and run this again.");
  return entries;
}

export function notDeleted({ noun }: JournalEntry, id: string, why: string): CommandFailure {
  return new CommandFailure(`${noun} ${id} was not deleted: ${why}`);
}

/** Whether the journal still has these entries of the object, as they were, and no others. */
export async function areUnchanged(entries: Entries, id: string, io: CliIo): Promise<boolean> {
  const isOfObject = (each: JournalEntry): boolean =>
    isSameId(each.id, id) || entries.some(({ key }) => key === each.key);
  return isDeepStrictEqual((await allEntries(io)).filter(isOfObject), entries);
}

export async function removeEntries(entries: Entries, { environment }: CliIo): Promise<void> {
  for (const entry of entries) await journalOf(environment)?.remove(entry);
}

async function allEntries({ environment }: CliIo): Promise<readonly JournalEntry[]> {
  return (await journalOf(environment)?.all())?.entries ?? [];
}

/** The entry without an id whose object this can be: it has the name, and was not there before. */
async function entryOfName(all: readonly JournalEntry[], id: string, io: CliIo): Promise<JournalEntry | undefined> {
  for (const entry of all.filter((each) => each.id === undefined)) {
    const object = await orFailure(atApi(entry, id, io, (api) => lookAt(api, entry, id)));
    if (object instanceof CommandFailure) continue; // of another API, or another kind
    const isSince = Date.parse(textOf(object?.["createdAt"])) >= Date.parse(entry.sentAt) - CLOCKS_DIFFER_MS;
    if (isSince && isNamed(entry, object?.["name"])) return entry;
  }
  return undefined;
}

/** Signs in as the provider of the entry did. Rejects with CommandFailure if that is another API, or if it does not answer. */
export async function atApi<T>(
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
export async function lookAt(api: Api, entry: JournalEntry, id: string): Promise<Props | undefined> {
  const kind = kindOfEntry(entry);
  try {
    const collection = collectionAt(api, kind, entry.pathInputs, id);
    return fromWire(kind, await collection.get(id, { purpose: `read ${entry.noun} ${id}` }));
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** Throws CommandFailure if this version of the package does not have the kind. */
export function kindOfEntry({ type, noun }: JournalEntry): ResourceKind {
  // The resources bring Pulumi's SDK with them.
  const { kinds } = require("../../resources/registry") as typeof Registry;
  const kind = kinds.find((each) => each.type === type);
  if (kind) return kind;
  throw new CommandFailure(
    `This version of the package knows no ${noun} (${type}). Use the version that wrote the entry.`,
  );
}

/** A value of an object, for people. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "not shown";
}

/**
 * Looks for the object, and for the parts that the API would delete with it, in the state of each stack of the backend. Resolves with a
 * sentence for each state that was not read. Rejects with CommandFailure if a state has one of them, also as a reference.
 */
export async function unreadStates(
  entry: JournalEntry,
  id: string,
  parts: readonly NamedPart[],
  io: CliIo,
): Promise<readonly string[]> {
  const { noun, stack: own } = entry;
  if (own.project === WITHOUT_STATE) return [];
  if (!isReachable(entry, io)) {
    return [
      `No state was looked at, because this is not the folder of the project ${own.project} with the backend ${own.backend}.`,
    ];
  }
  const stacks = await stackNames(io, ["--all"]);
  if (stacks === undefined) return ["No state was looked at, because `pulumi stack ls --all` fails."];
  const unread: string[] = [];
  for (const stack of stacks) {
    const state = await orFailure(exportStack(stack, io));
    if (state instanceof CommandFailure) {
      unread.push(state.message);
      continue;
    }
    for (const [what, own] of [["it", id], ...parts.map((each) => [`its ${each.part.of.noun} ${each.id}`, each.id])]) {
      const owner = state.find((resource) => isSameId(resource.id, own));
      if (owner === undefined) continue;
      const of = urnParts(owner.urn);
      const otherwise = own === id ? "" : `, or detach the ${noun}'s part`;
      throw notDeleted(
        entry,
        id,
        `the stack ${of.project}/${of.stack} has ${what} as ${owner.urn}. Remove the resource from its program${otherwise}, and run \`pulumi up\`.`,
      );
    }
  }
  return unread;
}

/** The settings that the entry's provider has. Without the project, those of the environment. Rejects with CommandFailure. */
async function configOfEntry(entry: JournalEntry, io: CliIo): Promise<ConfigReader> {
  if (!isReachable(entry, io)) return noConfig;
  const { provider } = entry.stack;
  if (provider === undefined) return configOfStack(io, nameOf(entry));
  const resources = await exportStack(nameOf(entry), io, ["--show-secrets"]);
  const urn = resources.find(
    ({ urn, type }) => /^pulumi:providers:/.test(type) && urnParts(urn).name === provider,
  )?.urn;
  if (urn === undefined) throw new CommandFailure(`The state no longer has the provider "${provider}" of the entry.`);
  return configOfProvider(resources, urn);
}

/** Whether this folder is of the entry's project, with the same backend. */
function isReachable({ stack }: JournalEntry, { cwd, environment }: CliIo): boolean {
  const backend = pulumiBackend(environment, cwd);
  const here = addressOf({ ...stack, backend: backend.url }, backend.folder);
  return projectName(cwd) === stack.project && here.backend === addressOf(stack).backend;
}

function nameOf({ stack: { organization, project, stack } }: JournalEntry): string {
  return organization === undefined ? stack : `${organization}/${project}/${stack}`;
}
