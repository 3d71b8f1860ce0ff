import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { isRecord } from "../definition/compare-values";
import { NAMESPACE } from "../engine/settings-list";
import { pulumiHome } from "../process/user-folders";
import { version } from "../process/version";
import { fileFault } from "../text/file-fault";
import { parseJson } from "../text/json";
import { addExamples, addExitCodes, type RunCommand } from "./command-flags";
import { CommandFailure } from "./command-failure";
import { exitCodes } from "./exit-codes";
import type { CliIo } from "./io";
import { runPulumi } from "./pulumi/run-pulumi";

const PACKAGE_FOLDER = resolve(__dirname, "../..");

export function addPluginCommand(program: Command, run: RunCommand): void {
  const plugin = program.command("plugin").description("Install the provider for programs in other languages.");
  const install = plugin
    .command("install")
    .description("Put the plugin where Pulumi finds it, and ask Pulumi whether it does.")
    .action(() => run({}, installPlugin));
  for (const command of [plugin, install]) addExamples(addExitCodes(command), "cloudinfra plugin install");
}

/**
 * Installs a plugin that runs this package. Pulumi installs it, because only Pulumi knows the right folder. Without a
 * `pulumi` on PATH, the plugin goes into Pulumi's default folder. Resolves with the exit code. Rejects with
 * CommandFailure.
 */
async function installPlugin(io: CliIo): Promise<number> {
  const made = makePlugin(tmpdir(), "Name a folder that you may write to in TMPDIR.");
  try {
    const flags = ["resource", NAMESPACE, version, "--file", made, "--reinstall"];
    const installed = await runPulumi(["plugin", "install", ...flags], io);
    if (installed.status === "failed") throw notInstalled(installed.reason, "Run this again when that is corrected.");
    const where = installed.status === "done" ? await foundByPulumi(io) : putInDefaultFolder(io);
    io.stdout.write(
      `Installed the plugin ${NAMESPACE} ${version} ${where}.\n` +
        `It runs the package in ${PACKAGE_FOLDER}, with the node on PATH. If you move or update the package, run this command again.\n`,
    );
    return exitCodes.fine;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Asks Pulumi for the plugin. Rejects with CommandFailure if Pulumi does not find it. */
async function foundByPulumi(io: CliIo): Promise<string> {
  const listed = await runPulumi(["plugin", "ls", "--json"], io);
  const plugins = listed.status === "done" ? parseJson(listed.stdout) : undefined;
  const isOwn = (each: unknown): boolean => isRecord(each) && each["name"] === NAMESPACE && each["version"] === version;
  if (Array.isArray(plugins) && plugins.some(isOwn)) return "where Pulumi finds it: `pulumi plugin ls` shows it";
  throw notInstalled("`pulumi plugin ls` does not show it");
}

function putInDefaultFolder(io: CliIo): string {
  const home = pulumiHome(io.environment);
  if (home === undefined) {
    throw new CommandFailure("There is no home folder to install the plugin in. Name Pulumi's folder in PULUMI_HOME.");
  }
  const plugins = resolve(io.cwd, home, "plugins");
  const folder = join(plugins, `resource-${NAMESPACE}-v${version}`);
  // Made in another folder and then renamed, so that an engine never finds an incomplete plugin.
  const made = makePlugin(plugins);
  try {
    rmSync(folder, { recursive: true, force: true });
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw notWritten(folder, error);
  }
  return `in ${folder}. There is no pulumi on PATH, so Pulumi was not asked whether it looks there`;
}

/**
 * Makes a folder with the plugin. The engine ignores it, because its name does not begin with a kind of plugin. Throws
 * CommandFailure.
 */
function makePlugin(parent: string, advice?: string): string {
  try {
    mkdirSync(parent, { recursive: true });
    const made = mkdtempSync(join(parent, ".cloudinfra-"));
    const script = `#!/usr/bin/env node\nrequire(${JSON.stringify(join(PACKAGE_FOLDER, "plugin", `pulumi-resource-${NAMESPACE}`))});\n`;
    writeFileSync(join(made, `pulumi-resource-${NAMESPACE}`), script, { mode: 0o755 });
    return made;
  } catch (error) {
    throw notWritten(parent, error, advice);
  }
}

function notWritten(folder: string, error: unknown, advice?: string): CommandFailure {
  return notInstalled(`${folder} cannot be written: ${fileFault(error)}`, advice);
}

function notInstalled(
  reason: string,
  advice = "Correct that, or name another folder of Pulumi in PULUMI_HOME.",
): CommandFailure {
  return new CommandFailure(`The plugin could not be installed: ${reason}. ${advice}`);
}
