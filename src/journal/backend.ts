import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../config";

/**
 * Where Pulumi keeps the state: what the environment says, else what `pulumi login` has chosen. Empty where neither is to be
 * had: stacks of equal names in different backends are then one to the journal.
 */
export function pulumiBackend(environment: Environment = process.env): string {
  const named = environment["PULUMI_BACKEND_URL"];
  if (named !== undefined && named !== "") return named;
  const folder = environment["PULUMI_CREDENTIALS_PATH"] ?? environment["PULUMI_HOME"] ?? join(homedir(), ".pulumi");
  try {
    const { current } = JSON.parse(readFileSync(join(folder, "credentials.json"), "utf8")) as { current?: unknown };
    return typeof current === "string" ? current : "";
  } catch {
    return ""; // nobody has logged in
  }
}
