import { otherEngineStep } from "../engine/engine.mjs";
import { NEWEST_PULUMI, OLDEST_PULUMI } from "../engine/versions.mjs";
import { PACKAGE_BIN, withPath } from "../setup/paths.mjs";
import { inStep } from "../setup/progress.mjs";
import { runJest } from "./run-jest.mjs";

const LIFE = "test/engine/fronts/life.test.ts";

/**
 * Runs the life of every kind, with both providers, on the oldest and on the newest engine. An engine that is not to be had is left out. The
 * exit code is that of the first run that failed, and 1 if there was no engine at all.
 */
export async function testEngines(args, env, { engineOf = engineInStep, run = runJest } = {}) {
  const codes = [];
  for (const version of [OLDEST_PULUMI, NEWEST_PULUMI]) {
    const engine = await engineOf(version);
    if (engine) codes.push(await run([LIFE, ...args], withPath([PACKAGE_BIN, engine.binDir], env)));
  }
  return codes.find((code) => code !== 0) ?? (codes.length > 0 ? 0 : 1);
}

function engineInStep(version) {
  return inStep("engine", (step) => otherEngineStep(version, step));
}
