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

/** Finds an engine of this version, never the one on PATH: `{ engine }`, or `{ reasons }` if there is none. */
export async function otherEngine(version, step = silentStep) {
  const { problem, ...cached } = await probe(join(engineFolder(version), "bin"));
  return problem === undefined ? { engine: { source: "cache", ...cached } } : getEngine(version, step);
}

async function getEngine(version, step) {
  const folder = engineFolder(version);
  const reasons = [];
  for (const [source, make] of Object.entries(SOURCES)) {
    if (reasons.length > 0) step.note(reasons.at(-1));
    const why = await make({ version, folder, step });
    if (why === undefined) return { engine: { source, ...(await probe(join(folder, "bin"))) } };
    reasons.push(why);
  }
  return { reasons };
}

/** The ways to get an engine. Each puts it into the folder, or returns the reason why it cannot. */
const SOURCES = {
  downloaded: (options) => reasonOf("the official release cannot be downloaded", downloadEngine(options)),
  built: async (options) => {
    const { go, problem } = await findGo();
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

/**
 * Finds an engine on PATH or in the user's cache. Otherwise puts one into the cache: the official release, or, without
 * a network, one built from Go modules, which takes minutes. Resolves with `{ source: "path" | "cache" | "downloaded" |
 * "built", binDir, version }`. The step has a line for each unusable engine. If no engine can be had, fails and lists
 * the ways to get one.
 */
export async function engineStep(step) {
  const { engine: found, problems } = await search();
  for (const problem of problems) step.note(`passed over: ${problem}`);
  const { engine, reasons } = found ? { engine: found } : await getEngine(PULUMI_VERSION, step);
  if (!engine) throw new SetupError(noEngine([...problems, ...reasons]));
  step.done(`Pulumi ${engine.version} ${WHENCE[engine.source]}`);
  return engine;
}

/** `otherEngine` as a step. If there is none, shows why and resolves with undefined. */
export async function otherEngineStep(version, step) {
  const { engine, reasons } = await otherEngine(version, step);
  step.done(engine ? `Pulumi ${version} ${WHENCE[engine.source]}` : `Pulumi ${version} is left out: ${reasons.at(-1)}`);
  return engine;
}

function noEngine(reasons) {
  return [
    "No Pulumi engine can be had:",
    ...reasons.map((reason) => `  - ${reason}`),
    "There are four ways to get one; then run this again:",
    "  1. Let this machine reach https://get.pulumi.com and https://github.com. Then the official release is downloaded.",
    "  2. Install Pulumi, https://www.pulumi.com/docs/install/, so that `pulumi` is on PATH.",
    `  3. Install Go ${OLDEST_GO} or newer, https://go.dev/dl/, and the engine is built, once, in a few minutes.`,
    `  4. Put ${BINARIES.join(", ")} of a Pulumi release into ${join(engineFolder(), "bin")}`,
  ].join("\n");
}

async function main(args) {
  if (args.includes("--print")) {
    const { engine } = await search();
    if (!engine) throw new SetupError("There is no Pulumi engine here yet: `node tools/engine/engine.mjs` gets one.");
    console.log(engine.binDir);
    return;
  }
  const engine = await inStep("engine", engineStep);
  console.log(engine.binDir);
}

if (isMain(import.meta.url)) runMain(main);
