import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { readdirSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runQuietly } from "../setup/child.mjs";
import { SetupError } from "../setup/setup-error.mjs";
import { goEnvironment } from "./go.mjs";
import { probe } from "./probe.mjs";
import { LANGUAGE_HOST_VERSION, PULUMI_VERSION } from "./versions.mjs";

const MODULES = join(dirname(fileURLToPath(import.meta.url)), "modules");
const CLI = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const SDK = "github.com/pulumi/pulumi/sdk/v3";
const HOST = `${SDK}/nodejs/cmd/pulumi-language-nodejs`;
/** How the folder of a build under way begins. */
export const BUILDING = ".building-";
const ABANDONED_MS = 6 * 60 * 60 * 1000;

// As measured on two cores; compiling goes by the number of cores.
const DOWNLOAD_MS = 25_000;
const COMPILE_MS = (2 * 110_000) / availableParallelism();
const HOST_MS = (2 * 15_000) / availableParallelism();

/**
 * Builds the engine from Go modules of pinned versions and hashes into `folder`. All happens in a folder beside it that
 * takes its name at the end: a build that is killed, or two at once, never leave half an engine.
 */
export async function buildEngine({ go, folder, step, env = process.env }) {
  mkdirSync(dirname(folder), { recursive: true });
  sweep(dirname(folder));
  const scratch = mkdtempSync(join(dirname(folder), BUILDING));
  const product = join(scratch, "engine");
  const bin = join(product, "bin");
  mkdirSync(bin, { recursive: true });
  try {
    const run = runner(go, goEnvironment(env, scratch));
    step.phase("downloading its source", DOWNLOAD_MS, COMPILE_MS + HOST_MS);
    const packages = await run("cli", ["list", "-mod=readonly", "-deps", CLI]);
    await run("language-host", ["list", "-mod=readonly", "-deps", HOST]);

    step.phase("compiling", COMPILE_MS, HOST_MS);
    const onLine = counter(packages.split("\n").length, step);
    await run("cli", compile(join(bin, "pulumi"), PULUMI_VERSION, CLI), onLine);

    step.phase("compiling its language host", HOST_MS);
    await run("language-host", compile(join(bin, "pulumi-language-nodejs"), LANGUAGE_HOST_VERSION, HOST));
    const sdk = await run("language-host", ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", SDK]);
    copyScripts(join(sdk.trim(), "nodejs", "dist"), bin);

    const { problem } = await probe(bin, env);
    if (problem) throw new SetupError(`The engine was built, but ${problem}.`);
    await publish(product, folder, env);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs Go in one of the modules of this folder. */
export function runner(go, env) {
  return async (module, args, onLine) => {
    const { code, stdout, tail } = await runQuietly(go, args, { cwd: join(MODULES, module), env, onLine });
    if (code !== 0) throw new SetupError(`${tail}\n\n\`go ${args[0]}\` failed; above is what Go said of it.`);
    return stdout;
  };
}

/** -mod=readonly: nothing is written into the checkout, and what does not match the committed go.sum is refused. */
export function compile(output, version, what) {
  const flags = `-s -w -X ${SDK}/go/common/version.Version=v${version}`;
  const options = ["-v", "-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", flags];
  return ["build", ...options, "-o", output, what];
}

/** Go names each package as it compiles it; linking, which it does not name, is the last tenth. */
function counter(total, step) {
  let seen = 0;
  return () => step.fraction((0.9 * ++seen) / Math.max(total, seen));
}

/**
 * The scripts that run dynamic providers and policy packs. This language host runs no policy packs; the engine turns to
 * a script named after the pack's runtime if no host of that name exists, so packs here say `runtime: nodelegacy`.
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

/** Gives the engine its name. Where another build was faster, and its engine works, that one stays. */
async function publish(product, folder, env) {
  if (existsSync(folder)) {
    const { problem } = await probe(join(folder, "bin"), env);
    if (!problem) return;
    renameSync(folder, join(dirname(product), "replaced"));
  }
  try {
    renameSync(product, folder);
  } catch (error) {
    const { problem } = await probe(join(folder, "bin"), env);
    if (problem) throw error;
  }
}

/** Takes away what builds that were killed have left. */
function sweep(parent) {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(BUILDING)) continue;
    const left = join(parent, name);
    if (Date.now() - statSync(left).mtimeMs > ABANDONED_MS) rmSync(left, { recursive: true, force: true });
  }
}
