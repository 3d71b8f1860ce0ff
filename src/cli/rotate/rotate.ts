import { CloudinfraError } from "../../api/errors";
import type { Api } from "../../api/client";
import { CommandFailure } from "../command-failure";
import { exitCodes } from "../exit-codes";
import type { CliIo } from "../io";
import { exportStack, readExportedStack, type StateResource } from "../pulumi/stack-state";
import { configOfStack, noConfig, openApi, serviceTime } from "../stack-api";
import { DAY_MS } from "../../rotation/utc";
import { printable } from "../../terminal-text";
import { auditKeys } from "./key-audit";
import { auditJson, auditTable } from "./audit-report";
import { checkKeys } from "./key-check";
import { checkJson, checkTable } from "./check-report";
import type { RotateOptions } from "./options";
import { replacedKeys, stackKeys } from "./stack-keys";

const DEFAULT_AUDITED_DAYS = 7;

/** Prints which keys are due, or the users of replaced keys. Resolves with the exit code. */
export async function runRotate(options: RotateOptions, io: CliIo): Promise<number> {
  try {
    const { resources, connect } = await whatIsAsked(options, io);
    return await (options.audit ? audit : check)({ resources, connect, options, io });
  } catch (error) {
    if (!(error instanceof CommandFailure || error instanceof CloudinfraError)) throw error;
    io.stderr.write(`error: ${error.message.split("\n").map(printable).join("\n")}\n`);
    return exitCodes.error;
  }
}

interface Request {
  readonly resources: readonly StateResource[];
  /** Only if there is something to ask the service. */
  readonly connect: () => Api;
  readonly options: RotateOptions;
  readonly io: CliIo;
}

async function whatIsAsked(
  { state, stack }: RotateOptions,
  io: CliIo,
): Promise<Pick<Request, "resources" | "connect">> {
  if (state !== undefined) {
    return { resources: await readExportedStack(state, io), connect: () => openApi(noConfig, io) };
  }
  // At the same time, because each takes Pulumi a second. The error of the state says more than that of the configuration.
  const config = configOfStack(io, stack);
  config.catch(() => undefined);
  const resources = await exportStack({ cwd: io.cwd, environment: io.environment, stack });
  const read = await config;
  return { resources, connect: () => openApi(read, io) };
}

async function check({ resources, connect, options, io }: Request): Promise<number> {
  const keys = stackKeys(resources);
  const found = await withApi(keys.length > 0, connect, { keys: [], warnings: [] }, async (api) => {
    const now = await serviceTime(api);
    const since = options.days === undefined ? undefined : now - options.days * DAY_MS;
    return checkKeys(api, keys, { now, within: options.within, since });
  });
  for (const warning of found.warnings) io.stderr.write(`warning: ${printable(warning)}\n`);
  io.stdout.write(options.format === "json" ? checkJson(found) : checkTable(found, io));
  return found.keys.some(({ due }) => due !== undefined) ? exitCodes.due : exitCodes.fine;
}

async function audit({ resources, connect, options, io }: Request): Promise<number> {
  const replaced = replacedKeys(stackKeys(resources));
  const days = options.days ?? DEFAULT_AUDITED_DAYS;
  const nothing = { keys: [], since: io.clock.now() - days * DAY_MS };
  const { keys, since } = await withApi(replaced.length > 0, connect, nothing, async (api) => {
    const since = (await serviceTime(api)) - days * DAY_MS;
    return { keys: await auditKeys(api, replaced, since), since };
  });
  io.stdout.write(options.format === "json" ? auditJson(keys, { days, since }) : auditTable(keys, { days, since }));
  return exitCodes.fine;
}

async function withApi<Answer>(
  isNeeded: boolean,
  connect: () => Api,
  otherwise: Answer,
  ask: (api: Api) => Promise<Answer>,
): Promise<Answer> {
  if (!isNeeded) return otherwise;
  const api = connect();
  try {
    return await ask(api);
  } finally {
    await api.close();
  }
}
