#!/usr/bin/env node
import { chmodSync, copyFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isMain, runMain } from "../setup/main.mjs";
import { inStep } from "../setup/progress.mjs";
import { goProgram } from "./build-engine.mjs";
import { installPythonSdk } from "./python.mjs";
import {
  GO_HOST_VERSION,
  LANGUAGE_HOST_VERSION,
  MYPY_VERSION,
  PYTHON_SDK_VERSION,
  YAML_HOST_VERSION,
} from "./versions.mjs";

const SDK = "github.com/pulumi/pulumi/sdk/v3";

// Measured on two cores, after the engine, which has most of their packages.
const HOSTS = {
  yaml: {
    language: "YAML",
    name: "yaml-host",
    version: YAML_HOST_VERSION,
    command: "pulumi-language-yaml",
    source: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    cpuMs: 100_000,
  },
  python: {
    language: "Python",
    name: "python-host",
    module: "language-host",
    version: `${LANGUAGE_HOST_VERSION}-sdk-${PYTHON_SDK_VERSION}-mypy-${MYPY_VERSION}`,
    command: "pulumi-language-python",
    source: `${SDK}/python/cmd/pulumi-language-python`,
    cpuMs: 60_000,
    complete: completePython,
  },
  go: {
    language: "Go",
    name: "go-host",
    version: GO_HOST_VERSION,
    command: "pulumi-language-go",
    source: `${SDK}/go/pulumi-language-go`,
    cpuMs: 40_000,
  },
};

/** The languages, besides JavaScript, of the programs in tests and examples, as Pulumi.yaml names them. */
export const LANGUAGES = Object.keys(HOSTS);

/**
 * The folders for PATH with the language hosts for these languages. Other names are ignored. Only tests and examples
 * need the hosts; if one cannot be built, its tests are skipped.
 */
export async function languageHosts(languages) {
  const folders = [];
  for (const name of LANGUAGES.filter((known) => languages.includes(known))) {
    const folder = await inStep(name, async (step) => {
      const { folder, problem } = await goProgram(HOSTS[name], step);
      if (problem) step.done(`${problem}: the tests of ${HOSTS[name].language} programs are left out`);
      return folder;
    });
    if (folder) folders.push(folder);
  }
  return folders;
}

/** The host runs a script that must be beside it. The program runs in a Python that has Pulumi's SDK. */
async function completePython({ product, run, step }) {
  const sdk = (await run(["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", SDK])).trim();
  const script = join(product, "pulumi-language-python-exec");
  copyFileSync(join(sdk, "python", "cmd", "pulumi-language-python-exec"), script);
  chmodSync(script, 0o755);
  return installPythonSdk(join(product, "venv"), step);
}

if (isMain(import.meta.url)) runMain(async () => console.log((await languageHosts(LANGUAGES)).join(delimiter)));
