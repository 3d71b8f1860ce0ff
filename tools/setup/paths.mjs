import { delimiter, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of this checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The folder with the commands of the npm packages; its `node` is Node 24. */
export const PACKAGE_BIN = join(ROOT, "node_modules", ".bin");

/** The Node that runs everything except the set-up itself. */
export const NODE_24 = join(PACKAGE_BIN, "node");

/** The user's own folders of PATH, without those that npm adds for its scripts. */
export function userPath(env = process.env) {
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.filter(
    (folder) => !folder.endsWith(`${sep}node_modules${sep}.bin`) && !folder.includes("node-gyp-bin"),
  );
}

/** A copy of `env` with these folders at the front of PATH. */
export function withPath(folders, env = process.env) {
  return { ...env, PATH: [...folders, ...userPath(env)].join(delimiter) };
}
