import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

const OWN = "pulumi-cloudinfra";

/** Undefined if the user has no home, because all users may write to other folders. */
type FolderOf = (environment?: Environment, platform?: string) => string | undefined;

/** The folder of the journal, in the user's state folder, which is kept between runs. */
export const journalFolder: FolderOf = folderIn("XDG_STATE_HOME", [".local", "state"], "journal");

/** The folder of V8's compiled code, in the user's cache folder. Only the user writes there, and it may be deleted. */
export const compileCacheFolder: FolderOf = folderIn("XDG_CACHE_HOME", [".cache"], "compile-cache");

/**
 * The folder of the files that the processes of one run share, in the user's cache folder, or without a home in
 * Pulumi's. Only the user writes there.
 */
export const runsFolder: FolderOf = (environment = process.env, platform = process.platform) => {
  const home = pulumiHome(environment);
  return folderIn("XDG_CACHE_HOME", [".cache"], "runs")(environment, platform) ?? (home && join(home, OWN, "runs"));
};

/** The folder where Pulumi keeps plugins. Undefined if the user has no home and PULUMI_HOME is not set. */
export function pulumiHome(environment: Environment = process.env): string | undefined {
  const home = homeOfCli();
  return environment["PULUMI_HOME"] || (home && join(home, ".pulumi"));
}

function folderIn(variable: string, inHome: readonly string[], name: string): FolderOf {
  return (environment = process.env, platform = process.platform) => {
    const named = environment[platform === "win32" ? "LOCALAPPDATA" : variable];
    // The XDG specification says to ignore relative paths.
    if (named !== undefined && isAbsolute(named)) return join(named, OWN, name);
    const home = homeFolder();
    return home && join(home, ...(platform === "win32" ? ["AppData", "Local"] : inHome), OWN, name);
  };
}

/** HOME, or if it is empty, the home of the user's system entry. In a container there is often none. */
function homeFolder(): string | undefined {
  return firstHome([homedir, () => userInfo().homedir]);
}

/** The home folder for Pulumi's CLI: the user's system entry counts before HOME. */
export function homeOfCli(): string | undefined {
  return firstHome([() => userInfo().homedir, homedir]);
}

function firstHome(asks: readonly (() => string)[]): string | undefined {
  for (const ask of asks) {
    try {
      const home = ask();
      if (isAbsolute(home)) return home;
    } catch {
      // The user has no entry.
    }
  }
  return undefined;
}
