import { randomUUID } from "node:crypto";
import { spawn } from "node:child_process";
import { basename } from "node:path";
import { isSameId } from "../../api/same-id";
import { environmentName } from "../../engine/config-keys";
import type { RowLog } from "../../engine/row-log";
import { nativeToken } from "../../engine/urn";
import { noJournal, type Journal } from "../../journal/journal";
import { kindOf } from "../../lifecycle/kind/kind";
import { lifecycleOf } from "../../lifecycle/lifecycle";
import { NO_MEMORY, type ResourceRequest, type ResourceState } from "../../lifecycle/resource-request";
import { createRun, type Run } from "../../lifecycle/run/run";
import { version } from "../../process/version";
import { apiKey } from "../../resources/api-key";
import { definitions } from "../../resources/definitions";
import type { ApiKeyPermission } from "../../resources/api-key-permission";
import { codeAfter, endOf } from "../child-process";
import { CommandFailure, exitCodes } from "../command-failure";
import type { CommonOptions } from "../command";
import { journalOf } from "../doctor/open-creations";
import { WITHOUT_STATE } from "../doctor/left-object";
import type { CliIo } from "../io";
import { configOfStack } from "../stack-api";

export interface WithKeyOptions extends CommonOptions {
  readonly permissions: readonly ApiKeyPermission[];
  /** How long the key lives if nothing deletes it, in milliseconds. */
  readonly for: number;
  /** Default: `cloudinfra:projectId`. */
  readonly project: readonly string[];
  readonly stack?: string;
}

/** The variables that this provider, the public Terraform provider and the public SDKs read. */
const KEY_VARIABLES = [environmentName("apiKey"), "NIRVANA_LABS_API_KEY"];

const kind = kindOf(apiKey, definitions);

/**
 * Runs a command with its own key. The key is made and deleted like a resource's: with an entry in the journal, and until the API answers 404. Resolves with
 * the command's exit code. Rejects with CommandFailure or a CloudinfraError.
 */
export async function runWithKey(command: readonly string[], options: WithKeyOptions, io: CliIo): Promise<number> {
  const config = await configOfStack(io, options.stack);
  const journal = journalWithoutStates(io);
  const { environment, clock } = io;
  const run = createRun({ config, environment, clock, rows: rowsOn(io), version, journal });
  let interruptedBy: NodeJS.Signals | undefined;
  const interrupt = (signal: NodeJS.Signals): void => void (interruptedBy ??= signal);
  try {
    const keys = lifecycleOf(kind, () => run);
    const request = await requestFor(command, options, run);
    const { state, findings } = await keys.check(request);
    const faults = findings.map(({ field, reason }) => `${field}: ${reason}`);
    if (faults.length > 0) throw new CommandFailure(`The key was not made.\n${faults.join("\n")}`);

    // The first signal waits until the key is deleted.
    for (const signal of SIGNALS) process.once(signal, interrupt);
    const made = await keys.create({ ...request, inputs: state.props, memory: state.memory });
    const held = { ...request, id: made.id, inputs: state.props, memory: made.state.memory, previous: made.state };
    let code: number = exitCodes.error;
    try {
      await limitToThisMachine(held, run, keys.update, io);
      code = interruptedBy
        ? codeAfter(interruptedBy)
        : await ended(command, { ...io, environment: withKey(io, run, made.state) });
    } finally {
      await keys.delete({ ...held, inputs: made.state.props, previous: undefined });
      const { entries } = await journal.all();
      await Promise.all(entries.filter(({ id }) => isSameId(id, made.id)).map((entry) => journal.remove(entry)));
    }
    return code;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
    await run.api.close();
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** No state ever has the key. So nothing is handed over, and the entry names the key until it is deleted. */
function journalWithoutStates({ environment }: CliIo): Journal {
  const files = journalOf(environment);
  if (files === undefined) return noJournal;
  return {
    write: (entry) => files.write({ ...entry, isHandedOver: undefined }),
    noteWarned: (entry, reader) => files.noteWarned(entry, reader),
    remove: (entry) => files.remove(entry),
    all: () => files.all(),
  };
}

/** Rows are for resources of a program. Here, only warnings matter. */
function rowsOn({ stderr }: CliIo): RowLog {
  return {
    line: (_urn, severity, text) => {
      if (severity === "warning") stderr.write(`warning: ${text}\n`);
      return Promise.resolve();
    },
    status: () => undefined,
  };
}

async function requestFor(
  [program = ""]: readonly string[],
  { permissions, for: lifetimeMs, project }: WithKeyOptions,
  run: Run,
): Promise<ResourceRequest> {
  const name = `with-key ${basename(program)}`;
  // Each command has its own key, also beside an equal one.
  const urn = `urn:pulumi:with-key::${WITHOUT_STATE}::${nativeToken(kind.type)}::${name} ${randomUUID()}`;
  const expiresAt = new Date((await run.serviceTime(urn)) + lifetimeMs).toISOString();
  return {
    urn,
    id: "",
    isPreview: false,
    inputs: { name, permissions, expiresAt, ...(project.length > 0 && { projectIds: project }) },
    memory: NO_MEMORY,
    previous: undefined,
    isReference: false,
    organization: undefined,
    registered: undefined,
  };
}

/** The audit log shows the address that the API sees. If it does not, the key works from everywhere, and a line says so. */
async function limitToThisMachine(
  held: ResourceRequest,
  run: Run,
  update: (request: ResourceRequest) => Promise<unknown>,
  { stderr }: CliIo,
): Promise<void> {
  try {
    const address = await addressOfMaker(held.id, run);
    if (address === undefined) throw new Error("the audit log does not show the address of this machine");
    await update({ ...held, inputs: { ...held.inputs, sourceIpRule: { allowed: [address], blocked: [] } } });
  } catch (error) {
    stderr.write(
      `warning: The key works from every address: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
}

async function addressOfMaker(id: string, { api }: Run): Promise<string | undefined> {
  const since = api.serverNow() - 60_000;
  for await (const { target, method, client_ip } of api.auditLogs.list({
    since,
    purpose: "look for this machine's address",
  }))
    if (target?.id === id && method === "POST") return client_ip;
  return undefined;
}

/** The key, and the API that it is for, so that the command shows it to no other. */
function withKey({ environment }: CliIo, { settings }: Run, { props }: ResourceState): NodeJS.ProcessEnv {
  const secret = String(props["key"]);
  return {
    ...environment,
    ...Object.fromEntries(KEY_VARIABLES.map((name) => [name, secret])),
    [environmentName("baseUrl")]: settings.baseUrl,
  };
}

async function ended([program = "", ...args]: readonly string[], { cwd, environment }: CliIo): Promise<number> {
  try {
    const child = spawn(program, args, { cwd, env: { ...environment }, stdio: "inherit" });
    return await endOf(child, ["SIGTERM", "SIGHUP"]);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such command" : message;
    throw new CommandFailure(`${program} cannot be started: ${why}.`, { cause: error });
  }
}
