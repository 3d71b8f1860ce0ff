#!/usr/bin/env node
import { join } from "node:path";
import { Interrupted, SetupError } from "../setup/child.mjs";
import { isMain, runMain } from "../setup/main.mjs";
import { inStep, silentStep } from "../setup/progress.mjs";
import { buildEngine } from "./build-engine.mjs";
import { downloadEngine } from "./download-engine.mjs";
import { findGo } from "./go.mjs";
import { BINARIES, engineFolder, probe, search } from "./probe.mjs";
import { OLDEST_GO, PULUMI_VERSION } from "./versions.mjs";

const WHENCE = { path: "on PATH", cache: "in the cache", downloaded: "downloaded", built: "built" };

/**
 * An existing Pulumi engine, on PATH or in the user's cache: `{ source: "path" | "cache", binDir, version }`, or
 * undefined. Builds nothing.
 */
export async function findEngine({ env = process.env } = {}) {
  return (await search(env)).engine;
}

/**
 * An existing engine. Otherwise the official release, downloaded into the user's cache, or, without a network, one
 * built there once from Go modules, which takes minutes: `{ source: "path" | "cache" | "downloaded" | "built", binDir,
 * version }`. `log` gets a line for each unusable engine, `step` (see progress.mjs) shows the progress. If no engine
 * can be had, fails and lists the ways to get one.
 */
export async function ensureEngine({ log = () => {}, step = silentStep, env = process.env } = {}) {
  const { engine, problems } = await search(env);
  for (const problem of problems) log(`passed over: ${problem}`);
  if (engine) return engine;
  const { engine: made, reasons } = await getEngine(PULUMI_VERSION, { log, step, env });
  if (made) return made;
  throw new SetupError(noEngine([...problems, ...reasons], env));
}

/** Finds an engine of this version, never the one on PATH: `{ engine }`, or `{ reasons }` if there is none. */
export async function otherEngine(version, { log = () => {}, step = silentStep, env = process.env } = {}) {
  const { problem, ...cached } = await probe(join(engineFolder(env, version), "bin"), env);
  return problem === undefined ? { engine: { source: "cache", ...cached } } : getEngine(version, { log, step, env });
}

async function getEngine(version, { log, step, env }) {
  const folder = engineFolder(env, version);
  const reasons = [];
  for (const [source, make] of Object.entries(SOURCES)) {
    if (reasons.length > 0) log(reasons.at(-1));
    const why = await make({ version, folder, step, env });
    if (why === undefined) return { engine: { source, ...(await probe(join(folder, "bin"), env)) } };
    reasons.push(why);
  }
  return { reasons };
}

/** The ways to get an engine. Each puts it into the folder, or returns the reason why it cannot. */
const SOURCES = {
  downloaded: (options) => reasonOf("the official release cannot be downloaded", downloadEngine(options)),
  built: async (options) => {
    const { go, problem } = await findGo(options.env);
    return problem ?? reasonOf("building it failed", buildEngine({ go, ...options }));
  },
};

/** Resolves with the reason if it failed. */
async function reasonOf(failure, made) {
  try {
    await made;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return `${failure}: ${error.message}`;
  }
}

/** `ensureEngine` as a step of the set-up. */
export async function engineStep(step) {
  const engine = await ensureEngine({ step, log: step.note });
  step.done(`Pulumi ${engine.version} ${WHENCE[engine.source]}`);
  return engine;
}

/** `otherEngine` as a step. If there is none, shows why and resolves with undefined. */
export async function otherEngineStep(version, step) {
  const { engine, reasons } = await otherEngine(version, { step, log: step.note });
  step.done(engine ? `Pulumi ${version} ${WHENCE[engine.source]}` : `Pulumi ${version} is left out: ${reasons.at(-1)}`);
  return engine;
}

function noEngine(reasons, env) {
  return [
    "No Pulumi engine can be had:",
    ...reasons.map((reason) => `  - ${reason}`),
    "There are four ways to get one; then run this again:",
    "  1. Let this machine reach https://get.pulumi.com and https://github.com. Then the official release is downloaded.",
    "  2. Install Pulumi, https://www.pulumi.com/docs/install/, so that `pulumi` is on PATH.",
    `  3. Install Go ${OLDEST_GO} or newer, https://go.dev/dl/, and the engine is built, once, in a few minutes.`,
    `  4. Put ${BINARIES.join(", ")} of a Pulumi release into ${join(engineFolder(env), "bin")}`,
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
