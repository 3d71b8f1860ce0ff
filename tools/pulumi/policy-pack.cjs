// CommonJS, because jest's tests use it beside the examples.
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { delimiter, join } = require("node:path");

/**
 * The engine that this repository builds has a language host that runs no policy packs. A script beside it runs those of a runtime of another
 * name, so the pack in this folder gets that name. A release of the engine runs the pack as it is.
 */
function fitPack(folder) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  if (!folders.some((path) => existsSync(join(path, "pulumi-analyzer-policy-nodelegacy")))) return;
  const file = join(folder, "PulumiPolicy.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("runtime: nodejs", "runtime: nodelegacy"));
}

module.exports = { fitPack };
