import type { CliIo } from "../io";
import { clockLines, credentialLine, regionLines, serviceLine, spareLine, stackLine } from "./lines";
import { probe } from "./probes";
import { renderReport, type Line, type Report } from "./report";
import { baseUrlFinding, dialectFinding, findSettings } from "./settings";
import { signIn } from "./sign-in";
import { openCreations } from "./open-creations";
import { readStackConfig, type StackConfig } from "../pulumi/stack-config";

/** The flags of `cloudinfra doctor`. */
export interface DoctorOptions {
  /** Default: the selected one. */
  readonly stack?: string | undefined;
}

const ABOUT_EDITING = "Only reading was tried: what the key may edit cannot be seen without editing something.";

/**
 * Prints which credential and base URL are in use, from where, and what the key may do. Resolves with whether a program can
 * work with them: false where a credential is refused, the service does not answer, or settings are missing, wrong or
 * unreadable. A permission that the key lacks is no fault.
 */
export async function runDoctor({ stack }: DoctorOptions, io: CliIo): Promise<boolean> {
  const stackConfig = await readStackConfig({ cwd: io.cwd, environment: io.environment, stack });
  const isAsAsked = stackConfig.status === "read" || (stackConfig.status === "absent" && stack === undefined);
  const { isFine, lines, advice } = await examine(stackConfig, io);
  const open = await openCreations(io);
  const report = { lines: [stackLine(stackConfig), ...lines, ...open.lines], advice: [...advice, ...open.advice] };
  io.stdout.write(renderReport(report, io));
  return isFine && isAsAsked;
}

type Examination = Report & { readonly isFine: boolean };

async function examine(stackConfig: StackConfig, { environment, clock }: CliIo): Promise<Examination> {
  const config = stackConfig.status === "read" ? stackConfig.config : (): undefined => undefined;
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
    const place = { projectId: settings.projectId, region: settings.region ?? regions[0]?.name };
    const probed = await probe(api, place);
    return {
      isFine: advice.length === 0,
      lines: [...lines, ...regionLines(regions, settings.region), ...probed.lines],
      advice: [...advice, ...probed.advice, ABOUT_EDITING],
    };
  } finally {
    await api.close();
  }
}
