import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runQuietly, SetupError, signalGroup } from "../setup/child.mjs";
import { NODE_24 } from "../setup/paths.mjs";
import { makeEngine } from "./build-engine.mjs";

const INSTALL = fileURLToPath(new URL("install-release.cjs", import.meta.url));
const EXPECTED_MS = 40_000;
const LOOK_MS = 500;
/** After this time without a byte, a download counts as stalled. */
const STALL_TIMEOUT_MS = 8_000;

/**
 * Downloads the engine's official release into `folder`. Throws a SetupError with the reason if it cannot; without a
 * network, that takes some seconds.
 */
export function downloadEngine({ version, folder, step, stallTimeoutMs = STALL_TIMEOUT_MS }) {
  return makeEngine(folder, async (product, scratch) => {
    step.phase("downloading the official release", EXPECTED_MS);
    // So the script writes only into `scratch`. Node uses the proxy of the environment only if this is set.
    const own = { TMPDIR: scratch, PULUMI_HOME: join(scratch, "home"), NODE_USE_ENV_PROXY: "1" };
    let isStalled = false;
    let watch;
    const { code, tail } = await runQuietly(NODE_24, [INSTALL, product, version], {
      env: { ...process.env, ...own },
      onStart: (child) => {
        watch = whenStalled(scratch, stallTimeoutMs, () => {
          isStalled = true;
          signalGroup(child, "SIGKILL");
        });
      },
    }).finally(() => clearInterval(watch));
    if (isStalled) throw new SetupError(`nothing came for ${stallTimeoutMs / 1000} s`);
    if (code !== 0) throw new SetupError(tail.trim().split("\n").at(-1));
  });
}

/** Calls `stop` if the folder has not grown for this time. Returns the timer. */
function whenStalled(folder, stallTimeoutMs, stop) {
  let [size, grownAt] = [-1, Date.now()];
  return setInterval(() => {
    const now = sizeOf(folder);
    if (now !== size) [size, grownAt] = [now, Date.now()];
    else if (Date.now() - grownAt >= stallTimeoutMs) stop();
  }, LOOK_MS);
}

/** The number of bytes in a folder. NaN, which equals nothing, if a subfolder disappears meanwhile. */
function sizeOf(folder) {
  try {
    const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
    return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  } catch {
    return Number.NaN;
  }
}
