import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Environment } from "./config";

const OWN = "pulumi-cloudinfra";

/**
 * The folder of the journal, in the user's state folder: kept between runs, and not for backups or other machines. Undefined if
 * the user has no home: a folder that all users may write to would not do.
 */
export function journalFolder(
  environment: Environment = process.env,
  platform: string = process.platform,
): string | undefined {
  return ownFolderIn(["XDG_STATE_HOME", [".local", "state"]], "journal", environment, platform);
}

/**
 * The folder of what V8 has compiled, in the user's cache folder: nobody else writes there, and it may be deleted. Undefined if the
 * user has no home.
 */
export function compileCacheFolder(
  environment: Environment = process.env,
  platform: string = process.platform,
): string | undefined {
  return ownFolderIn(["XDG_CACHE_HOME", [".cache"]], "compile-cache", environment, platform);
}

function ownFolderIn(
  [variable, inHome]: readonly [variable: string, inHome: readonly string[]],
  name: string,
  environment: Environment,
  platform: string,
): string | undefined {
  const named = environment[platform === "win32" ? "LOCALAPPDATA" : variable];
  // The XDG specification has relative ones ignored.
  if (named !== undefined && isAbsolute(named)) return join(named, OWN, name);
  const home = homeFolder();
  return home && join(home, ...(platform === "win32" ? ["AppData", "Local"] : inHome), OWN, name);
}

/** HOME, unless it is empty; else what the system knows of the user, which in a container often is nothing. */
function homeFolder(): string | undefined {
  for (const ask of [homedir, () => userInfo().homedir]) {
    try {
      const home = ask();
      if (isAbsolute(home)) return home;
    } catch {
      // The user has no entry.
    }
  }
  return undefined;
}
