import type { CommonOptions, OutputOption } from "../command";
import { exitCodes } from "../command-failure";
import type { CliIo } from "../io";
import { clockLines, credentialLine, regionLines, serviceLine, spareLine, stackLine } from "./lines";
import type * as Probes from "./probes";
import { jsonReport, renderReport, type Line, type Report } from "./report";
import { providersReport, type ProvidersReport } from "./providers";
import { baseUrlFinding, configurationReport, dialectFinding, findSettings, hasCredential } from "./settings";
import { signIn } from "./sign-in";
import { forgetCreations, openCreations } from "./open-creations";
import { projectName } from "../pulumi/command";
import { readStackConfig, type StackConfig } from "../pulumi/stack-config";

export interface DoctorOptions extends CommonOptions, OutputOption {
  /** Default: the selected one. */
  readonly stack?: string | undefined;
  readonly format?: "text" | "json" | undefined;
  /** Entries of the journal that a person has dealt with. */
  readonly forget?: readonly string[] | undefined;
}

const ABOUT_EDITING = "The doctor only reads. It cannot find out what the key may edit without editing something.";

/**
 * Prints the credential and base URL in use, their sources, and what the key may do. Resolves with the exit code: fine if a
 * program can work with them, and the key may read everything that was asked for.
 */
export async function runDoctor({ stack, format, forget = [] }: DoctorOptions, io: CliIo): Promise<number> {
  const [stackConfig, providers] = await Promise.all([
    readStackConfig({ cwd: io.cwd, environment: io.environment, stack }),
    providersReport(stack, io),
  ]);
  const isAsAsked = stackConfig.status === "read" || (stackConfig.status === "absent" && stack === undefined);
  const own = await examine(stackConfig, providers, io);
  const forgotten = await forgetCreations(io, forget);
  const open = await openCreations(io);
  const parts = [configurationReport(stackConfig), own, providers, forgotten, open];
  const report = {
    lines: [stackLine(stackConfig, projectName(io.cwd)), ...parts.flatMap(({ lines }) => lines)],
    advice: parts.flatMap(({ advice }) => advice),
  };
  const isGood =
    isAsAsked && own.isFine && providers.isFine && forgotten.lines.every(({ verdict }) => verdict === "ok");
  io.stdout.write(format === "json" ? jsonReport(report, isGood) : renderReport(report, io));
  return isGood ? exitCodes.fine : exitCodes.error;
}

/** A program may work with its explicit providers alone. */
const NONE_OF_ITS_OWN: Report = {
  lines: [
    {
      verdict: "unknown",
      subject: "credential",
      finding: "none in the stack's configuration or the environment: only the explicit providers have one",
    },
  ],
  advice: [],
};

type Examination = Report & { readonly isFine: boolean };

async function examine(
  stackConfig: StackConfig,
  providers: ProvidersReport,
  { environment, clock }: CliIo,
): Promise<Examination> {
  const config = stackConfig.status === "read" ? stackConfig.config : (): undefined => undefined;
  // The advice to set something in the stack would be about another stack.
  if (stackConfig.status === "unreadable" && !hasCredential(config, environment))
    return { lines: [], advice: [], isFine: false };
  if (providers.count > 0 && !hasCredential(config, environment)) return { ...NONE_OF_ITS_OWN, isFine: true };
  const found = findSettings(config, environment);
  if (found.status === "bad") return { ...found, isFine: false };

  const { settings } = found;
  const tried = await signIn(settings, clock);
  const { last } = tried;
  const lines: Line[] = [
    ...tried.all.map(credentialLine),
    ...settings.credentials.slice(tried.all.length).map(spareLine),
    {
      verdict: last.skewMs === undefined ? "no" : "ok",
      subject: "base URL",
      finding: baseUrlFinding(config, environment),
    },
    { verdict: "ok", subject: "dialect", finding: dialectFinding(settings, config, environment) },
    serviceLine(last),
    ...clockLines(last),
  ];
  const advice = tried.all.flatMap(({ result }) => ("error" in result ? [result.error.message] : []));
  if (last.result.status !== "accepted") return { isFine: false, lines, advice };

  const { api, regions } = last.result;
  try {
    const scope = { projectId: settings.projectId, region: settings.region ?? regions[0]?.name };
    // Only if there is somebody to ask: the resources bring Pulumi's SDK with them.
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when it is needed
    const { probe } = require("./probes") as typeof Probes;
    const probed = await probe(api, scope);
    return {
      isFine: advice.length === 0 && probed.isFine,
      lines: [...lines, ...regionLines(regions, settings.region), ...probed.lines],
      advice: [...advice, ...probed.advice, ABOUT_EDITING],
    };
  } finally {
    await api.close();
  }
}
