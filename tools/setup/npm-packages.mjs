import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runQuietly, SetupError } from "./child.mjs";
import { withPath } from "./paths.mjs";

const EXPECTED_MS = 25_000;

// Overrides the user's npm settings: the tests need the dev dependencies, npm must not ask or print more than needed,
// and this machine's older Node runs npm until Node 24 is installed.
const OPTIONS = ["--include=dev", "--include=optional", "--engine-strict=false", "--no-audit", "--no-fund"].concat([
  "--no-progress",
  "--no-update-notifier",
  "--loglevel=error",
]);

/** Installs the npm packages of the lock file, unless they are installed. */
export async function ensurePackages(root, step) {
  if (installed(root)) return step.done("up to date");
  step.phase("installing", EXPECTED_MS);
  const result = await npmCi(root);
  if (result.code !== 0) {
    throw new SetupError(`${result.tail}\n\nThe npm packages could not be installed; above is what npm said of it.`);
  }
  step.done("installed");
}

async function npmCi(root) {
  // npm replaces node_modules, so the Node in it must not run npm: the user's own Node does.
  try {
    return await runQuietly("npm", ["ci", ...OPTIONS], { cwd: root, env: withPath([]) });
  } catch (error) {
    if (error.code === "ENOENT")
      throw new SetupError("npm is not on PATH: it comes with Node, see https://nodejs.org/");
    throw error;
  }
}

/** npm records in node_modules what it has installed. Comparing that with the lock file needs no time stamp. */
function installed(root) {
  const there = packagesOf(join(root, "node_modules", ".package-lock.json"));
  const locked = packagesOf(join(root, "package-lock.json"));
  if (!there || !locked) return false;
  return Object.entries(locked).every(([path, wanted]) => {
    const found = there[path];
    if (path === "") return true;
    if (!found) return wanted.optional === true; // of another platform
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

function packagesOf(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : undefined;
}
