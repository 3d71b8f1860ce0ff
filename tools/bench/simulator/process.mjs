import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const { readProc, statusOf } = createRequire(import.meta.url)("../../pulumi/proc.cjs");

const COMMAND = fileURLToPath(new URL("../../../bin/cloudinfra.js", import.meta.url));

/** What the kernel counts processor time in, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** `cloudinfra simulator` as a process of its own, so that its memory and processor time are known apart from ours. */
export class SimulatorProcess {
  constructor(child, { url, apiKey, vpcId }) {
    Object.assign(this, { child, url, apiKey, vpcId });
  }

  /** Starts it on a free port, with operations that take no time. Fails where it ends before it listens. */
  static async start() {
    const child = spawn(process.execPath, [COMMAND, "simulator", "--operation-time", "0"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const firstLine = once(createInterface({ input: child.stdout }), "line");
    const ended = once(child, "exit").then(([code]) => {
      throw new Error(`the simulator ended with exit code ${code} before it listened`);
    });
    const [line] = await Promise.race([firstLine, ended]);
    ended.catch(() => {});
    return new SimulatorProcess(child, JSON.parse(line));
  }

  /** Its resident memory now and at most, in megabytes; null where there is no /proc. */
  memoryMegabytes() {
    const { nowBytes, peakBytes } = statusOf(this.child.pid);
    return peakBytes === 0 ? null : { now: Math.round(nowBytes / 1e6), peak: Math.round(peakBytes / 1e6) };
  }

  /** The processor time that it has used, all threads together, in microseconds; null where there is no /proc. */
  cpuUs() {
    const stat = readProc(this.child.pid, "stat");
    if (stat === "") return null;
    // The name of the command, in brackets, may have spaces in it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_SECOND;
  }

  /** Ends it; at Ctrl-C it has had the signal too, and may have ended before. */
  async close() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, "exit");
    this.child.kill();
    await ended;
  }
}
