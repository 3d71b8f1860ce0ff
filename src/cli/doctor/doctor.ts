import { settingsOrFaults } from "../../settings/config";
import { findSetting } from "../../settings/setting-value";
import type { CommonOptions, OutputOption } from "../command-flags";
import { exitCodes, orFailure } from "../command-failure";
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
  spareLine,
  stackIdLines,
  stackLine,
} from "./lines";
import type * as Probes from "./probes";
import { doctorJson, fault, line, renderReport, type DoctorLine } from "./doctor-report";
import { signIn } from "./sign-in";
import { forgetCreations, openCreations } from "./open-creations";
import { projectName } from "../pulumi/run-pulumi";

export interface DoctorOptions extends CommonOptions, OutputOption {
  /** Default: the selected one. */
  readonly stack?: string | undefined;
  readonly format?: "text" | "json" | undefined;
  /** The keys of journal entries that a person has dealt with. */
  readonly forget?: readonly string[] | undefined;
}

/**
 * Prints the credential and base URL in use, their sources, and what the key may do. Resolves with the exit code: fine if a program
 * can work with them and the key may read all that was checked. With `forget`, fine if it has removed these entries.
 */
export async function runDoctor({ stack, format, forget = [] }: DoctorOptions, io: CliIo): Promise<number> {
  const [stackConfig, ofProviders] = await Promise.all([readStackConfig(stack, io), providerLines(stack, io)]);
  const forgotten = await forgetCreations(io, forget);
  const lines = [
    stackLine(stackConfig, projectName(io.cwd), stack !== undefined),
    ...configurationLines(stackConfig),
    ...(await examine(stackConfig, ofProviders.length > 0, io)),
    ...ofProviders,
    ...forgotten,
    ...(await openCreations(io)),
  ];
  const isGood = (all: readonly DoctorLine[]): boolean => !all.some(({ isFault }) => isFault);
  io.stdout.write(format === "json" ? doctorJson(lines, isGood(lines)) : renderReport(lines, io));
  return isGood(forget.length > 0 ? forgotten : lines) ? exitCodes.fine : exitCodes.error;
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

  const tried = await signIn(settings, clock);
  const { last } = tried;
  const lines = [
    ...tried.all.map(credentialLine),
    ...settings.credentials.slice(tried.all.length).map(spareLine),
    baseUrlLine(last.skewMs === undefined ? "no" : "ok", find),
    dialectLine(settings, find),
    ...settings.misspelledVariables.map((text) => line("unknown", "environment", text)),
    ...stackIdLines(settings, stackConfig),
    serviceLine(last),
    ...clockLines(last),
  ];
  if (last.result.status !== "accepted") return lines;

  const { api, regions } = last.result;
  try {
    const scope = { project: find("projectId"), region: settings.region ?? regions[0]?.name };
    // Loaded only if there is a credential, because the resources load Pulumi's SDK.
    const { probe } = require("./probes") as typeof Probes;
    const names = regions.map(({ name }) => name);
    const region = defaultLine("region", find("region"), names);
    return [...lines, regionsLine(regions), region, ...(await probe(api, scope))];
  } finally {
    await api.close();
  }
}

/** Signs in as each explicit provider of the stack, with the settings that the last update left in the state. */
async function providerLines(stack: string | undefined, io: CliIo): Promise<readonly DoctorLine[]> {
  const state = await orFailure(exportStack(stack, io));
  // Empty without a state. The line about the stack says why.
  const resources = state instanceof Error ? [] : state.filter((resource) => resource.delete !== true);
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
  const { last } = await signIn(settings, clock);
  const { finding: outcome, advice } = credentialLine(last);
  const finding = `${baseUrlShown(settings.baseUrl)}, ${outcome}`;
  if (last.result.status !== "accepted") return fault(subject, `${finding}, see below`, advice);
  await last.result.api.close();
  return line("ok", subject, finding);
}
