import { settingsOrFaults } from "../../settings/config";
import { findSetting } from "../../engine/settings-list";
import type { CommonOptions, OutputOption } from "../command-flags";
import { orFailure } from "../command-failure";
import { exitCodes } from "../exit-codes";
import { isExplicitProvider, urnParts } from "../../engine/urn";
import { exportStack, type StateResource, readStackConfig, type StackConfig } from "../pulumi/stack";
import type { CliIo } from "../io";
import { configOfProvider, noConfig } from "../stack-config";
import {
  baseUrlLine,
  baseUrlShown,
  clockLines,
  configurationLines,
  credentialLine,
  defaultLine,
  dialectLine,
  faultLines,
  regionsLine,
  serviceLine,
  stackIdLines,
  stackLine,
} from "./lines";
import type * as Probes from "./probes";
import { doctorJson, fault, line, renderReport, type DoctorLine } from "./doctor-report";
import { signIn } from "./sign-in";
import { forgetCreations, openCreations } from "./open-creations";
import { backendInUse } from "../pulumi/backend";
import { projectName } from "../pulumi/run-pulumi";

export interface DoctorOptions extends CommonOptions, OutputOption {
  /** Default: the selected one. */
  readonly stack?: string | undefined;
  readonly format?: "text" | "json" | undefined;
  /** List what the journal has of all projects on this machine, as the JSON always does. */
  readonly all?: true | undefined;
  /** The keys of journal entries that a person has dealt with. */
  readonly forget?: readonly string[] | undefined;
}

/**
 * Prints the credential and base URL in use, their sources, and what the key may do. Resolves with the exit code: fine
 * if a program can work with them and the key may read all that was checked. With `forget`, it only removes these
 * entries, and is fine if it has.
 */
export async function runDoctor({ stack, format, all, forget = [] }: DoctorOptions, io: CliIo): Promise<number> {
  const isComplete = all === true || format === "json";
  const lines = await (forget.length > 0 ? forgetCreations(io, forget) : linesOn(stack, isComplete, io));
  const isFine = !lines.some(({ isFault }) => isFault);
  io.stdout.write(format === "json" ? doctorJson(lines, isFine) : renderReport(lines, io));
  return isFine ? exitCodes.fine : exitCodes.error;
}

async function linesOn(stack: string | undefined, isComplete: boolean, io: CliIo): Promise<readonly DoctorLine[]> {
  const [stackConfig, exported] = await Promise.all([readStackConfig(stack, io), orFailure(exportStack(stack, io))]);
  const ofProviders = await providerLines(exported instanceof Error ? [] : exported, stack, io);
  const project = projectName(io.cwd);
  const name = stack ?? (stackConfig.status === "read" ? stackConfig.stack : undefined);
  return [
    stackLine(stackConfig, project, stack !== undefined),
    ...configurationLines(stackConfig, project),
    ...(await examine(stackConfig, ofProviders.length > 0, io)),
    ...ofProviders,
    ...(await openCreations(io, { project, stack: name, backend: backendInUse(io), state: exported }, isComplete)),
  ];
}

/** Not a fault, because a program may use explicit providers only. */
const NONE_OF_ITS_OWN = line(
  "unknown",
  "credential",
  "none in the stack's configuration or the environment: only the explicit providers have one",
);

async function examine(
  stackConfig: StackConfig,
  hasProviders: boolean,
  { environment, clock }: CliIo,
): Promise<readonly DoctorLine[]> {
  const config = stackConfig.status === "read" ? stackConfig.config : noConfig;
  const find: Parameters<typeof faultLines>[0] = (key) => findSetting({ config, environment }, key);
  if (find("apiKey") === undefined) {
    // Without the stack's configuration, advice on settings of the stack would be wrong.
    if (stackConfig.status === "unreadable") return [];
    if (hasProviders) return [NONE_OF_ITS_OWN];
  }
  const { settings, faults } = settingsOrFaults(config, environment);
  if (!settings) return faultLines(find, faults);

  const signedIn = await signIn(settings, clock);
  const lines = [
    credentialLine(signedIn),
    baseUrlLine(signedIn.isAnswered ? "ok" : "no", find),
    dialectLine(settings, find),
    ...settings.misspelledVariables.map((text) => line("unknown", "environment", text)),
    ...stackIdLines(settings, stackConfig),
    serviceLine(signedIn),
    ...clockLines(signedIn),
  ];
  if (signedIn.result.status !== "accepted") return lines;

  const { api, regions } = signedIn.result;
  try {
    const names = regions.map(({ name }) => name);
    // If the configured region is not among those listed, one line says so. The quotas are those of another one.
    const isUsable = names.length === 0 || names.some((name) => name === settings.region);
    const scope = { project: find("projectId"), region: isUsable ? settings.region : names[0] };
    // Loaded only if there is a credential, because the resources load Pulumi's SDK.
    const { probe } = require("./probes") as typeof Probes;
    const region = defaultLine("region", find("region"), names);
    return [...lines, regionsLine(regions), region, ...(await probe(api, scope))];
  } finally {
    await api.close();
  }
}

/** Signs in as each explicit provider of the stack, with the settings that the last update left in the state. */
async function providerLines(
  state: readonly StateResource[],
  stack: string | undefined,
  io: CliIo,
): Promise<readonly DoctorLine[]> {
  const resources = state.filter((resource) => resource.delete !== true);
  const urns = [...new Set(resources.filter(isExplicitProvider).map(({ urn }) => urn))];
  // The secrets of the state are only read if a provider signs in with them.
  const opened = urns.length === 0 ? [] : await orFailure(exportStack(stack, io, ["--show-secrets"]));
  return Promise.all(urns.map((urn) => examineProvider(opened, urn, io)));
}

async function examineProvider(
  state: readonly StateResource[] | Error,
  urn: string,
  { environment, clock }: CliIo,
): Promise<DoctorLine> {
  const { name } = urnParts(urn);
  const subject = `provider ${name}`;
  if (state instanceof Error) return fault(subject, "its settings cannot be read, see below", [state.message]);
  const { settings, faults } = settingsOrFaults(configOfProvider(state, urn), environment, name);
  if (!settings) {
    const reasons = faults.map(({ reason }) => reason);
    return fault(subject, "its settings are wrong, see below", reasons);
  }
  const signedIn = await signIn(settings, clock);
  const { finding: outcome, advice } = credentialLine(signedIn);
  const finding = `${baseUrlShown(settings.baseUrl)}, ${outcome}`;
  if (signedIn.result.status !== "accepted") return fault(subject, `${finding}, see below`, advice);
  await signedIn.result.api.close();
  return line("ok", subject, finding);
}
