import { join } from "node:path";
import { runQuietly } from "./child.mjs";
import { NODE_24, withPath } from "./paths.mjs";
import { SetupError } from "./setup-error.mjs";

/** Makes sure that the Node of node_modules runs, and resolves to its version. */
export async function ensureNode24(root, env = process.env) {
  const before = await versionOf(NODE_24);
  if (before) return before;
  // npm was told to run no install scripts, and that of the package `node` is what brings the binary.
  const folder = join(root, "node_modules", "node");
  const script = join(folder, "installArchSpecificPackage.js");
  const result = await runQuietly(process.execPath, [script], { cwd: folder, env: withPath([], env) });
  const after = await versionOf(NODE_24);
  if (after) return after;
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
