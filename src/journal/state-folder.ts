import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../config";

/** The folder of the journal, in the user's state folder: kept between runs, and not for backups or other machines. */
export function journalFolder(environment: Environment = process.env, platform: string = process.platform): string {
  return join(stateFolder(environment, platform), "pulumi-cloudinfra", "journal");
}

function stateFolder(environment: Environment, platform: string): string {
  if (platform === "win32") return environment["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local");
  const named = environment["XDG_STATE_HOME"];
  // The XDG specification has relative ones ignored.
  return named !== undefined && isAbsolute(named) ? named : join(homedir(), ".local", "state");
}
