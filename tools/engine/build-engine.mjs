import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runQuietly, SetupError } from "../setup/child.mjs";
import { findGo, goEnvironment } from "./go.mjs";
import { probe, programFolder } from "./probe.mjs";
import { LANGUAGE_HOST_VERSION } from "./versions.mjs";

/** The prefix of the folder of an engine that is not complete yet. */
const UNFINISHED = ".building-";
const ABANDONED_MS = 6 * 60 * 60 * 1000;

/**
 * Calls `make(product, scratch)` to put an engine into `product`, and moves that to `folder` if it works. All happens
 * in a scratch folder beside `folder`, so that `folder` never has half an engine, even if this process is killed or two
 * run at once. Throws the errors of `make`.
 */
export async function makeEngine(folder, make) {
  return beside(folder, async (product, scratch) => {
    await make(product, scratch);
    const { problem } = await probe(join(product, "bin"));
    if (problem) throw new SetupError(`it does not work: ${problem}`);
    await publish(product, folder);
  });
}

/**
 * Calls `work(product, scratch)` with a scratch folder beside `folder`, which is deleted at the end, and a path in it.
 */
async function beside(folder, work) {
  mkdirSync(dirname(folder), { recursive: true });
  sweep(dirname(folder));
  const scratch = mkdtempSync(join(dirname(folder), UNFINISHED));
  try {
    return await work(join(scratch, "product"), scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Moves the engine to its final name. If another process was faster, and its engine works, that one stays. */
async function publish(product, folder) {
  try {
    if (existsSync(folder)) {
      const { problem } = await probe(join(folder, "bin"));
      if (!problem) return;
      renameSync(folder, join(dirname(product), "replaced"));
    }
    renameSync(product, folder);
  } catch (error) {
    const { problem } = await probe(join(folder, "bin"));
    if (problem) throw error;
  }
}

/** Deletes the scratch folders of killed processes. Another process may delete its own meanwhile. */
function sweep(parent) {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const left = join(parent, name);
    const changedAt = statSync(left, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - changedAt > ABANDONED_MS) rmSync(left, { recursive: true, force: true });
  }
}

const MODULES = join(dirname(fileURLToPath(import.meta.url)), "modules");
const CLI = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const SDK = "github.com/pulumi/pulumi/sdk/v3";
const HOST = `${SDK}/nodejs/cmd/pulumi-language-nodejs`;

/** Go asks a checksum database about a module that is not in go.sum. Without one, it refuses the module. */
const NO_DATABASE = "sum.golang.org https://hash-not-in-go-sum.invalid";
/** What `go list` is to print of a package, so that its output shows only errors. */
const NOTHING = '{{""}}';

// Measured on two cores. The time of compiling depends on the number of cores.
const DOWNLOAD_MS = 25_000;
const COMPILE_MS = (2 * 110_000) / availableParallelism();
const HOST_MS = (2 * 15_000) / availableParallelism();

/** Builds the engine of this version from Go modules of pinned versions and hashes into `folder`. */
export function buildEngine({ version, go, folder, step }) {
  return makeEngine(folder, async (product, scratch) => {
    const bin = join(product, "bin");
    mkdirSync(bin, { recursive: true });
    step.phase("downloading its source", DOWNLOAD_MS);
    const inCli = await openModule(`cli-${version}`, CLI, { go, scratch });
    const inHosts = await openModule("language-host", HOST, { go, scratch });

    step.phase("compiling", COMPILE_MS);
    await inCli(compile(join(bin, "pulumi"), version, CLI));

    step.phase("compiling its language host", HOST_MS);
    await inHosts(compile(join(bin, "pulumi-language-nodejs"), LANGUAGE_HOST_VERSION, HOST));
    const sdk = await inHosts(["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", SDK]);
    copyScripts(join(sdk.trim(), "nodejs", "dist"), bin);
  });
}

/**
 * Downloads what a program needs, and returns a function that runs Go in a copy of its module. In the copy, Go has
 * completed go.mod: with the versions that the requirements' own go.mod files name. Throws if the committed go.sum
 * lacks a hash, so everything is pinned before anything is compiled.
 */
async function openModule(module, program, { go, scratch }) {
  const cwd = join(scratch, module);
  cpSync(join(MODULES, module), cwd, { recursive: true });
  const settings = { cwd, env: { ...goEnvironment(scratch), GOSUMDB: NO_DATABASE } };
  const run = async (args) => {
    const { code, stdout, tail } = await runQuietly(go, args, settings);
    if (code !== 0) throw new SetupError(`${tail}\n\n\`go ${args[0]}\` failed; above is what Go said of it.`);
    return stdout;
  };
  await run(["list", "-mod=mod", "-deps", "-f", NOTHING, program]);
  const sums = (folder) => readFileSync(join(folder, "go.sum"), "utf8");
  if (sums(cwd) !== sums(join(MODULES, module))) throw new SetupError(`go.sum of ${module} does not pin all modules`);
  return run;
}

/** -mod=readonly: Go refuses a module that does not match go.sum. */
function compile(output, version, program) {
  const flags = `-s -w -X ${SDK}/go/common/version.Version=v${version}`;
  const options = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", flags];
  return ["build", ...options, "-o", output, program];
}

/**
 * The scripts that run dynamic providers and policy packs. This language host runs no policy packs. The engine looks
 * for a script named after the pack's runtime if there is no such host, so packs here say `runtime: nodelegacy`.
 */
function copyScripts(dist, bin) {
  const scripts = {
    "pulumi-resource-pulumi-nodejs": "pulumi-resource-pulumi-nodejs",
    "pulumi-analyzer-policy": "pulumi-analyzer-policy-nodelegacy",
  };
  for (const [from, to] of Object.entries(scripts)) {
    copyFileSync(join(dist, from), join(bin, to));
    chmodSync(join(bin, to), 0o755);
  }
}

/**
 * The folder of a program from a Go module, built once in the user's cache: `{ folder }`, or `{ problem }` if it is
 * missing and there is no Go to build it. `module` is its folder in `modules`. `complete` adds what it needs to run.
 */
export async function goProgram({ name, module = name, version, command, source, cpuMs, complete }, step) {
  const folder = programFolder(name, version);
  if (existsSync(join(folder, command))) {
    step.done(`${version} in the cache`);
    return { folder };
  }
  const { go, problem } = await findGo();
  if (problem) return { problem };
  return beside(folder, async (product, scratch) => {
    step.phase("compiling", cpuMs / availableParallelism());
    const run = await openModule(module, source, { go, scratch });
    await run(compile(join(product, command), version, source));
    const missing = await complete?.({ product, run, step });
    if (missing) return { problem: missing };
    if (!existsSync(folder)) renameSync(product, folder);
    step.done(`${version} built`);
    return { folder };
  });
}
