import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runQuietly } from "../setup/child.mjs";
import { SetupError } from "../setup/setup-error.mjs";
import { goEnvironment } from "./go.mjs";
import { makeEngine } from "./new-engine.mjs";
import { LANGUAGE_HOST_VERSION } from "./versions.mjs";

const MODULES = join(dirname(fileURLToPath(import.meta.url)), "modules");
const CLI = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const SDK = "github.com/pulumi/pulumi/sdk/v3";
const HOST = `${SDK}/nodejs/cmd/pulumi-language-nodejs`;

// As measured on two cores; compiling goes by the number of cores.
const DOWNLOAD_MS = 25_000;
const COMPILE_MS = (2 * 110_000) / availableParallelism();
const HOST_MS = (2 * 15_000) / availableParallelism();

/** Builds the engine of this version from Go modules of pinned versions and hashes into `folder`. */
export function buildEngine({ version, go, folder, step, env = process.env }) {
  return makeEngine(folder, env, async (product, scratch) => {
    const bin = join(product, "bin");
    mkdirSync(bin, { recursive: true });
    const run = runner(go, goEnvironment(env, scratch));
    step.phase("downloading its source", DOWNLOAD_MS, COMPILE_MS + HOST_MS);
    const cli = `cli-${version}`;
    const packages = await run(cli, ["list", "-mod=readonly", "-deps", CLI]);
    await run("language-host", ["list", "-mod=readonly", "-deps", HOST]);

    step.phase("compiling", COMPILE_MS, HOST_MS);
    const onLine = counter(packages.split("\n").length, step);
    await run(cli, compile(join(bin, "pulumi"), version, CLI), onLine);

    step.phase("compiling its language host", HOST_MS);
    await run("language-host", compile(join(bin, "pulumi-language-nodejs"), LANGUAGE_HOST_VERSION, HOST));
    const sdk = await run("language-host", ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", SDK]);
    copyScripts(join(sdk.trim(), "nodejs", "dist"), bin);
  });
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
