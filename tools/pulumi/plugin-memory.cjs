// CommonJS, because jest's tests use it beside the bench.
const { existsSync } = require("node:fs");
const { setInterval } = require("node:timers");
const { processIds, readProc, statusOf } = require("./proc.cjs");

const EVERY_MS = 100;

/**
 * The peak memory of the provider's plugin in bytes: the kernel's peak of the resident set (VmHWM), read while the
 * process runs. Without /proc, `peakBytes` stays undefined.
 */
class PluginMemory {
  /** `parent` returns the process id of the Pulumi CLI when it runs. The plugin is one of its descendants. */
  constructor(parent) {
    /** @type {number | undefined} */
    this.peakBytes = undefined;
    if (!existsSync("/proc/self/status")) return;
    this.timer = setInterval(() => this.#look(parent()), EVERY_MS);
  }

  stop() {
    clearInterval(this.timer);
  }

  #look(parent) {
    const processes = new Map(processIds().map((pid) => [pid, statusOf(pid)]));
    for (const [pid, { peakBytes }] of processes) {
      if (!isBeneath(processes, pid, parent) || !isPlugin(pid)) continue;
      this.peakBytes = Math.max(this.peakBytes ?? 0, peakBytes);
    }
  }
}

function isBeneath(processes, pid, ancestor) {
  for (let at = pid; at > 1; at = processes.get(at)?.parent ?? 0) if (at === ancestor) return true;
  return false;
}

/** True for Node itself, but not for the shell that starts it. */
function isPlugin(pid) {
  const [command = "", ...args] = readProc(pid, "cmdline").split("\0");
  return /(^|\/)node$/.test(command) && args.some((arg) => arg.includes("cmd/dynamic-provider"));
}

module.exports = { PluginMemory };
