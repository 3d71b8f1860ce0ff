import { fileURLToPath } from "node:url";
import { relative, sep } from "node:path";

/** This package as a whole. */
const OURS = "this package";

/** Where a call frame counts: at its place, and, in a file of this package, for the package as a whole too. */
export function placesOf(callFrame, root) {
  const place = placeOf(callFrame, root);
  return place.startsWith("dist/") ? [place, OURS] : [place];
}

/**
 * Where a call frame of V8 belongs: a package of npm by its name, a file of this package by its path in the clone `root`, `node` for
 * Node's own modules, and V8's own words, such as `(garbage collector)`, for what is no code of anybody.
 */
function placeOf({ functionName, url }, root) {
  if (url === "") return /^\(.*\)$/.test(functionName) ? functionName : "native code";
  if (url.startsWith("node:")) return url.includes("/undici/") ? "undici (Node's own)" : "node";
  const path = url.startsWith("file:") ? fileURLToPath(url) : url;
  const [, name] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path) ?? [];
  if (name !== undefined) return name.replace("\\", "/");
  const inside = relative(root, path);
  return inside.startsWith("..") ? "elsewhere" : inside.split(sep).join("/");
}
