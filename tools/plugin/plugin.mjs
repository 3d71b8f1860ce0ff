#!/usr/bin/env node
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { readCommandLine } from "../help.mjs";
import { runQuietly, SetupError } from "../setup/child.mjs";
import { isMain, runMain } from "../setup/main.mjs";
import { PACKAGE_BIN, ROOT } from "../setup/paths.mjs";
import { inStep } from "../setup/progress.mjs";
import { bundlePlugin } from "./bundle.mjs";

const NAME = "pulumi-resource-cloudinfra";
/** As in Node's documentation of single executable applications. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const BUILD_MS = 15_000;
/** Pulumi's names of processor architectures, as in the names of plugin tarballs. */
const PROCESSORS = { x64: "amd64", arm64: "arm64" };

/** Makes a tarball with the plugin as one executable that includes Node, and prints its path. */
async function main() {
  if (process.platform !== "linux") {
    throw new SetupError(
      "The executable is made on Linux only. Elsewhere use the plugin of the npm package: npx cloudinfra plugin install.",
    );
  }
  const out = resolve(readCommandLine("plugin", { out: { type: "string", default: "build" } }).out);
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const tarball = join(out, `${NAME}-v${version}-${process.platform}-${PROCESSORS[process.arch]}.tar.gz`);
  mkdirSync(out, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), "cloudinfra-plugin-"));
  try {
    await inStep("plugin", async (step) => {
      step.phase("making the executable", BUILD_MS);
      await makeExecutable(scratch);
      await expect("tar", ["-czf", tarball, "-C", scratch, NAME]);
      step.done("made");
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  console.log(relative(process.cwd(), tarball));
}

/** Makes Node's single executable application: puts the script into a copy of Node. */
async function makeExecutable(folder) {
  const [script, blob, config] = ["plugin.js", "plugin.blob", "sea.json"].map((name) => join(folder, name));
  await bundlePlugin(script);
  writeFileSync(config, JSON.stringify({ main: script, output: blob, disableExperimentalSEAWarning: true }));
  await expect(process.execPath, ["--experimental-sea-config", config]);
  const executable = join(folder, NAME);
  copyFileSync(process.execPath, executable);
  chmodSync(executable, 0o755);
  const postject = join(PACKAGE_BIN, "postject");
  await expect(process.execPath, [postject, executable, "NODE_SEA_BLOB", blob, "--sentinel-fuse", FUSE]);
}

async function expect(command, args) {
  const { code, tail } = await runQuietly(command, args);
  if (code !== 0)
    throw new SetupError(`The executable could not be made: \`${command} ${args.join(" ")}\` said:\n${tail}`);
}

if (isMain(import.meta.url)) runMain(main);
