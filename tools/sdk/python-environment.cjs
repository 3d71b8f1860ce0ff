// CommonJS, because jest's tests use it beside the examples.
const { execFileSync } = require("node:child_process");
const { existsSync } = require("node:fs");
const { delimiter, join } = require("node:path");

/** The folders that must be beside a language host. For Python, it is a Python that has Pulumi's SDK. */
const BESIDE = { python: ["venv"] };

/** The folder on PATH with the language host. Undefined if there is none. */
function languageHost(language, path = process.env.PATH ?? "") {
  const wanted = [`pulumi-language-${language}`, ...(BESIDE[language] ?? [])];
  return path.split(delimiter).find((folder) => wanted.every((name) => existsSync(join(folder, name))));
}

/**
 * Installs a generated SDK into `folder`, as `pip install` does, with the Python beside the language host. Returns the
 * environment for a program that uses it.
 */
function pythonEnvironment(sdk, folder) {
  const bin = join(languageHost("python"), "venv", "bin");
  const offline = ["--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"];
  execFileSync(join(bin, "python3"), ["-m", "pip", "install", "--quiet", ...offline, "--target", folder, sdk]);
  return { PYTHONPATH: folder, PATH: `${bin}${delimiter}${process.env.PATH}` };
}

module.exports = { languageHost, pythonEnvironment };
