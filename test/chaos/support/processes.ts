import { spawnSync, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { processIds, readProc, statusOf } from "../../../tools/pulumi/proc.cjs";

/** The plugin process with either provider: Pulumi's server of dynamic providers, or this package's server. */
const PLUGINS = /dynamic-provider|node \S*pulumi-resource-cloudinfra/;

/** Kills the plugin process of this CLI. False if there is none. */
export function killPluginOf(cli: number): boolean {
  const plugin = descendantsOf(cli).find(({ command }) => PLUGINS.test(command));
  if (plugin) process.kill(plugin.pid, "SIGKILL");
  return plugin !== undefined;
}

/** Ctrl-C twice. The engine takes two signals for one until it has reported the first. */
export async function interrupt(cli: ChildProcess): Promise<void> {
  const reported = new Promise<void>((resolve) => {
    const listen = (text: Buffer | string): void => {
      if (text.toString().includes("^C received")) resolve();
    };
    for (const stream of [cli.stdout, cli.stderr]) stream?.on("data", listen);
    cli.once("exit", () => resolve());
  });
  cli.kill("SIGINT");
  await reported;
  cli.kill("SIGINT");
}

interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** The descendants of a process. The plugin's own process is the last, after its shell script. */
function descendantsOf(pid: number): readonly RunningProcess[] {
  const all = existsSync("/proc/self/status") ? processIds().map(processOf) : shownByPs();
  const below = (parent: number): readonly RunningProcess[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [...below(one.pid), one]);
  return below(pid);
}

function processOf(pid: number): RunningProcess {
  return { pid, parent: statusOf(pid).parent, command: readProc(pid, "cmdline").replaceAll("\0", " ").trim() };
}

/** A small Linux has no ps, and macOS has no /proc. */
function shownByPs(): readonly RunningProcess[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return stdout.split("\n").map((line): RunningProcess => {
    const [, own = "", parent = "", command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return { pid: Number(own), parent: Number(parent), command };
  });
}
