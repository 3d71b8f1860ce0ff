// CommonJS, because jest's tests use it beside the bench. Reads Linux's /proc, which other systems do not have.
const { readdirSync, readFileSync } = require("node:fs");

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

/** The parent of a process, and its resident memory in bytes: now, and the peak. Zeros if it has ended. */
function statusOf(pid) {
  const status = readProc(pid, "status");
  const numberOf = (name) => Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(status)?.[1] ?? 0);
  return { parent: numberOf("PPid"), nowBytes: numberOf("VmRSS") * 1024, peakBytes: numberOf("VmHWM") * 1024 };
}

module.exports = { processIds, readProc, statusOf };
