import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Environment } from "./config";

const OWN = "pulumi-cloudinfra";

/** The folder of the journal, in the user's state folder: kept between runs, and not for backups or other machines. */
export function journalFolder(environment: Environment = process.env, platform: string = process.platform): string {
  return join(folderOf("XDG_STATE_HOME", [".local", "state"], environment, platform), OWN, "journal");
}

/** The folder of what V8 has compiled, in the user's cache folder: nobody else writes there, and it may be deleted. */
export function compileCacheFolder(
  environment: Environment = process.env,
  platform: string = process.platform,
): string {
  return join(folderOf("XDG_CACHE_HOME", [".cache"], environment, platform), OWN, "compile-cache");
}

function folderOf(variable: string, inHome: readonly string[], environment: Environment, platform: string): string {
  if (platform === "win32") return environment["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local");
  const named = environment[variable];
  // The XDG specification has relative ones ignored.
  return named !== undefined && isAbsolute(named) ? named : join(homedir(), ...inHome);
}
