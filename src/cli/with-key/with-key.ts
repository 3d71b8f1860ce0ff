import { spawn } from "node:child_process";
import { basename } from "node:path";
import { MAX_ENTRIES } from "../../api/lists/audit-log";
import { isSameId } from "../../definition/same-id";
import { environmentName } from "../../engine/settings-list";
import { CancelledError, messageOf } from "../../lifecycle/errors";
import type { Run } from "../../lifecycle/run/run";
import type { ResourceState } from "../../lifecycle/resource-request";
import { LATE_ANSWER_PAUSES, pollUntil } from "../../time/clock";
import { dateText } from "../../time/utc";
import type { ApiKeyPermission } from "../../resources/api-key-permission";
import { signalCode, waitForExit } from "../signals";
import { CommandFailure } from "../command-failure";
import type { CommonOptions } from "../command-flags";
import type { CliIo } from "../io";
import { notShownText, OwnKeys, remainsText, type OwnKey } from "../own-keys";
import { stackWords } from "../pulumi/stack";
import { configOfStack } from "../stack-config";

export interface WithKeyOptions extends CommonOptions {
  readonly permissions: readonly ApiKeyPermission[];
  /** The lifetime of the key in milliseconds, if nothing deletes it. */
  readonly for: number;
  /** Default: `cloudinfra:projectId`. */
  readonly project: readonly string[];
  readonly stack?: string;
}

/** The variables that this provider, the public Terraform provider and the public SDKs read. */
const KEY_VARIABLES = [environmentName("apiKey"), "NIRVANA_LABS_API_KEY"];
const URL_VARIABLES = [environmentName("baseUrl"), "NIRVANA_LABS_BASE_URL"];

/**
 * Runs a command with its own key, and deletes the key when the command has ended. Resolves with the command's exit
 * code. Rejects with CommandFailure or a CloudinfraError.
 */
export async function runWithKey(command: readonly string[], options: WithKeyOptions, io: CliIo): Promise<number> {
  const config = await configOfStack(io, options.stack);
  if (config("apiKey") !== undefined) {
    const text = `The configuration of ${stackWords(options.stack)} has an API key, and its program would use that one, not the key of this command.`;
    if (runsSelectedStack(command))
      throw new CommandFailure(
        `${text} Run \`pulumi config rm cloudinfra:apiKey\`, and give your own key as ${environmentName("apiKey")}.`,
      );
    io.stderr.write(`warning: ${text}\n`);
  }
  const interruption = new AbortController();
  const keys = new OwnKeys("with-key", config, io, interruption.signal);
  let interruptedBy: NodeJS.Signals | undefined;
  const interrupt = (signal: NodeJS.Signals): void => {
    interruptedBy ??= signal;
    interruption.abort(new CancelledError(`${signal} has interrupted the command.`));
  };
  try {
    const { permissions, for: lifetimeMs, project } = options;
    // In whole seconds, because the API may keep no fraction.
    const expiresAt = dateText(Math.ceil(((await keys.now()) + lifetimeMs) / 1_000) * 1_000);
    const wanted = { permissions, expiresAt, ...(project.length > 0 && { projectIds: project }) };
    const request = await keys.check(`with-key ${basename(command[0] ?? "")}`, wanted);

    // A first signal ends all waits for the key, which is still deleted. A second one ends the process.
    for (const signal of SIGNALS) process.once(signal, interrupt);
    const key = await keys.make(request);
    try {
      await limitToThisMachine(key, keys, io, interruption.signal);
      return interruptedBy
        ? signalCode(interruptedBy)
        : await runCommand(command, { ...io, environment: withKey(io, keys.run, key.last) });
    } finally {
      const isDeleted = await keys.delete(key).catch((error: unknown) => {
        throw new CommandFailure(`${messageOf(error)}\n${remainsText(key)}`, { cause: error });
      });
      if (!isDeleted) io.stderr.write(`warning: ${notShownText(key)}\n`);
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
    await keys.close();
  }
}

/** True if the command runs Pulumi's CLI, also with `npx`, and does not name a stack. */
function runsSelectedStack(command: readonly string[]): boolean {
  const [program = "", ...args] = command[0] === "npx" ? command.slice(1) : command;
  return basename(program, ".exe") === "pulumi" && !args.some((arg) => /^(-s|--stack)/.test(arg));
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** How late the log may show the creation of the key. */
const LOG_LATE_MS = 10_000;
/** The greatest difference between the clock of the log and that of the API. */
const CLOCK_SKEW_MS = 60_000;

/**
 * Restricts the key to this machine's address, which the audit log shows. If it does not, the key works from
 * everywhere, and a line says so.
 */
async function limitToThisMachine(
  key: OwnKey,
  keys: OwnKeys,
  { stderr }: CliIo,
  interruption: AbortSignal,
): Promise<void> {
  try {
    const address = await addressOfMaker(key.id, keys.run);
    if (address === undefined) throw new Error("the audit log does not show the address of this machine");
    await keys.change(key, { sourceIpRule: { allowed: [address], blocked: [] } });
  } catch (error) {
    if (!interruption.aborted) stderr.write(`warning: The key works from every address: ${messageOf(error)}\n`);
  }
}

/** Reads the log back to the creation of the key, and reads it again for some seconds, because it may be late. */
async function addressOfMaker(id: string, { api, clock }: Run): Promise<string | undefined> {
  const period = { since: api.now() - CLOCK_SKEW_MS, mostEntries: MAX_ENTRIES };
  const look = async (): Promise<string | undefined> => {
    for await (const entry of api.auditLogs.list({ ...period, purpose: "look for this machine's address" })) {
      if (isSameId(entry.target?.id, id) && entry.method === "POST") return entry.client_ip;
    }
    return undefined;
  };
  const schedule = { ...LATE_ANSWER_PAUSES, endsAt: clock.now() + LOG_LATE_MS };
  return pollUntil(clock, schedule, look, (address) => address !== undefined);
}

/** The environment of the command: the key and its API, so that the command sends the key to no other. */
function withKey({ environment }: CliIo, { settings }: Run, { props }: ResourceState): NodeJS.ProcessEnv {
  const secret = String(props["key"]);
  return {
    ...environment,
    ...Object.fromEntries(KEY_VARIABLES.map((name) => [name, secret])),
    ...Object.fromEntries(URL_VARIABLES.map((name) => [name, settings.baseUrl])),
  };
}

async function runCommand([program = "", ...args]: readonly string[], { cwd, environment }: CliIo): Promise<number> {
  try {
    const child = spawn(program, args, { cwd, env: { ...environment }, stdio: "inherit" });
    return await waitForExit(child, ["SIGTERM", "SIGHUP"]);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such command" : message;
    throw new CommandFailure(`${program} cannot be started: ${reason}.`, { cause: error });
  }
}
