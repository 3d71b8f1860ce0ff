import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { runQuietly } from "../setup/child.mjs";
import { userPath } from "../setup/paths.mjs";
import { atLeast, OLDEST_PULUMI, PULUMI_VERSION } from "./versions.mjs";

/** The folder for the engine of this version on this machine. Its `bin` belongs on PATH. */
export function engineFolder(version = PULUMI_VERSION) {
  return programFolder("engine", version);
}

/** The folder for another program of this version on this machine. */
export function programFolder(name, version) {
  return join(userCache(), "pulumi-cloudinfra", name, `${version}-${process.platform}-${process.arch}`);
}

function userCache() {
  const { HOME, XDG_CACHE_HOME: xdg } = process.env;
  if (xdg && isAbsolute(xdg)) return xdg;
  const home = HOME || homeOfAccount();
  return process.platform === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache");
}

/** If HOME is not set (a bare service account, `env -i`), the account's entry has it. */
function homeOfAccount() {
  try {
    return userInfo().homedir;
  } catch {
    return homedir();
  }
}

/** The programs that must be in the engine's folder. */
export const BINARIES = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

/**
 * Checks the engine in a folder: `{ binDir, version }`, or `{ problem }` if it cannot be used. If `pulumi` is a link,
 * its target's folder counts, because the engine looks for its plugins there.
 */
export async function probe(folder) {
  const pulumi = join(folder, "pulumi");
  if (!isExecutable(pulumi)) return { problem: `there is no pulumi in ${folder}` };
  const folders = [dirname(realpathSync(pulumi)), folder];
  const binDir = folders.find((candidate) => BINARIES.every((name) => isExecutable(join(candidate, name))));
  if (!binDir) {
    const missing = BINARIES.filter((name) => !isExecutable(join(folder, name)));
    return { problem: `${pulumi} has no ${missing.join(" and no ")} beside it` };
  }
  const version = await versionOf(pulumi);
  if (!version) return { problem: `${pulumi} does not run: \`pulumi version\` failed` };
  if (!atLeast(version, OLDEST_PULUMI))
    return { problem: `${pulumi} is version ${version}, and ${OLDEST_PULUMI} is needed` };
  return { binDir, version };
}

/** True if the path is an executable file. */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

async function versionOf(pulumi) {
  try {
    const options = { env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "1" }, timeout: 30_000 };
    const { code, stdout } = await runQuietly(pulumi, ["version"], options);
    return code === 0 ? /^v?(\d+\.\d+\.\d+\S*)$/m.exec(stdout)?.[1] : undefined;
  } catch (error) {
    if (error.code) return undefined; // not a program for this kind of machine
    throw error;
  }
}

/** Looks on PATH, then in the cache: `{ engine, problems }`. The problems are those of unusable engines. */
export async function search() {
  const problems = [];
  const onPath = userPath().map((folder) => ["path", folder]);
  for (const [source, folder] of [...onPath, ["cache", join(engineFolder(), "bin")]]) {
    if (!isExecutable(join(folder, "pulumi"))) continue;
    const { problem, ...found } = await probe(folder);
    if (!problem) return { engine: { source, ...found }, problems };
    problems.push(problem);
  }
  return { engine: undefined, problems };
}
