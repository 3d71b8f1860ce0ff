import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { runQuietly } from "../setup/child.mjs";
import { OLDEST_PULUMI, atLeast } from "./versions.mjs";

/** What has to stand beside each other in the engine's folder. */
export const BINARIES = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

/**
 * Whether the engine of a folder will do: `{ binDir, version }`, or `{ problem }` that says what is wrong with it.
 * A `pulumi` that is a link counts with its neighbours where the link leads: the engine looks for its plugins there.
 */
export async function probe(folder, env = process.env) {
  const pulumi = join(folder, "pulumi");
  if (!isExecutable(pulumi)) return { problem: `there is no pulumi in ${folder}` };
  const folders = [dirname(realpathSync(pulumi)), folder];
  const binDir = folders.find((candidate) => BINARIES.every((name) => isExecutable(join(candidate, name))));
  if (!binDir) {
    const missing = BINARIES.filter((name) => !isExecutable(join(folder, name)));
    return { problem: `${pulumi} has no ${missing.join(" and no ")} beside it` };
  }
  const version = await versionOf(pulumi, env);
  if (!version) return { problem: `${pulumi} does not run: \`pulumi version\` failed` };
  if (!atLeast(version, OLDEST_PULUMI))
    return { problem: `${pulumi} is version ${version}, and ${OLDEST_PULUMI} is needed` };
  return { binDir, version };
}

/** Whether the file is there, a file, and allowed to run. */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

async function versionOf(pulumi, env) {
  try {
    const options = { env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "1" }, timeout: 30_000 };
    const { code, stdout } = await runQuietly(pulumi, ["version"], options);
    return code === 0 ? /^v?(\d+\.\d+\.\d+\S*)$/m.exec(stdout)?.[1] : undefined;
  } catch (error) {
    if (error.code) return undefined; // not a program of this machine's kind
    throw error;
  }
}
