import type { Simulator } from "../../src/simulator";
import { requestsOf } from "../functions/support";
import { runCli, type CliResult, type CliRun } from "./support";

/** Stands in no text that the doctor may print. */
export const OWNER_KEY = "canary-owner-key-0123456789";

/** Runs `cloudinfra doctor` with the owner's key, and what is given besides or in its place. */
export async function runDoctor(
  api: Simulator,
  environment: Record<string, string> = {},
  run: CliRun = {},
  flags: readonly string[] = [],
): Promise<CliResult> {
  const all = { CLOUDINFRA_API_KEY: api.apiKey, CLOUDINFRA_BASE_URL: api.url, ...environment };
  return runCli(["doctor", ...flags], { environment: all, ...run });
}

/** Tells the simulator what to do; throws where it refuses. */
export async function tell(api: Simulator, path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(api.controlUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
}

/** The lines of the table: subject → mark and finding. */
export function table({ stdout }: CliResult): Record<string, string> {
  const rows = stdout.split("\n\n")[0]?.split("\n") ?? [];
  const cells = rows.map((row) => row.split(/ {2,}/));
  return Object.fromEntries(cells.map(([mark = "", subject = "", finding = ""]) => [subject, `${mark} ${finding}`]));
}

/** What was asked, as a set: the probes go out together. */
export async function askedOf(api: Simulator): Promise<readonly string[]> {
  return (await requestsOf(api)).map(({ method, path, status }) => `${method} ${path} ${status}`).sort();
}
