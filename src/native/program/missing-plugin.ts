import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import * as pulumi from "../../engine/pulumi-sdk";
import { NAMESPACE } from "../../engine/settings-list";
import { isMocked } from "../../program/running-program";
import { projectFile } from "../../process/project-file";
import { pulumiHome } from "../../process/user-folders";

const PLUGIN = `pulumi-resource-${NAMESPACE}`;

const warnings = new WeakMap<object, Promise<void> | undefined>();

/**
 * Warns once in a program if the plugin is not found. The engine would then look for a download, end the program at
 * once, and advise a command that does not work. So calls that need the plugin must await this promise.
 */
export function warnOfMissingPlugin(): Promise<void> | undefined {
  const program = pulumi.getStackResource();
  if (program === undefined || isMocked()) return undefined;
  if (!warnings.has(program)) warnings.set(program, warning());
  return warnings.get(program);
}

function warning(): Promise<void> | undefined {
  const project = projectFile(pulumi.getRootDirectory() || process.cwd());
  // An inline program of the Automation API has no project file in its folder.
  if (project === undefined || namesPlugin(project) || isInstalled() || isRunning()) return undefined;
  return pulumi.log.warn(
    `The plugin of pulumi-cloudinfra/native was not found. Say in ${project} where it is:\n\n` +
      `plugins:\n  providers:\n    - name: ${NAMESPACE}\n      path: node_modules/pulumi-cloudinfra/plugin\n\n` +
      `Or install it for all projects: npx ${NAMESPACE} plugin install`,
  );
}

/**
 * True if the project file names the plugin. It searches the text without a YAML parser: a wrong match only costs the
 * warning.
 */
function namesPlugin(file: string): boolean {
  try {
    const text = readFileSync(file, "utf8");
    return text.includes("plugins") && new RegExp(`\\bname["']?\\s*:\\s*["']?${NAMESPACE}\\b`).test(text);
  } catch {
    return true; // not known
  }
}

/** In the engine's own folder, or on PATH. */
function isInstalled(): boolean {
  const home = pulumiHome();
  const inFolder =
    home !== undefined && namesIn(join(home, "plugins")).some((name) => name.startsWith(`resource-${NAMESPACE}-v`));
  const paths = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  return inFolder || paths.some((path) => ["", ".exe", ".cmd"].some((end) => existsSync(join(path, PLUGIN + end))));
}

/** True if somebody debugs the plugin, whose port the engine then knows. */
function isRunning(): boolean {
  return (process.env["PULUMI_DEBUG_PROVIDERS"] ?? "").includes(`${NAMESPACE}:`);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nothing was ever installed
  }
}
