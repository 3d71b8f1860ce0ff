import { isSameId } from "../../api/same-id";
import type { ConfigReader } from "../../settings/config";
import { addressOf } from "../../journal/address";
import { pulumiBackend } from "../../journal/backend";
import type { JournalEntry } from "../../journal/journal";
import { urnParts } from "../../engine/urn";
import { CommandFailure } from "../command-failure";
import { configOfProvider } from "../explicit-provider";
import type { CliIo } from "../io";
import { stackNames } from "../pulumi/command";
import { projectName } from "../pulumi/project";
import { exportStack, type StateResource } from "../pulumi/stack-state";
import { configOfStack, noConfig } from "../stack-api";

/**
 * Looks for the object in the state of each stack of the backend. Resolves with a sentence for each state that was not read. Rejects with
 * CommandFailure if a state has the object, also as a reference.
 */
export async function unreadStates(entry: JournalEntry, id: string, io: CliIo): Promise<readonly string[]> {
  const { noun, stack: own } = entry;
  if (!isReachable(entry, io)) {
    return [
      `No state was looked at, because this is not the folder of the project ${own.project} with the backend ${own.backend}.`,
    ];
  }
  const { cwd, environment } = io;
  const stacks = await stackNames({ cwd, environment }, ["--all"]);
  if (stacks === undefined) return ["No state was looked at, because `pulumi stack ls --all` fails."];
  const unread: string[] = [];
  for (const stack of stacks) {
    const state = await exportStack({ cwd, environment, stack }).catch((error: unknown) => {
      if (error instanceof CommandFailure) return error;
      throw error;
    });
    if (state instanceof CommandFailure) {
      unread.push(state.message);
      continue;
    }
    const owner = state.find((resource) => isSameId(resource.id, id));
    if (owner === undefined) continue;
    const of = urnParts(owner.urn);
    throw new CommandFailure(
      `${noun} ${id} was not deleted: the stack ${of.project}/${of.stack} has it as ${owner.urn}. Remove the resource from its ` +
        `program, and run \`pulumi up\`.`,
    );
  }
  return unread;
}

/** The settings that the entry's provider has. Without the project, those of the environment. Rejects with CommandFailure. */
export async function configOfEntry(entry: JournalEntry, io: CliIo): Promise<ConfigReader> {
  if (!isReachable(entry, io)) return noConfig;
  const { provider } = entry.stack;
  if (provider === undefined) return configOfStack(io, nameOf(entry));
  const resources = await stateOf(entry, io, ["--show-secrets"]);
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

function stateOf(
  entry: JournalEntry,
  { cwd, environment }: CliIo,
  flags?: readonly "--show-secrets"[],
): Promise<readonly StateResource[]> {
  return exportStack({ cwd, environment, stack: nameOf(entry) }, flags);
}

function nameOf({ stack: { organization, project, stack } }: JournalEntry): string {
  return organization === undefined ? stack : `${organization}/${project}/${stack}`;
}
