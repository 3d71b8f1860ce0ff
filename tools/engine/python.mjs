import { join } from "node:path";
import { runQuietly } from "../setup/child.mjs";
import { MYPY_VERSION, OLDEST_PYTHON, PYTHON_SDK_VERSION, atLeast } from "./versions.mjs";

const INSTALL_MS = 15_000;

/**
 * Makes a Python in `folder` that has Pulumi's SDK, and can install a generated SDK. Returns the reason if it cannot.
 */
export async function installPythonSdk(folder, step) {
  const { stdout = "" } = await runQuietly("python3", ["--version"], {}).catch(() => ({}));
  const version = /(\d+\.\d+)/.exec(stdout)?.[1];
  if (!version) return "there is no python3 on PATH";
  if (!atLeast(version, OLDEST_PYTHON)) return `python3 is Python ${version}, and ${OLDEST_PYTHON} is needed`;
  step.phase("installing Pulumi's SDK for Python", INSTALL_MS);
  const packages = [`pulumi==${PYTHON_SDK_VERSION}`, `mypy==${MYPY_VERSION}`, "parver", "setuptools", "wheel"];
  for (const [command, ...args] of [
    ["python3", "-m", "venv", folder],
    [join(folder, "bin", "python3"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages],
  ]) {
    const { code, tail } = await runQuietly(command, args, {});
    if (code !== 0) return `\`${args.join(" ")}\` failed: ${tail}`;
  }
  return undefined;
}
