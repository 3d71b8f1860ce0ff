import type { Api } from "../../api/client";
import { CommandFailure, orFailure } from "../command-failure";
import { exitCodes } from "../exit-codes";
import type { Temporal } from "temporal-polyfill";
import type { CommonOptions, OutputOption } from "../command-flags";
import { readInput, withProgress, type CliIo } from "../io";
import { exportStack, resourcesIn, stateShowing, stateWithSecrets, type StateResource } from "../pulumi/stack";
import { apiOpener, type Connect } from "../command-run";
import { configOfStack, noConfig } from "../stack-config";
import { DAY_MS, secondText } from "../../time/utc";
import { after } from "../../time/calendar";
import { printable } from "../../text/terminal-text";
import { AuditLogReader } from "../../lifecycle/recovery/audit-log-reader";
import type { Clock } from "../../time/clock";
import { auditKeys, checkKeys, checkWaiting, keyOfState, statusesOf } from "./key-check";
import { auditJson, auditTable, checkJson, checkTable } from "./rotate-report";
import { neededOfKeys, replacedKeys, stackKeys, type StackKey } from "./stack-keys";

export interface RotateOptions extends CommonOptions, OutputOption {
  readonly check?: true;
  readonly audit?: true;
  /** Default: the selected one. */
  readonly stack?: string | undefined;
  /** A file with an exported state, or `-`, instead of a stack. */
  readonly state?: string | undefined;
  readonly within?: Temporal.Duration | undefined;
  readonly waitQuiet?: Temporal.Duration | undefined;
  readonly days?: number | undefined;
  readonly format: "table" | "json";
}

const DEFAULT_AUDITED_DAYS = 7;

/**
 * Prints which keys are due, or the users of replaced keys. Resolves with the exit code. Rejects with CommandFailure or
 * CloudinfraError.
 */
export async function runRotate(options: RotateOptions, io: CliIo): Promise<number> {
  const { resources, connect } = await sourcesOf(options, io);
  return (options.audit ? audit : check)({ resources, connect, options, io });
}

interface RotateCall {
  readonly resources: readonly StateResource[];
  /** Called only if there is something to ask the API. */
  readonly connect: Connect;
  readonly options: RotateOptions;
  readonly io: CliIo;
}

async function sourcesOf(
  { state, stack }: RotateOptions,
  io: CliIo,
): Promise<Pick<RotateCall, "resources" | "connect">> {
  if (state !== undefined) {
    const resources = resourcesIn(await readInput(state, io));
    const same = (): Promise<readonly StateResource[]> => Promise.resolve(resources);
    return { resources: await stateShowing(neededOfKeys, resources, same), connect: apiOpener(noConfig, same, io) };
  }
  // Started together, because each takes Pulumi a second. The state is awaited first, because its error is more useful.
  const config = configOfStack(io, stack);
  config.catch(() => undefined);
  const secrets = stateWithSecrets(stack, io);
  const resources = await stateShowing(neededOfKeys, await exportStack(stack, io), secrets);
  return { resources, connect: apiOpener(await config, secrets, io) };
}

async function check({ resources, connect, options, io }: RotateCall): Promise<number> {
  const keys = stackKeys(resources);
  const { within, days, waitQuiet } = options;
  const warn = (text: string): void => void io.stderr.write(`warning: ${printable(text)}\n`);
  if (waitQuiet) {
    const late = keys.filter(({ waiting }) => waiting.length > 0);
    await waitUntilQuiet(late, after(0, waitQuiet), { connect, io });
  }
  const { answers: all, failed } = await askEachAccount(keys, { connect, io }, async (api, own) => {
    const { now, waiting } = await checkWaiting(api, own);
    const since = days === undefined ? undefined : now - days * DAY_MS;
    const checked = await checkKeys(api, own, { now, within, since, warn });
    if (checked.every(({ status }) => status === "missing")) await assertAnyDeleted(own, api, io.clock);
    return { now, waiting, keys: checked };
  });
  const [first] = all;
  if (first === undefined && failed.length > 0) return exitCodes.error;
  const ofState = first ? failed.map((key) => keyOfState(key, { now: first.now, within })) : [];
  const found = {
    keys: inStateOrder(keys, [...all.flatMap((each) => each.keys), ...ofState]),
    waiting: all.flatMap(({ waiting }) => waiting),
  };
  io.stdout.write(options.format === "json" ? checkJson(found) : checkTable(found, io));
  if (failed.length > 0) return exitCodes.error;
  if (waitQuiet && found.waiting.some(({ verdict }) => !verdict.isDue)) return exitCodes.notQuiet;
  const isDue = found.keys.some(({ due }) => due !== undefined) || found.waiting.some(({ verdict }) => verdict.isDue);
  return isDue ? exitCodes.due : exitCodes.fine;
}

/**
 * For keys that the API does not show: rejects unless the audit log shows the deletion of one. A key of another account
 * shows none of them. A run with a refresh would make everything again in that account.
 */
async function assertAnyDeleted(keys: readonly StackKey[], api: Api, clock: Clock): Promise<void> {
  const audit = new AuditLogReader(clock, () => api);
  const deletions = await Promise.all(keys.map(({ id, createdAt }) => audit.showsDeletion(id, createdAt)));
  if (deletions.includes(true)) return;
  const names = keys.map(({ name }) => printable(name)).join(", ");
  throw new CommandFailure(
    `The API does not show the keys of the state (${names}): they may be in another account. Check the API key and the base URL. ` +
      "If they were deleted, run `pulumi up --refresh`.",
  );
}

const MAX_PAUSE_MS = 60_000;
const SHORTEST_PAUSE_MS = 5_000;

/**
 * Polls until no replaced key waits any longer, until none can become quiet within the time, or until an account does
 * not answer.
 */
async function waitUntilQuiet(
  keys: readonly StackKey[],
  waitMs: number,
  by: Pick<RotateCall, "connect" | "io">,
): Promise<void> {
  const { clock } = by.io;
  const endsAt = clock.now() + waitMs;
  for (;;) {
    const { answers, failed } = await askEachAccount(keys, by, checkWaiting);
    const late = answers.flatMap(({ waiting }) => waiting).filter(({ verdict }) => !verdict.isDue);
    const [first] = answers;
    if (failed.length > 0 || late.length === 0 || first === undefined) return;
    const ends = late.map(({ verdict }) => verdict.earliest);
    const latest = Math.max(...ends);
    const earliestMs = latest - first.now;
    const leftMs = endsAt - clock.now();
    if (leftMs <= 0 || earliestMs > leftMs) return;
    const names = [...new Set(late.map(({ name }) => printable(name)))].join(", ");
    const text = `Waiting for the replaced keys of ${names}, which can be quiet at ${secondText(latest)}.`;
    // A log that cannot be read is not asked each minute, because it may be long.
    const isUnreadable = late.every(({ verdict }) => verdict.isUnreadable);
    const neededMs = isUnreadable ? Math.min(...ends) - first.now : Math.min(earliestMs, MAX_PAUSE_MS);
    const pauseMs = Math.min(Math.max(neededMs, SHORTEST_PAUSE_MS), leftMs);
    await withProgress(text, by.io, () => clock.sleep(pauseMs));
  }
}

async function audit({ resources, connect, options, io }: RotateCall): Promise<number> {
  const present = stackKeys(resources);
  const replaced = replacedKeys(present);
  const days = options.days ?? DEFAULT_AUDITED_DAYS;
  const { answers: all, failed } = await askEachAccount(replaced, { connect, io }, async (api, own) => {
    const now = await api.fetchTime();
    const since = now - days * DAY_MS;
    const keys = await auditKeys(api, own, since);
    if (keys.every(({ users }) => users.length === 0)) {
      const ofAccount = present.filter(({ provider }) => provider === own[0]?.provider);
      const shown = await statusesOf(api, ofAccount, { now, warn: () => undefined });
      if (shown.every(([, { status }]) => status === "missing")) await assertAnyDeleted(ofAccount, api, io.clock);
    }
    return { keys, since };
  });
  if (all.length === 0 && failed.length > 0) return exitCodes.error;
  const keys = inStateOrder(
    replaced,
    all.flatMap((each) => each.keys),
  );
  const since = all[0]?.since ?? io.clock.now() - days * DAY_MS;
  io.stdout.write(options.format === "json" ? auditJson(keys, since) : auditTable(keys, days, io));
  return failed.length > 0 ? exitCodes.error : exitCodes.fine;
}

/**
 * Asks the API of each account about its own keys. If an account does not answer, says so and continues with the
 * others.
 */
async function askEachAccount<Key extends Pick<StackKey, "provider" | "name">, Answer>(
  keys: readonly Key[],
  { connect, io }: Pick<RotateCall, "connect" | "io">,
  ask: (api: Api, keys: readonly Key[]) => Promise<Answer>,
): Promise<{ readonly answers: readonly Answer[]; readonly failed: readonly Key[] }> {
  const answers: Answer[] = [];
  const failed: Key[] = [];
  const accounts = new Set(keys.map(({ provider }) => provider));
  for (const account of accounts) {
    const own = keys.filter(({ provider }) => provider === account);
    const answer = await orFailure(connect(account).then((api) => ask(api, own).finally(() => api.close())));
    if (answer instanceof Error) {
      const names = own.map(({ name }) => printable(name)).join(", ");
      io.stderr.write(`error: ${answer.message}${accounts.size > 1 ? `\nNot checked: ${names}` : ""}\n`);
      failed.push(...own);
    } else answers.push(answer);
  }
  return { answers, failed };
}

function inStateOrder<Key extends Pick<StackKey, "id">>(
  keys: readonly Pick<StackKey, "id">[],
  found: readonly Key[],
): Key[] {
  const ids = keys.map(({ id }) => id);
  return found.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}
