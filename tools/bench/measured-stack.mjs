import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);
const { PluginMemory } = require("../pulumi/plugin-memory.cjs");
const { environmentFor, Stack } = require("../pulumi/stack.cjs");
const { startSimulator } = require("../../dist/simulator/index.js");

/** A new stack of a program in `programs/`, with its own simulator. Each run of the engine is measured. */
export class MeasuredStack {
  /**
   * `settings` are those of the simulator. `env` is added to Pulumi's environment. `project` describes an existing
   * project, as for Stack; `program` is then only a name.
   */
  static async start(program, { settings: { operationTime, latency } = {}, env = {}, project } = {}) {
    const simulator = await startSimulator({ operationTime, latency });
    const stack = new Stack({
      program: project ?? readFileSync(new URL(`programs/${program}.cjs`, import.meta.url), "utf8"),
      env: { ...environmentFor(simulator), ...env },
    });
    await stack.init();
    return new MeasuredStack(program, stack, simulator);
  }

  constructor(name, stack, simulator) {
    Object.assign(this, { name, stack, simulator });
  }

  /** Sets the resources that the program declares, as arguments by name. */
  declare(resources) {
    writeFileSync(join(this.stack.folder, "resources.json"), JSON.stringify(resources));
  }

  /**
   * Runs the engine once: `{ wallMs, calls, peakBytes }`. `calls` are the requests to the API (see `tally`).
   * `peakBytes` is the plugin's memory, null if the system does not report it. Fails if Pulumi fails.
   */
  async run(command, args = []) {
    const before = (await this.#requests()).length;
    const memory = new PluginMemory(() => this.stack.child?.pid);
    const startedAt = performance.now();
    const flags = command === "preview" ? [] : ["--yes", "--skip-preview"];
    const { code, output } = await this.stack.pulumi([command, "--non-interactive", ...flags, ...args]);
    const wallMs = performance.now() - startedAt;
    memory.stop();
    if (code !== 0) throw new Error(`${this.name}: pulumi ${command} failed\n${output}`);
    const requests = (await this.#requests()).slice(before);
    return { wallMs, calls: tally(requests), peakBytes: memory.peakBytes ?? null };
  }

  /** The resources in the state, without the stack itself and the providers. */
  async resources() {
    const { stdout } = await this.stack.pulumi(["stack", "export"]);
    return JSON.parse(stdout).deployment.resources.filter(({ type }) => !type.startsWith("pulumi:"));
  }

  async close() {
    this.stack.remove();
    await this.simulator.close();
  }

  /** A run sends far fewer requests than the simulator keeps. */
  async #requests() {
    return (await fetch(`${this.simulator.controlUrl}/requests`)).json();
  }
}

/** Counts the requests of each kind. `requests` come from the simulator's control port. */
function tally(requests) {
  const counts = {};
  for (const request of requests) counts[requestKind(request)] = (counts[requestKind(request)] ?? 0) + 1;
  return counts;
}

const VERBS = { POST: "create", PATCH: "update", PUT: "update", DELETE: "delete" };
const ID = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function requestKind({ method, path }) {
  if (path.endsWith("/cost")) return "quote";
  if (path.endsWith("/availability")) return "availability request";
  if (path === "/v1/operations") return "operation list";
  if (path.startsWith("/v1/operations/")) return "operation read";
  // The answer's date shows the API's time.
  if (path === "/v1/regions") return "clock read";
  if (method === "GET") return ID.test(path) || path.endsWith("/kubeconfig") ? "read" : "list";
  return VERBS[method] ?? method;
}
