import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isLoopback } from "../process/loopback";
import { homeOfCli } from "../process/user-folders";
import type { StackAddress } from "./entry";

/** Normalizes an address. A final slash, another name of this machine or a relative path does not make another stack. */
export function addressOf(address: StackAddress, folder?: string): StackAddress {
  const { backend, baseUrl } = address;
  return { ...address, backend: oneSpelling(backend, folder), baseUrl: oneSpelling(baseUrl, folder) };
}

/** True if two addresses from `addressOf` mean the same state at the same API. An unknown organization counts as equal. */
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

/** True if two addresses mean the same state, or if one may be an earlier name of the other. Each provider of a stack has its own. */
export function mayBeSameStack(one: StackAddress, other: StackAddress): boolean {
  const isSameId = one.stackId !== undefined && one.stackId === other.stackId && one.provider === other.provider;
  return isSameId || isSameStack(one, other);
}

/**
 * True if a run reads the entries of an address. It reads all entries at its API, and those of its own stack at other base URLs: the API
 * may have moved, or the program may have dropped an explicit provider. It reads no others, because a journal may have the stacks of many
 * accounts and simulators.
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

/** The settings in a bucket's URL that identify the bucket. All others only say how to reach it, as the environment can. */
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

/** The real path of a folder, as the CLI understands it: `file://~/x` is in the home folder, `file://./x` is relative. */
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
