import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { compile, runner } from "./build-engine.mjs";
import { programFolder } from "./cache-folder.mjs";
import { findGo, goEnvironment } from "./go.mjs";
import { UNFINISHED } from "./new-engine.mjs";

/**
 * The folder of a program from a Go module, built once into the user's cache; `{ folder }`, or `{ problem }` if it is not there and there
 * is no Go to build it. `complete` puts beside it what it needs to run.
 */
export async function goProgram({ name, module, version, command, source, cpuMs, complete }, step, env = process.env) {
  const folder = programFolder(name, version, env);
  if (existsSync(join(folder, command))) {
    step.done(`${version} in the cache`);
    return { folder };
  }
  const { go, problem } = await findGo(env);
  if (problem) return { problem };
  mkdirSync(dirname(folder), { recursive: true });
  const scratch = mkdtempSync(join(dirname(folder), UNFINISHED));
  try {
    step.phase("compiling", cpuMs / availableParallelism());
    const run = runner(go, goEnvironment(env, scratch));
    const product = join(scratch, "product");
    await run(module, compile(join(product, command), version, source));
    const missing = await complete?.({ product, run: (...args) => run(module, args), step });
    if (missing) return { problem: missing };
    if (!existsSync(folder)) renameSync(product, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  step.done(`${version} built`);
  return { folder };
}
