import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { SetupError } from "../setup/setup-error.mjs";
import { probe } from "./probe.mjs";

/** How the folder of an engine begins that is not complete yet. */
export const UNFINISHED = ".building-";
const ABANDONED_MS = 6 * 60 * 60 * 1000;

/**
 * Has `make(product, scratch)` put an engine into `product`, and moves that to `folder` if it works. All happens in a scratch folder beside
 * `folder`: if it is killed, or two run at once, there is never half an engine in `folder`. Throws what `make` throws.
 */
export async function makeEngine(folder, env, make) {
  mkdirSync(dirname(folder), { recursive: true });
  sweep(dirname(folder));
  const scratch = mkdtempSync(join(dirname(folder), UNFINISHED));
  const product = join(scratch, "engine");
  try {
    await make(product, scratch);
    const { problem } = await probe(join(product, "bin"), env);
    if (problem) throw new SetupError(`it does not work: ${problem}`);
    await publish(product, folder, env);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Gives the engine its name. If another process was faster, and its engine works, that one stays. */
async function publish(product, folder, env) {
  if (existsSync(folder)) {
    const { problem } = await probe(join(folder, "bin"), env);
    if (!problem) return;
    renameSync(folder, join(dirname(product), "replaced"));
  }
  try {
    renameSync(product, folder);
  } catch (error) {
    const { problem } = await probe(join(folder, "bin"), env);
    if (problem) throw error;
  }
}

/** Deletes what processes that were killed have left. */
function sweep(parent) {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const left = join(parent, name);
    if (Date.now() - statSync(left).mtimeMs > ABANDONED_MS) rmSync(left, { recursive: true, force: true });
  }
}
