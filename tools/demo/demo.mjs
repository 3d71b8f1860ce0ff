import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readCommandLine } from "../help.mjs";
import { command, heading, held, isTerminal, pulumiPrinter } from "./screen.mjs";

const PAUSE_MS = 25;

/**
 * A client of the API like many others: it reads its key from a file and signs in with it, again and again, until it is
 * told to stop. Then it reports how that went.
 */
function startSigningClient({ url, keyFile }) {
  const tally = { requests: 0, failed: 0, keys: new Set() };
  let running = true;
  const loop = (async () => {
    while (running) {
      const key = readFileSync(keyFile, "utf8");
      tally.keys.add(key);
      tally.requests += 1;
      const response = await fetch(`${url}/v1/regions`, { headers: { authorization: `Bearer ${key}` } }).catch(
        () => undefined,
      );
      if (!response?.ok) tally.failed += 1;
      await response?.arrayBuffer();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  })();
  return {
    stop: async () => {
      running = false;
      await loop;
      return { requests: tally.requests, failed: tally.failed, keys: tally.keys.size };
    },
  };
}

const require = createRequire(import.meta.url);
const { Stack } = require("../pulumi/stack.cjs");
const { inDays } = require("../states/dates.cjs");
const { startSimulator } = require("../../dist/simulator/index.js");

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const STEPS = 6;
const { keep } = readCommandLine("demo", { keep: { type: "boolean", default: false } });

const simulator = await startSimulator({ operationTime: "1s" });
const stack = new Stack({
  program: { folder: ROOT, entries: ["Pulumi.yaml", "tools/demo/platform"] },
  env: { CLOUDINFRA_API_KEY: simulator.apiKey, CLOUDINFRA_BASE_URL: simulator.url },
});
const keyFile = join(stack.folder, "deployer.key");

/**
 * Runs Pulumi as a person at this terminal would, and ends the demo if that fails. Resolves with the texts of the rows,
 * by resource.
 */
async function pulumi(...args) {
  command(`pulumi ${args.filter((arg) => arg !== "--yes").join(" ")}`);
  const events = join(stack.folder, "events.jsonl");
  rmSync(events, { force: true });
  const print = pulumiPrinter();
  const { code } = await stack.pulumi([...args, "--event-log", events, ...(isTerminal ? [] : ["--non-interactive"])], {
    onTerminal: isTerminal,
    onOutput: print,
    env: { PULUMI_DEBUG_COMMANDS: "true", ...(isTerminal && { NO_COLOR: process.env.NO_COLOR }) },
  });
  print("\n");
  assert.equal(code, 0, `pulumi ${args[0]} failed`);
  return rowsOf(readFileSync(events, "utf8"));
}

/** The texts of a run's rows, as `name: text`. */
function rowsOf(events) {
  const diagnostics = events.split("\n").flatMap((line) => (line ? (JSON.parse(line).diagnosticEvent ?? []) : []));
  return diagnostics.map(({ urn = "", message }) => `${urn.split("::").at(-1)}: ${message}`).join("\n");
}

const preview = () => pulumi("preview");
const up = () => pulumi("up", "--yes", "--skip-preview");
async function set(key, value) {
  command(`pulumi config set ${key} ${value}`);
  await stack.setConfig(key, value);
}

async function show() {
  const state = async () => (await fetch(`${simulator.controlUrl}/state`)).json();
  const seeded = await state();
  const ofProgram = ({ vpcs, vms, volumes, firewallRules, connections }) =>
    [vpcs, vms, volumes, firewallRules, connections].map((all) => all.length);
  await stack.init({
    "cloudinfra:projectId": simulator.projectId,
    "cloudinfra:region": simulator.region,
    "demo:instanceType": "n1-standard-2",
    "demo:dataGb": "100",
    "demo:bandwidthMbps": "200",
    "demo:expiresAt": inDays(30),
    "demo:keyFile": keyFile,
  });

  heading(1, STEPS, "Preview a new stack: what each resource costs, and the total");
  const first = await preview();
  for (const priced of ["database", "data", "aws-link"])
    assert.match(first, new RegExp(`${priced}: .*\\+\\$\\d+\\.\\d\\d/mo`));
  held("the preview shows the cost before anything exists");

  heading(2, STEPS, "Create it");
  await up();
  // A VM comes with its boot volume.
  assert.deepEqual(ofProgram(await state()), [seeded.vpcs.length + 1, 1, 2, 1, 1]);
  held("the API has the VPC, its rule, the VM, its volume, the connection and the key");

  heading(3, STEPS, "Preview a faster connection and a larger VM and volume");
  await set("bandwidthMbps", "500");
  await set("instanceType", "n1-standard-4");
  await set("dataGb", "250");
  const second = await preview();
  for (const changed of ["database", "data", "aws-link"])
    assert.match(second, new RegExp(`${changed}: .*\\$\\d+\\.\\d\\d/mo → \\$\\d+\\.\\d\\d/mo \\(\\+\\$\\d+`));
  held("each change shows the cost before and after, and the difference");

  heading(4, STEPS, "Make the change");
  const before = await state();
  await up();
  const after = await state();
  assert.deepEqual([after.vms[0].id, after.vms[0].instance_type], [before.vms[0].id, "n1-standard-4"]);
  assert.notEqual(after.connections[0].id, before.connections[0].id);
  assert.equal(after.connections[0].bandwidth_mbps, 500);
  held("it is the same VM, with another instance type, and a new connection");

  heading(5, STEPS, "Rotate the key while a client uses it");
  const client = startSigningClient({ url: simulator.url, keyFile });
  await set("expiresAt", inDays(60));
  await up();
  const tally = await client.stop();
  console.log(`  requests ${tally.requests}, failed ${tally.failed}`);
  assert.equal(tally.failed, 0);
  assert.equal(tally.keys, 2, "the client has used the old key and the new one");
  held("the new key existed before the old one was deleted: no request failed");

  if (keep) return;
  heading(6, STEPS, "Destroy everything");
  await pulumi("destroy", "--yes", "--skip-preview");
  const left = await state();
  assert.deepEqual(ofProgram(left), ofProgram(seeded));
  held("the API has no objects left");
}

/** For `--keep`: tells how to continue by hand. */
function tellHowToGoOn() {
  console.log(`\nThe simulator runs until Ctrl-C. To continue by hand, in another terminal:\n`);
  const environment = [
    "PULUMI_BACKEND_URL",
    "PULUMI_CONFIG_PASSPHRASE",
    "PULUMI_HOME",
    "CLOUDINFRA_BASE_URL",
    "CLOUDINFRA_API_KEY",
  ];
  console.log(`  cd ${stack.folder}`);
  for (const name of environment) console.log(`  export ${name}=${stack.env[name]}`);
  console.log(`  export PATH=${process.env.PATH.split(":").slice(0, 2).join(":")}:$PATH`);
  console.log(`\n  pulumi preview\n  pulumi config set bandwidthMbps 1000 && pulumi preview`);
  console.log(`  curl ${simulator.controlUrl}/state\n`);
}

async function close() {
  await simulator.close();
  stack.remove();
}

try {
  await show();
  if (keep) {
    tellHowToGoOn();
    await new Promise((resolve) => process.once("SIGINT", resolve));
  }
} catch (error) {
  console.error(`\n✘ The demo failed: ${error instanceof assert.AssertionError ? error.message : error.stack}`);
  process.exitCode = 1;
} finally {
  await close();
}
