// CommonJS, because jest's tests use it beside the bench. Facts about a process from Linux's /proc, which other systems do not have.
const { readdirSync, readFileSync } = require("node:fs");

/** The ids of all processes. */
function processIds() {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);
}

/** A file of the process's folder in /proc; empty if there is none, because a process may end while it is read. */
function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** The process's parent, and its resident memory now and at most, in bytes; zeros if it is not there. */
function statusOf(pid) {
  const status = readProc(pid, "status");
  const numberOf = (name) => Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(status)?.[1] ?? 0);
  return { parent: numberOf("PPid"), nowBytes: numberOf("VmRSS") * 1024, peakBytes: numberOf("VmHWM") * 1024 };
}

module.exports = { processIds, readProc, statusOf };
