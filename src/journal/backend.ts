import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "../config";

/** Where Pulumi keeps the state, and what a relative path there is relative to. */
export interface Backend {
  /** Empty if it is not to be had: stacks of equal names in different backends are then one to the journal. */
  readonly url: string;
  readonly folder: string;
}

/** What the environment says, else the project's own `backend`, else what `pulumi login` has chosen: the CLI's own order. */
export function pulumiBackend(environment: Environment = process.env, folder = process.cwd()): Backend {
  const named = environment["PULUMI_BACKEND_URL"];
  if (named !== undefined && named !== "") return { url: named, folder: folderOf(named, folder) };
  const project = projectBackend(folder);
  if (project !== undefined) return project;
  const url = loginOf(environment);
  return { url, folder: folderOf(url, folder) };
}

function loginOf(environment: Environment): string {
  try {
    const home = environment["PULUMI_CREDENTIALS_PATH"] ?? environment["PULUMI_HOME"] ?? join(homedir(), ".pulumi");
    const { current } = JSON.parse(readFileSync(join(home, "credentials.json"), "utf8")) as { current?: unknown };
    return typeof current === "string" ? current : "";
  } catch {
    return ""; // nobody has logged in, or the user has no home
  }
}

/** `backend: url:` of the Pulumi.yaml above, which is relative to that file. */
function projectBackend(folder: string): Backend | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const text = projectFileIn(at);
    if (text !== undefined) {
      const url = /^backend:\s*\n(?:\s+.*\n)*?\s+url:\s*["']?([^\s"'#]+)/m.exec(text)?.[1];
      return url === undefined ? undefined : { url, folder: at };
    }
    if (dirname(at) === at) return undefined;
  }
}

function projectFileIn(folder: string): string | undefined {
  for (const name of ["Pulumi.yaml", "Pulumi.yml"]) {
    try {
      return `${readFileSync(join(folder, name), "utf8")}\n`;
    } catch {
      // the next one
    }
  }
  return undefined;
}

/**
 * The engine starts plugins in the project's folder, and a relative backend is relative to where somebody called the CLI: a
 * folder below it may have a state of its own. Linux tells where the CLI was called.
 */
function folderOf(url: string, ownFolder: string): string {
  const path = /^file:\/\/(?![~/])(.+?)(?:\?.*)?$/.exec(url)?.[1];
  if (path === undefined) return ownFolder;
  const folders = [...foldersOfAncestors(), ownFolder];
  return folders.find((folder) => existsSync(join(folder, path, ".pulumi"))) ?? ownFolder;
}

const MOST_ANCESTORS = 4;

function foldersOfAncestors(): string[] {
  const folders: string[] = [];
  let pid = process.ppid;
  for (let nth = 0; nth < MOST_ANCESTORS && pid > 1; nth += 1) {
    try {
      if (readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "pulumi") folders.push(readlinkSync(`/proc/${pid}/cwd`));
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      pid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    } catch {
      break; // not Linux, or not for us to read
    }
  }
  return folders;
}
