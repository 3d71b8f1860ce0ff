// CommonJS, because jest's tests use it beside the examples.
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { delimiter, join } = require("node:path");

/**
 * Gives the policy pack in this folder a runtime that the engine on PATH can run. The engine that this repository
 * builds runs packs of the runtime `nodelegacy` only. A release of the engine runs the pack unchanged.
 */
function fitPack(folder) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  if (!folders.some((path) => existsSync(join(path, "pulumi-analyzer-policy-nodelegacy")))) return;
  const file = join(folder, "PulumiPolicy.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("runtime: nodejs", "runtime: nodelegacy"));
}

module.exports = { fitPack };
