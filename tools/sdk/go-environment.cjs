// CommonJS, because jest's tests use it beside the examples.
const { execFileSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

/** Its versions are those of the engine, whose packages Go has already compiled. */
const MODULE = join(__dirname, "..", "engine", "modules", "sdk-generator");

/** The files of a program's module: the given first lines, and the versions. */
function goModule(own) {
  const versions = readFileSync(join(MODULE, "go.mod"), "utf8");
  const sums = readFileSync(join(MODULE, "go.sum"), "utf8");
  return { "go.mod": `${own}\n${versions.slice(versions.indexOf("require"))}`, "go.sum": sums };
}

/** The flags and the cache of the engine's own build, so that Go does not compile the same packages again. */
function goEnvironment() {
  const cache = execFileSync("go", ["env", "GOCACHE"], { encoding: "utf8" }).trim();
  return { GOCACHE: cache, GOFLAGS: "-mod=mod -trimpath", CGO_ENABLED: "0", GOTOOLCHAIN: "local" };
}

module.exports = { goEnvironment, goModule };
