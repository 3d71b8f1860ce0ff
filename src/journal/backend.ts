import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type * as Yaml from "yaml";
import { z } from "zod";
import { cliProcesses } from "../process/cli-process";
import type { Environment } from "../process/environment";

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
    const home = environment["PULUMI_CREDENTIALS_PATH"] ?? environment["PULUMI_HOME"] ?? join(homedir(), ".pulumi");
    const { current } = JSON.parse(readFileSync(join(home, "credentials.json"), "utf8")) as { current?: unknown };
    return typeof current === "string" ? current : "";
  } catch {
    return ""; // nobody has logged in, or the user has no home
  }
}

/** `backend: url:` in the Pulumi.yaml above. It is relative to that file. */
function projectBackend(folder: string): Backend | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const text = projectFileIn(at);
    if (text !== undefined) {
      const url = backendIn(text);
      return url === undefined ? undefined : { url, folder: at };
    }
    if (dirname(at) === at) return undefined;
  }
}

const projectFile = z.object({ backend: z.object({ url: z.string().min(1) }) });

/** Undefined if the project has no backend, or is not YAML, which the CLI itself reports. */
function backendIn(text: string): string | undefined {
  if (!text.includes("backend")) return undefined; // most projects, which need no parser
  try {
    const { parse } = require("yaml") as typeof Yaml;
    return projectFile.safeParse(parse(text, { logLevel: "error" })).data?.backend.url;
  } catch {
    return undefined;
  }
}

function projectFileIn(folder: string): string | undefined {
  for (const name of ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"]) {
    try {
      return readFileSync(join(folder, name), "utf8");
    } catch {
      // the next one
    }
  }
  return undefined;
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
