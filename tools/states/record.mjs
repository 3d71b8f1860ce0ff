import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";
import { begun, everyday, unfinished } from "./programs.mjs";

const require = createRequire(import.meta.url);
const { environmentFor, Stack } = require("../pulumi/stack.cjs");
const { inDays, moved, today } = require("./dates.cjs");
require("../chaos/typescript.cjs");
const { kinds } = require("../../src/resources/registry");
const { descriptorOf } = require("../../test/kinds");
const { clusterObject } = require("../../test/kinds/nks-node-pool");
const { SimulatorClient } = require("../../test/support/simulator-client");
const { startSimulator } = require("../../dist/simulator/index.js");
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

const FOLDER = join(ROOT, "test", "fixtures", "states", version);
/** The day on which every recording seems to be made, and the API that it seems to be made with. */
const DAY = Date.parse("2026-01-01T00:00:00Z");
const BASE_URL = "https://api.invalid";
/**
 * The import needs a salt that fits the passphrase, although the recorded secrets are plain. It comes from another
 * stack.
 */
const SECRETS_PROVIDER = {
  type: "passphrase",
  state: { salt: "v1:opH+CErqhQ4=:v1:ryyGt5DBhXD+H4lR:fXMiuwYazCJupFdLRA17CQzQBCSuBA==" },
};
/** The ids of the seeded objects begin with this. They stay. */
const SEEDED = "00000000-";
const UUID = /(?!0{8}-)[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
/** The simulator derives the public addresses from the ids. */
const PUBLIC_ADDRESS = /\b198\.1[89]\.\d+\.\d+/g;

/** Its own simulator and stack for one recording. */
class Recording extends SimulatorClient {
  static async start() {
    const simulator = await startSimulator({ operationTime: "0" });
    const stack = new Stack({
      program: "",
      env: { ...environmentFor(simulator), CLOUDINFRA_OPERATION_TIMEOUT: "2s" },
    });
    await stack.init();
    const recording = Object.assign(new Recording(), { simulator, stack });
    await recording.place("nksClusters", clusterObject); // node pools need one
    return recording;
  }

  /** Deploys a program, one resource after another, so that recordings are equal. */
  async up(program, { fails = false } = {}) {
    this.stack.write(program);
    const { code, output } = await this.stack.up(["--skip-preview", "--parallel", "1"]);
    if ((code !== 0) !== fails) throw new Error(`pulumi up ended with code ${code}\n${output}`);
  }

  /** Writes the contents of the stack and the API, and the programs to run on them. */
  async write(name, programs) {
    const { stdout } = await this.stack.pulumi(["stack", "export", "--show-secrets"]);
    const resources = inOrder(JSON.parse(stdout).deployment.resources);
    const state = { version: 3, deployment: { secrets_providers: SECRETS_PROVIDER, resources } };
    const secrets = secretsOf(state);
    const held = await this.state();
    const objects = kinds.flatMap(({ type }) => {
      const { collection } = descriptorOf(type);
      const made = held[collection].filter(({ id }) => !id.startsWith(SEEDED));
      return made.length > 0 ? [[collection, made.map((each) => ({ ...each, key: secrets.get(each.id) }))]] : [];
    });
    const text = JSON.stringify({ state, ...programs, objects: Object.fromEntries(objects) });
    const recorded = JSON.parse(normalized(text.replaceAll(this.simulator.url, BASE_URL), [...secrets.values()]));
    for (const objects of Object.values(recorded.objects)) objects.sort((one, other) => (one.id < other.id ? -1 : 1));
    writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(recorded, undefined, 2)}\n`);
  }

  async close() {
    this.stack.remove();
    await this.simulator.close();
  }
}

/**
 * Sorts a state's resources the same way in every recording, each after its dependencies, and removes their positions
 * in the source.
 */
function inOrder(resources) {
  const rank = ({ type, custom, dependencies = [] }) => {
    if (type === "pulumi:pulumi:Stack") return 0;
    if (type.startsWith("pulumi:providers:")) return 1;
    if (!custom) return 2;
    return dependencies.length === 0 ? 3 : 4;
  };
  const key = (resource) => `${rank(resource)} ${resource.urn} ${resource.delete === true}`;
  return resources
    .map((resource) => ({ ...resource, sourcePosition: undefined, stackTrace: undefined }))
    .sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** The secrets of a state's keys, by the id of the key. */
function secretsOf({ deployment }) {
  const keys = deployment.resources.filter(({ outputs }) => outputs?.key?.plaintext !== undefined);
  return new Map(keys.map(({ id, outputs }) => [id, JSON.parse(outputs.key.plaintext)]));
}

/** Replaces the parts of a text that differ in every recording: ids, public addresses, secrets, times. */
function normalized(text, secrets) {
  const named = numbered(text, UUID, (number) => `00000000-0000-4000-9000-${String(number).padStart(12, "0")}`);
  const renamed = numbered(named, PUBLIC_ADDRESS, (number) => `198.18.0.${number}`);
  const hidden = secrets.reduce(
    (all, secret, index) => all.replaceAll(secret, `the-recorded-secret-of-key-${index + 1}`),
    renamed,
  );
  return moved(hidden, today(), DAY);
}

/** Gives each text that matches a name with its own number. */
function numbered(text, pattern, nameOf) {
  const found = [...new Set(text.match(pattern))];
  return text.replaceAll(pattern, (one) => nameOf(found.indexOf(one) + 1));
}

async function recordEveryday() {
  const recording = await Recording.start();
  const { projectId, region, vpcId } = recording.simulator;
  const endsAt = inDays(60);
  const rules = `/v1/networking/vpcs/${vpcId}/firewall_rules`;
  const rule = {
    protocol: "tcp",
    source_address: "0.0.0.0/0",
    destination_address: "10.0.0.0/25",
    destination_ports: ["443"],
  };
  const tags = ["first"];
  const made = {
    key: await recording.call("POST", "/v1/api_keys", {
      ...{ name: "by-hand", expires_at: endsAt, project_ids: [projectId], tags },
      permissions: [{ resource_type: "vm", permission: "edit" }],
    }),
    link: (
      await recording.call("POST", "/v1/networking/connect/connections", {
        ...{ name: "by-hand", project_id: projectId, region, bandwidth_mbps: 50, tags },
        ...{ cidrs: ["10.0.0.0/25"], provider_cidrs: ["172.16.0.0/16"] },
      })
    ).resource_id,
    rule: (await recording.call("POST", rules, { name: "by-hand", ...rule, tags })).resource_id,
    foreign: (await recording.call("POST", rules, { name: "somebody-else's", ...rule })).resource_id,
  };
  const about = { projectId, region, vpcId, made, startsAt: inDays(0), endsAt };
  await recording.up(everyday(about));
  const program = everyday(about, { trigger: 2 });
  await recording.up(program); // the key with a trigger is rotated once
  await recording.write("everyday", { program, changed: everyday(about, { trigger: 2, tag: "second" }) });
  await recording.close();
}

async function recordUnfinished() {
  const recording = await Recording.start();
  const { simulator } = recording;
  await recording.up(begun());
  await recording.fault({ method: "POST", path: "firewall_rules$", operation: "never" });
  const program = unfinished(simulator);
  await recording.up(program, { fails: true });
  await recording.write("unfinished", { program, changed: unfinished(simulator, { tag: "second" }) });
  await recording.close();
}

mkdirSync(FOLDER, { recursive: true });
await recordEveryday();
await recordUnfinished();
console.log(`recorded in test/fixtures/states/${version}`);
