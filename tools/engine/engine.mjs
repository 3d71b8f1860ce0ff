#!/usr/bin/env node
import { join } from "node:path";
import { isMain, runMain } from "../setup/main.mjs";
import { Interrupted } from "../setup/child.mjs";
import { inStep, silentStep } from "../setup/progress.mjs";
import { SetupError } from "../setup/setup-error.mjs";
import { buildEngine } from "./build-engine.mjs";
import { engineFolder } from "./cache-folder.mjs";
import { search } from "./find.mjs";
import { findGo } from "./go.mjs";
import { BINARIES, probe } from "./probe.mjs";
import { OLDEST_GO } from "./versions.mjs";

const WHENCE = { path: "on PATH", cache: "in the cache", built: "built" };

/**
 * The Pulumi engine that is there already, on PATH or in the user's cache: `{ source: "path" | "cache", binDir,
 * version }`, or undefined. Builds nothing.
 */
export async function findEngine({ env = process.env } = {}) {
  return (await search(env)).engine;
}

/**
 * The engine that is there, or else one built from Go modules into the user's cache, which takes minutes, once:
 * `{ source: "path" | "cache" | "built", binDir, version }`. `log` gets a line where something was passed over, `step`
 * (see progress.mjs) the progress. Fails with the three ways to get an engine if none is to be had.
 */
export async function ensureEngine({ log = () => {}, step = silentStep, env = process.env } = {}) {
  const { engine, problems } = await search(env);
  for (const problem of problems) log(`passed over: ${problem}`);
  if (engine) return engine;
  const { go, problem } = await findGo(env);
  if (problem) throw new SetupError(noEngine([...problems, problem], env));
  const folder = engineFolder(env);
  try {
    await buildEngine({ go, folder, step, env });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    throw new SetupError(noEngine([...problems, `building it failed: ${error.message}`], env), { cause: error });
  }
  const { problem: broken, ...built } = await probe(join(folder, "bin"), env);
  if (broken) throw new SetupError(noEngine([broken], env));
  return { source: "built", ...built };
}

/** `ensureEngine` as a step of the set-up. */
export async function engineStep(step) {
  const engine = await ensureEngine({ step, log: step.note });
  step.done(`Pulumi ${engine.version} ${WHENCE[engine.source]}`);
  return engine;
}

function noEngine(reasons, env) {
  return [
    "No Pulumi engine can be had:",
    ...reasons.map((reason) => `  - ${reason}`),
    "There are three ways to get one; then run this again:",
    "  1. Install Pulumi, https://www.pulumi.com/docs/install/, so that `pulumi` is on PATH.",
    `  2. Install Go ${OLDEST_GO} or newer, https://go.dev/dl/, and the engine is built, once, in a few minutes.`,
    `  3. Put ${BINARIES.join(", ")} of a Pulumi release into ${join(engineFolder(env), "bin")}`,
  ].join("\n");
}

async function main(args) {
  if (args.includes("--print")) {
    const engine = await findEngine();
    if (!engine) throw new SetupError("There is no Pulumi engine here yet: `node tools/engine/engine.mjs` gets one.");
    console.log(engine.binDir);
    return;
  }
  const engine = await inStep("engine", engineStep);
  console.log(engine.binDir);
}

if (isMain(import.meta.url)) runMain(main);
