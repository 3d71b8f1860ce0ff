// CommonJS, because jest's tests use it beside the examples.
const { execFileSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

/** Its versions are the engine's, whose packages Go has compiled already. */
const MODULE = join(__dirname, "..", "engine", "modules", "sdk-generator");

/** The files of a program's module: what it says of itself, and the versions. */
function goModule(own) {
  const versions = readFileSync(join(MODULE, "go.mod"), "utf8");
  const sums = readFileSync(join(MODULE, "go.sum"), "utf8");
  return { "go.mod": `${own}\n${versions.slice(versions.indexOf("require"))}`, "go.sum": sums };
}

/** As the engine was built, and with the same cache, so that Go does not compile the same packages again. */
function goEnvironment() {
  const cache = execFileSync("go", ["env", "GOCACHE"], { encoding: "utf8" }).trim();
  return { GOCACHE: cache, GOFLAGS: "-mod=mod -trimpath", CGO_ENABLED: "0", GOTOOLCHAIN: "local" };
}

module.exports = { goEnvironment, goModule };
