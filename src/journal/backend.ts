import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { cliProcesses } from "../process/cli-process";
import type { Environment } from "../process/user-folders";
import { projectFile, yamlIn } from "../process/project-file";
import { homeOfCli } from "../process/user-folders";

/** The address of Pulumi's backend, and the base of a relative path in it. */
export interface Backend {
  /** Empty if it cannot be found. The journal then treats stacks of the same name in different backends as one. */
  readonly url: string;
  readonly folder: string;
}

/** The backend in the CLI's order: the environment variable, the project's own `backend`, the choice of `pulumi login`. */
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
    const named = environment["PULUMI_CREDENTIALS_PATH"] || environment["PULUMI_HOME"];
    const home = named || join(homeOfCli() ?? "", ".pulumi");
    const { current } = JSON.parse(readFileSync(join(home, "credentials.json"), "utf8")) as { current?: unknown };
    return typeof current === "string" ? current : "";
  } catch {
    return ""; // nobody has logged in, or the user has no home
  }
}

/** `backend: url:` in the Pulumi.yaml above. It is relative to that file. */
function projectBackend(folder: string): Backend | undefined {
  const file = projectFile(folder);
  if (file === undefined) return undefined;
  const url = backendIn(file);
  return url === undefined ? undefined : { url, folder: dirname(file) };
}

const project = z.object({ backend: z.object({ url: z.string().min(1) }) });

/** Undefined if the project has no backend, or is not YAML, which the CLI itself reports. */
function backendIn(file: string): string | undefined {
  try {
    if (!readFileSync(file, "utf8").includes("backend")) return undefined; // most projects, which need no parser
    return project.safeParse(yamlIn(file)).data?.backend.url;
  } catch {
    return undefined;
  }
}

/**
 * The engine starts plugins in the project's folder, but a relative backend is relative to the folder of the CLI's call. Linux
 * shows that folder.
 */
function folderOf(url: string, ownFolder: string): string {
  const path = /^file:\/\/(?![~/])(.+?)(?:\?.*)?$/.exec(url)?.[1];
  if (path === undefined) return ownFolder;
  const folders = [...foldersOfAncestors(), ownFolder];
  return folders.find((folder) => existsSync(join(folder, path, ".pulumi"))) ?? ownFolder;
}

function foldersOfAncestors(): string[] {
  return cliProcesses().flatMap((pid) => {
    try {
      return [readlinkSync(`/proc/${pid}/cwd`)];
    } catch {
      return []; // another user's process
    }
  });
}
