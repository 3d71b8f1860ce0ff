import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Interrupted, runQuietly, SetupError, start } from "./child.mjs";
import { NODE_24, ROOT, withPath } from "./paths.mjs";

const EXPECTED_MS = 10_000;

/** Makes sure that the Node in node_modules runs. */
export async function ensureNode24(root, step) {
  const version = (await versionOf(NODE_24)) ?? (await fetchNode(root, step));
  step.done(`Node ${version} in node_modules`);
}

async function fetchNode(root, step) {
  // npm may be set to run no install scripts. The one of the package `node` installs the binary.
  step.phase("fetching Node 24", EXPECTED_MS);
  const folder = join(root, "node_modules", "node");
  const script = join(folder, "installArchSpecificPackage.js");
  const result = await runQuietly(process.execPath, [script], { cwd: folder, env: withPath([]) });
  // npm makes no link to a command that does not exist yet.
  if (existsSync(join(folder, "bin", "node")) && !existsSync(NODE_24)) {
    rmSync(NODE_24, { force: true }); // a link that leads nowhere
    symlinkSync("../node/bin/node", NODE_24);
  }
  const version = await versionOf(NODE_24);
  if (version) return version;
  throw new SetupError(
    `${result.tail}\n\nThe npm package \`node\` brought no Node that runs here (${process.platform}, ${process.arch}). ` +
      "Allow its install script and run `npm rebuild node`, or delete node_modules and run this again.",
  );
}

async function versionOf(node) {
  try {
    const { code, stdout } = await runQuietly(node, ["--version"]);
    return code === 0 ? stdout.trim().replace(/^v/, "") : undefined;
  } catch (error) {
    if (error.code) return undefined; // not there, or not for this machine
    throw error;
  }
}

const DIE_WITH_PARENT = fileURLToPath(new URL("die-with-parent.cjs", import.meta.url));

/** Runs Node 24 with these arguments on this terminal. Resolves with its exit code, or dies of the same signal. */
export async function runOnNode24(args, env) {
  const options = {
    cwd: ROOT,
    env: { ...env, CLOUDINFRA_DIE_WITH_PARENT: "1" },
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  };
  const { code, signal } = await start(NODE_24, ["--require", DIE_WITH_PARENT, ...args], options);
  if (signal) throw new Interrupted(signal);
  return code;
}
