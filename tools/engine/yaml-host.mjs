#!/usr/bin/env node
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { isMain, runMain } from "../setup/main.mjs";
import { inStep } from "../setup/progress.mjs";
import { BUILDING, compile, runner } from "./build-engine.mjs";
import { yamlHostFolder } from "./cache-folder.mjs";
import { findGo, goEnvironment } from "./go.mjs";
import { YAML_HOST_VERSION } from "./versions.mjs";

const HOST = "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml";
const NAME = "pulumi-language-yaml";
// As measured on two cores, after the engine, which has most of its packages.
const COMPILE_MS = (2 * 50_000) / availableParallelism();

/**
 * The folder of the language host for YAML programs, built once into the user's cache. Only tests need it: undefined if it is not there
 * and there is no Go to build it, and then they are left out.
 */
export async function yamlHostStep(step, env = process.env) {
  const folder = yamlHostFolder(env);
  if (existsSync(join(folder, NAME))) {
    step.done(`${YAML_HOST_VERSION} in the cache`);
    return folder;
  }
  const { go, problem } = await findGo(env);
  if (problem) {
    step.done(`${problem}: the tests of YAML programs are left out`);
    return undefined;
  }
  mkdirSync(dirname(folder), { recursive: true });
  const scratch = mkdtempSync(join(dirname(folder), BUILDING));
  try {
    step.phase("compiling", COMPILE_MS);
    const run = runner(go, goEnvironment(env, scratch));
    const product = join(scratch, "host");
    await run("yaml-host", compile(join(product, NAME), YAML_HOST_VERSION, HOST));
    if (!existsSync(folder)) renameSync(product, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  step.done(`${YAML_HOST_VERSION} built`);
  return folder;
}

if (isMain(import.meta.url)) runMain(async () => console.log((await inStep("yaml host", yamlHostStep)) ?? ""));
