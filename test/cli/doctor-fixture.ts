import type { Simulator } from "../../src/simulator";
import { requestsOf } from "../functions/support";
import { runCli, type CliResult, type CliRun } from "./support";

/** A secret that no output of the doctor may contain. */
export const OWNER_KEY = "canary-owner-key-0123456789";

export interface DoctorResult extends CliResult {
  /** The lines of the table: subject → mark and finding. */
  readonly table: Readonly<Record<string, string>>;
}

/** Runs `cloudinfra doctor` with the owner's key, and with these additional or other settings. */
export async function runDoctor(
  api: Simulator,
  environment: Record<string, string> = {},
  run: CliRun = {},
  flags: readonly string[] = [],
): Promise<DoctorResult> {
  const all = { CLOUDINFRA_API_KEY: api.apiKey, CLOUDINFRA_BASE_URL: api.url, ...environment };
  const result = await runCli(["doctor", ...flags], { environment: all, ...run });
  return { ...result, table: tableIn(result) };
}

function tableIn({ stdout }: CliResult): Record<string, string> {
  const rows = stdout.split("\n\n")[0]?.split("\n") ?? [];
  const cells = rows.map((row) => row.split(/ {2,}/));
  return Object.fromEntries(cells.map(([mark = "", subject = "", finding = ""]) => [subject, `${mark} ${finding}`]));
}

/** The requests as a set, because the checks run at the same time. */
export async function requestLines(api: Simulator): Promise<readonly string[]> {
  return (await requestsOf(api)).map(({ method, path, status }) => `${method} ${path} ${status}`).sort();
}
