import { delimiter, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of this checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The folder whose `node` is Node 24, and what else the npm packages bring as commands. */
export const PACKAGE_BIN = join(ROOT, "node_modules", ".bin");

/** The Node that everything but the set-up itself runs on. */
export const NODE_24 = join(PACKAGE_BIN, "node");

/** The folders of PATH that the user put there: without those that npm adds for its scripts. */
export function userPath(env = process.env) {
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.filter(
    (folder) => !folder.endsWith(`${sep}node_modules${sep}.bin`) && !folder.includes("node-gyp-bin"),
  );
}

/** `env` with `folders` in front of its PATH. */
export function withPath(folders, env = process.env) {
  return { ...env, PATH: [...folders, ...userPath(env)].join(delimiter) };
}
