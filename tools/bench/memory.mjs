// What the simulator still holds of what it has answered: `npm run bench -- memory [--requests 5000] [--resources 5000] [--json <file>]`.
// The simulator runs in this process, which collects the garbage before it looks. In the JSON:
//   { bench: "memory", command, machine, requests, resources, bytesLeft: { ofRequest, ofRule } }
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { commandGiven, count, readOptions } from "./command-line.mjs";
import { machine } from "./machine.mjs";
import { present } from "./result.mjs";
import { FirewallRules } from "./simulator/firewall-rules.mjs";
import { RequestLoad } from "./simulator/request-load.mjs";

const { startSimulator } = createRequire(import.meta.url)("../../dist/simulator/index.js");

const options = readOptions({ requests: "5000", resources: "5000", json: undefined });
const [requests, resources] = [count("requests", options.requests), count("resources", options.resources)];

/** Large enough for each request to weigh more than all else that a request leaves. */
const large = "x".repeat(8000);

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

function heldBytes() {
  // What was being collected when it was asked for is gone after the second time only.
  for (let times = 0; times < 3; times += 1) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Requests of all sorts that change nothing: answered, refused, malformed, unknown; each with something large in it. */
async function sendRequests({ url, apiKey, vpcId }, number) {
  const rules = `/v1/networking/vpcs/${vpcId}/firewall_rules`;
  const sorts = [
    ["GET", "/v1/regions", apiKey],
    ["GET", `${rules}?name=${large}`, apiKey],
    ["GET", `/v1/${large}`, apiKey],
    ["GET", "/v1/%zz", apiKey],
    ["GET", `/v1/api_keys?cursor=${large}`, apiKey],
    ["GET", "/v1/projects", large],
    ["POST", "/v1/networking/vpcs/cost", apiKey, JSON.stringify({ name: large })],
    ["POST", "/v1/regions", apiKey, large],
    ["POST", rules, "wrong", JSON.stringify({ name: large })],
    ["POST", "/v1/api_keys/cost", apiKey, `{${large}`],
  ];
  let sent = 0;
  const lane = async () => {
    while (sent < number) {
      const [method, path, key, body] = sorts[sent++ % sorts.length];
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const answer = await fetch(url + path, { method, headers, body });
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 20 }, lane));
}

/** What is held more after an effort than before, for each of so many; a first, small one warms up. */
async function leftOf(number, effort) {
  await effort(Math.ceil(number / 5));
  const before = heldBytes();
  await effort(number);
  return Math.max((heldBytes() - before) / number, 0);
}

const made = { bench: "memory", command: commandGiven("memory"), machine: machine() };
const simulator = await startSimulator({ operationTime: "0" });
const load = new RequestLoad({ ...simulator, cpuUs: () => null }, 20);
try {
  const ofRequest = await leftOf(requests, (number) => sendRequests(simulator, number));
  const rules = new FirewallRules(load, simulator.vpcId);
  let created = 0;
  const ofRule = await leftOf(resources, (number) => rules.createUntil((created += number)));
  await present({ ...made, requests, resources, bytesLeft: { ofRequest, ofRule } }, options.json);
} finally {
  await load.close();
  await simulator.close();
}
