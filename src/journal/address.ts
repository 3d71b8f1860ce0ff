import { createHash } from "node:crypto";
import { realpathSync, existsSync, readFileSync, readlinkSync } from "node:fs";
import { resolve, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isLoopback } from "../process/loopback";
import { homeOfCli, type Environment } from "../process/user-folders";
import type { StackAddress } from "./entry";
import { z } from "zod";
import { cliProcesses } from "../process/cli-process";
import { projectFile, yamlIn } from "../process/project-file";

/**
 * Normalizes an address. A final slash, another name of this machine or a relative path does not make another stack.
 */
export function addressOf(address: StackAddress, folder?: string): StackAddress {
  const { backend, baseUrl } = address;
  return { ...address, backend: oneSpelling(backend, folder), baseUrl: oneSpelling(baseUrl, folder) };
}

/** A base URL in a normal form, without a password. */
export function urlSpelling(baseUrl: string): string {
  return oneSpelling(baseUrl, undefined);
}

/**
 * True if two addresses from `addressOf` mean the same state at the same API. An unknown organization counts as equal.
 */
export function isSameStack(one: StackAddress, other: StackAddress): boolean {
  const organizations = [one, other].flatMap(({ organization }) => organization ?? []);
  return (
    new Set(organizations).size < 2 &&
    one.backend === other.backend &&
    one.baseUrl === other.baseUrl &&
    one.project === other.project &&
    one.stack === other.stack &&
    one.provider === other.provider
  );
}

/**
 * True if two addresses mean the same state, or if one may be an earlier name of the other. Each provider of a stack
 * has its own.
 */
export function mayBeSameStack(one: StackAddress, other: StackAddress): boolean {
  const isSameId = one.stackId !== undefined && one.stackId === other.stackId && one.provider === other.provider;
  return isSameId || isSameStack(one, other);
}

/**
 * True if a run reads the entries of an address. It reads all entries at its API, and those of its own stack at other
 * base URLs: the API may have moved, or the program may have dropped an explicit provider. It reads no others, because
 * a journal may have the stacks of many accounts and simulators.
 */
export function isReadBy(reader: StackAddress, address: StackAddress): boolean {
  const { baseUrl, provider } = reader;
  return address.baseUrl === baseUrl || mayBeSameStack({ ...address, baseUrl, provider }, reader);
}

/** Identifies the stack and provider of a run in a file name. */
export function readerKey({ backend, project, stack, provider }: StackAddress): string {
  const address = JSON.stringify([backend, project, stack, provider ?? ""]);
  return createHash("sha256").update(address).digest("hex").slice(0, 16);
}

/** `folder`: the base of relative paths. Without a folder they stay relative. */
function oneSpelling(text: string, folder: string | undefined): string {
  if (text.startsWith("file://")) return fileSpelling(text, folder);
  if (/^(s3|gs|azblob):/.test(text) && URL.canParse(text)) return bucketSpelling(new URL(text));
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return text.replace(/\/+$/, "");
  const url = new URL(text); // lower-cases the host, and removes the default port
  if (isLoopback(url.hostname)) url.hostname = "127.0.0.1";
  url.username = url.password = "";
  url.hash = "";
  url.pathname = url.pathname.replace(/\/{2,}/g, "/");
  return url.href.replace(/\/+(?=\?|$)/, "");
}

/**
 * The settings in a bucket's URL that identify the bucket. All others only say how to reach it, as the environment can.
 */
const BUCKET_SETTINGS = ["domain", "endpoint", "localemu", "prefix", "storage_account", "universe_domain"];

function bucketSpelling(url: URL): string {
  const { protocol, host, pathname, searchParams } = url;
  const path = pathname.replace(/\/{2,}/g, "/").replace(/\/$/, "");
  const settings = new URLSearchParams();
  for (const name of BUCKET_SETTINGS) {
    const value = searchParams.get(name);
    if (value) settings.set(name, name === "endpoint" ? endpointSpelling(value) : value);
  }
  return `${protocol}//${host}${path}${settings.size > 0 ? `?${settings}` : ""}`;
}

/** The scheme does not matter, because one port belongs to one server. */
function endpointSpelling(endpoint: string): string {
  return oneSpelling(`https://${endpoint.replace(/^https?:\/\//i, "")}`, undefined).slice("https://".length);
}

/**
 * The real path of a folder, as the CLI understands it: `file://~/x` is in the home folder, `file://./x` is relative.
 */
function fileSpelling(text: string, folder: string | undefined): string {
  const path = text.slice("file://".length).replace(/\?.*$/, "");
  if (path === "~" || path.startsWith("~/")) return `file://${realPathOf((homeOfCli() ?? "~") + path.slice(1))}`;
  if (!path.startsWith("/") && !/^[A-Za-z]:/.test(path)) {
    return folder === undefined ? text : `file://${realPathOf(resolve(folder, path))}`;
  }
  return `file://${realPathOf(localPath(path))}`;
}

function localPath(path: string): string {
  try {
    return path.startsWith("/") ? fileURLToPath(`file://${path}`) : path;
  } catch {
    return path;
  }
}

function realPathOf(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    return absolute;
  }
}

/** The address of Pulumi's backend, and the base of a relative path in it. */
export interface Backend {
  /** Empty if it cannot be found. The journal then treats stacks of the same name in different backends as one. */
  readonly url: string;
  readonly folder: string;
}

/**
 * The backend in the CLI's order: the environment variable, the project's own `backend`, the choice of `pulumi login`.
 */
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
 * The engine starts plugins in the project's folder, but a relative backend is relative to the folder of the CLI's
 * call. Linux shows that folder.
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
