import { settingsOrFaults } from "../../settings/config";
import { isExplicitProvider, urnParts } from "../../engine/urn";
import { orFailure } from "../command-failure";
import { configOfProvider } from "../stack-api";
import type { CliIo } from "../io";
import { exportStack, type StateResource } from "../pulumi/stack-state";
import { baseUrlShown, credentialLine } from "./lines";
import { fault, line, type DoctorLine } from "./doctor-report";
import { signIn } from "./sign-in";

/** Signs in as each explicit provider of the stack, with the settings that the last update left in the state. */
export async function providerLines(stack: string | undefined, io: CliIo): Promise<readonly DoctorLine[]> {
  const state = await orFailure(exportStack(stack, io));
  // Empty without a state. The line about the stack says why.
  const resources = state instanceof Error ? [] : state.filter((resource) => resource.delete !== true);
  const urns = [...new Set(resources.filter(isExplicitProvider).map(({ urn }) => urn))];
  // The secrets of the state are only read if a provider signs in with them.
  const opened = urns.length === 0 ? [] : await orFailure(exportStack(stack, io, ["--show-secrets"]));
  return Promise.all(urns.map((urn) => examine(opened, urn, io)));
}

async function examine(
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
