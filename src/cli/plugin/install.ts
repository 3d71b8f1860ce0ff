import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { NAMESPACE } from "../../config-keys";
import { pulumiHome } from "../../user-folders";
import { version } from "../../version";
import { CommandFailure } from "../command-failure";
import { exitCodes } from "../exit-codes";
import type { CliIo } from "../io";

const PACKAGE = resolve(__dirname, "../../..");

/** Puts a plugin that runs this package where the engine looks for plugins. Resolves with the exit code. Throws CommandFailure. */
export function installPlugin(io: CliIo): number {
  const home = pulumiHome(io.environment);
  if (home === undefined) {
    throw new CommandFailure("There is no home folder to install the plugin in. Name Pulumi's folder in PULUMI_HOME.");
  }
  const plugins = resolve(io.cwd, home, "plugins");
  const folder = join(plugins, `resource-${NAMESPACE}-v${version}`);
  try {
    replaceFolder(plugins, folder);
  } catch (error) {
    const { message } = error as Error;
    throw new CommandFailure(
      `The plugin could not be installed in ${folder}: ${message}. Name another folder in PULUMI_HOME.`,
    );
  }
  io.stdout.write(
    `Installed the plugin ${NAMESPACE} ${version} in ${folder}.\n` +
      `It runs the package in ${PACKAGE}, with the node on PATH. If you move or update the package, run this command again.\n`,
  );
  return exitCodes.fine;
}

/** Made beside it and renamed, so that an engine never finds half a plugin. */
function replaceFolder(plugins: string, folder: string): void {
  mkdirSync(plugins, { recursive: true });
  // The engine ignores names that do not begin with a kind of plugin.
  const made = mkdtempSync(join(plugins, ".cloudinfra-"));
  const script = `#!/usr/bin/env node\nrequire(${JSON.stringify(join(PACKAGE, "dist", "native", "server.js"))});\n`;
  writeFileSync(join(made, `pulumi-resource-${NAMESPACE}`), script, { mode: 0o755 });
  rmSync(folder, { recursive: true, force: true });
  renameSync(made, folder);
}
