import { settingsOrFaults } from "../../settings/config";
import { isOwnProvider, urnParts } from "../../engine/urn";
import { CommandFailure } from "../command-failure";
import { configOfProvider } from "../stack-api";
import type { CliIo } from "../io";
import { exportStack, type StateResource } from "../pulumi/stack-state";
import { credentialLine } from "./lines";
import type { Line, Report } from "./report";
import { baseUrlShown } from "./settings";
import { signIn } from "./sign-in";

export interface ProvidersReport extends Report {
  readonly count: number;
  readonly isFine: boolean;
}

/** Signs in as each explicit provider of the stack, with the settings that the last update left in the state. */
export async function providersReport(stack: string | undefined, io: CliIo): Promise<ProvidersReport> {
  const target = { cwd: io.cwd, environment: io.environment, stack };
  const state = await stateOrFailure(exportStack(target));
  // Without a stack there is no state. The line about the stack says why.
  const urns = state instanceof CommandFailure ? [] : explicitProviders(state);
  // The secrets of the state are only read if somebody signs in with them.
  const opened = urns.length === 0 ? [] : await stateOrFailure(exportStack(target, ["--show-secrets"]));
  const found = await Promise.all(urns.map((urn) => examine(opened, urn, io)));
  return {
    lines: found.map(({ line }) => line),
    advice: [...new Set(found.flatMap(({ advice }) => advice))],
    count: urns.length,
    isFine: found.every(({ line }) => line.verdict === "ok"),
  };
}

function explicitProviders(resources: readonly StateResource[]): readonly string[] {
  const urns = resources.flatMap(({ urn, type, delete: isReplaced }) =>
    type === "pulumi:providers:cloudinfra" && isReplaced !== true && !isOwnProvider(urnParts(urn).name) ? [urn] : [],
  );
  return [...new Set(urns)];
}

/** The state, or why Pulumi does not give it. */
function stateOrFailure(state: Promise<readonly StateResource[]>): Promise<readonly StateResource[] | CommandFailure> {
  return state.catch((error: unknown) => {
    if (error instanceof CommandFailure) return error;
    throw error;
  });
}

interface Examined {
  readonly line: Line;
  readonly advice: readonly string[];
}

async function examine(
  state: readonly StateResource[] | CommandFailure,
  urn: string,
  { environment, clock }: CliIo,
): Promise<Examined> {
  const { name } = urnParts(urn);
  const subject = `provider ${name}`;
  const bad = (finding: string, advice: readonly string[]): Examined => ({
    line: { verdict: "no", subject, finding: `${finding}, see below` },
    advice,
  });
  if (state instanceof CommandFailure) return bad("its settings cannot be read", [state.message]);
  const config = configOfProvider(state, urn);
  const { settings, faults } = settingsOrFaults(config, environment, name);
  if (!settings)
    return bad(
      "its settings are wrong",
      faults.map(({ reason }) => reason),
    );
  const { last } = await signIn(settings, clock);
  const finding = `${baseUrlShown(settings.baseUrl)}, ${credentialLine(last).finding}`;
  if (last.result.status === "accepted") {
    await last.result.api.close();
    return { line: { verdict: "ok", subject, finding }, advice: [] };
  }
  return bad(finding, [last.result.error.message]);
}
