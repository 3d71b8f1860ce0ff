import { isSameId } from "../../api/same-id";
import type { ConfigReader } from "../../config";
import { addressOf } from "../../journal/address";
import { pulumiBackend } from "../../journal/backend";
import type { JournalEntry } from "../../journal/journal";
import { urnParts } from "../../urn";
import { CommandFailure } from "../command-failure";
import { configOfProvider } from "../explicit-provider";
import type { CliIo } from "../io";
import { projectName } from "../pulumi/project";
import { exportStack, type StateResource } from "../pulumi/stack-state";
import { configOfStack, noConfig } from "../stack-api";

/** The resource of a stack that has the object. If the state cannot be read: a warning. */
export type Holder = { readonly urn: string } | { readonly unknown: string | undefined };

/** Looks for the object in the state of the entry's stack. */
export async function holderOf(entry: JournalEntry, id: string, io: CliIo): Promise<Holder> {
  const { project, stack } = entry.stack;
  const unknown = (why: string): Holder => ({
    unknown:
      `warning: The state of the stack ${project}/${stack} is not known here: ${why}. If the stack has the object, deleting it ` +
      `breaks the stack.\n`,
  });
  if (!isReachable(entry, io)) return unknown("it is another project, or another backend");
  try {
    const resources = await stateOf(entry, io);
    const holder = resources.find((resource) => isSameId(resource.id, id) && resource.external !== true);
    return holder ?? { unknown: undefined };
  } catch (error) {
    if (error instanceof CommandFailure) return unknown(error.message.replace(/\.$/, ""));
    throw error;
  }
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
