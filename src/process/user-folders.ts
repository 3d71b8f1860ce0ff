import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Environment } from "./environment";

const OWN = "pulumi-cloudinfra";

/**
 * The folder of the journal, in the user's state folder, which is kept between runs and not copied to other machines.
 * Undefined if the user has no home, because all users may write to other folders.
 */
export function journalFolder(
  environment: Environment = process.env,
  platform: string = process.platform,
): string | undefined {
  return ownFolderIn(["XDG_STATE_HOME", [".local", "state"]], "journal", environment, platform);
}

/**
 * The folder of V8's compiled code, in the user's cache folder. Only the user writes there, and it may be deleted. Undefined
 * if the user has no home.
 */
export function compileCacheFolder(
  environment: Environment = process.env,
  platform: string = process.platform,
): string | undefined {
  return ownFolderIn(["XDG_CACHE_HOME", [".cache"]], "compile-cache", environment, platform);
}

/**
 * The folder of what the processes of one run tell each other, in the user's cache folder. Only the user writes there. Undefined
 * if the user has no home.
 */
export function runsFolder(
  environment: Environment = process.env,
  platform: string = process.platform,
): string | undefined {
  return ownFolderIn(["XDG_CACHE_HOME", [".cache"]], "runs", environment, platform);
}

/** The folder where Pulumi keeps plugins. Undefined if the user has no home and names no other. */
export function pulumiHome(environment: Environment = process.env): string | undefined {
  const home = homeFolder();
  return environment["PULUMI_HOME"] || (home && join(home, ".pulumi"));
}

function ownFolderIn(
  [variable, inHome]: readonly [variable: string, inHome: readonly string[]],
  name: string,
  environment: Environment,
  platform: string,
): string | undefined {
  const named = environment[platform === "win32" ? "LOCALAPPDATA" : variable];
  // The XDG specification says to ignore relative paths.
  if (named !== undefined && isAbsolute(named)) return join(named, OWN, name);
  const home = homeFolder();
  return home && join(home, ...(platform === "win32" ? ["AppData", "Local"] : inHome), OWN, name);
}

/** HOME, or if it is empty, the system's entry of the user. In a container there is often none. */
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
