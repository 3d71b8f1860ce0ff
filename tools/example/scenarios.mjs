import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import policyPacks from "../pulumi/policy-pack.cjs";
import { generateSdks, sdkGenerator } from "../sdk/generator.mjs";
import goEnvironments from "../sdk/go-environment.cjs";
import pythonEnvironments from "../sdk/python-environment.cjs";
import { silentStep } from "../setup/progress.mjs";
import dates from "../states/dates.cjs";
import { SecretStore } from "./secret-store.mjs";

const { goEnvironment, goModule } = goEnvironments;
const { inDays } = dates;
const { pythonEnvironment } = pythonEnvironments;
const DAY_MS = 86_400_000;
const KEY_FILE = "handed-over.key";
const READER_KEY = "/secrets/reader";
const store = new SecretStore();
const JSON_BODY = { "content-type": "application/json" };

/** Creates an object in the API behind Pulumi's back, and returns its id. */
async function make({ url, apiKey }, path, body) {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { ...JSON_BODY, authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  assert.ok(response.ok, `POST ${path} was answered ${response.status}: ${answer.message}`);
  return answer.resource_id;
}

function makeRule(simulator, name, port) {
  return make(simulator, `/v1/networking/vpcs/${simulator.vpcId}/firewall_rules`, {
    name,
    protocol: "tcp",
    source_address: "0.0.0.0/0",
    destination_address: "10.0.0.0/25",
    destination_ports: [port],
  });
}

/** Moves the service's clock forward. */
async function advance({ controlUrl }, duration) {
  const body = JSON.stringify({ advance: duration });
  const { ok } = await fetch(`${controlUrl}/clock`, { method: "POST", headers: JSON_BODY, body });
  assert.ok(ok, "the clock was moved");
}

/** True if the API accepts this key. */
async function signsIn({ url }, key) {
  return (await fetch(`${url}/v1/regions`, { headers: { authorization: `Bearer ${key}` } })).ok;
}

/**
 * Reads the key that the program has delivered. Checks that only the owner can read the file, and that the key signs
 * in.
 */
async function handedOver(simulator, folder) {
  const file = join(folder, KEY_FILE);
  assert.equal(statSync(file).mode & 0o777, 0o600, "only the owner can read the key's file");
  const key = readFileSync(file, "utf8");
  return { key, signsIn: await signsIn(simulator, key) };
}

/** The program of `examples/yaml`, which other languages have too. YAML cannot test whether there is a cost. */
const inOtherLanguage = {
  prepare: () => ({}),
  change: { bandwidthMbps: "500" },
  verify: async ({ state, outputs }) => {
    const [{ bandwidth_mbps: bandwidth }] = state.connections;
    const { cost, perMonth = cost.monthlyTotal } = await outputs();
    assert.deepEqual([bandwidth, state.firewallRules.length, perMonth], [500, 1, "781.25"]);
  },
  held: "the API has a network, a rule and a connection of 500 Mbps",
};

/** Generates the SDK beside the program in this folder. */
async function generateSdk(folder, language) {
  const { folder: generator, problem } = await sdkGenerator(silentStep);
  assert.ok(generator, `the SDK cannot be generated: ${problem}`);
  await generateSdks({ generator, folder: join(folder, "sdk"), languages: [language] });
}

async function withPythonSdk(folder) {
  await generateSdk(folder, "python");
  return pythonEnvironment(join(folder, "sdk", "python"), join(folder, "site"));
}

async function withGoSdk(folder) {
  await generateSdk(folder, "go");
  const module = goModule(readFileSync(join(folder, "go.mod"), "utf8"));
  for (const [name, text] of Object.entries(module)) writeFileSync(join(folder, name), text);
  return goEnvironment();
}

/**
 * What each example needs and shows. `prepare` returns the stack's configuration. `change`, if given, is set before a
 * second preview and update; `changeHeading` may name it. `held` says what `verify` has checked. `failure` is an update
 * before the second one that must fail. `environment` is for the program. `flags` are for previews and updates. If
 * `isRefused`, the second preview must fail, and there is no second update.
 */
export const scenarios = {
  quickstart: {
    prepare: () => ({ expiresAt: inDays(30) }),
    change: { bandwidthMbps: "500" },
    verify: ({ state }) => assert.equal(state.connections[0].bandwidth_mbps, 500),
    held: "the API has a connection of 500 Mbps, a rule and a key",
  },
  "key-rotation": {
    prepare: () => ({ keyFile: KEY_FILE }),
    between: async ({ simulator, folder }) => {
      const first = await handedOver(simulator, folder);
      await advance(simulator, "77d");
      return { first };
    },
    changeHeading: "Preview 77 days later, by the service's clock",
    change: {},
    verify: async ({ simulator, folder, noted }) => {
      const { key, signsIn } = await handedOver(simulator, folder);
      assert.ok(noted.first.signsIn && signsIn, "both keys sign in while they are handed over");
      assert.notEqual(key, noted.first.key);
    },
    held: "the file has the new key, and it signs in",
  },
  "handing-over": {
    prepare: async () => ({ secretUrl: (await store.start()) + READER_KEY }),
    environment: () => ({ SECRET_STORE_TOKEN: store.token }),
    between: async ({ simulator }) => {
      await advance(simulator, "24d");
      store.isDown = true;
      return { old: store.secrets.get(READER_KEY) };
    },
    changeHeading: "Preview 24 days later, by the service's clock",
    change: {},
    failure: {
      heading: "The store is down, so the update fails",
      verify: async ({ simulator, noted: { old } }) => {
        assert.equal(store.secrets.get(READER_KEY), old, "the store has the old key");
        assert.ok(await signsIn(simulator, old), "the old key signs in");
        store.isDown = false;
      },
      held: "the store has the old key, and it still signs in",
    },
    verify: async ({ simulator, stack, noted: { old } }) => {
      assert.ok(await signsIn(simulator, store.secrets.get(READER_KEY)), "the key in the store signs in");
      assert.ok(!(await signsIn(simulator, old)), "the old key is deleted");
      const { folder, env } = stack;
      const signIn = `
        const headers = { authorization: "Bearer " + process.env.CLOUDINFRA_API_KEY };
        fetch("${simulator.url}/v1/regions", { headers }).then(({ status }) => console.log(status));`;
      const args = [join(folder, "with-key.mts"), process.execPath, "-e", signIn];
      // As an asynchronous child, because the simulator in this process must answer it.
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        cwd: folder,
        env: { ...env, CLOUDINFRA_API_KEY: "not the stack's" },
      });
      assert.equal(stdout.trim(), "200", "the command has signed in");
    },
    held: "the store has the new key, the old one is deleted, and a command with a key in its environment has signed in",
  },
  "adopt-existing": {
    prepare: async (simulator) => ({
      vpcId: simulator.vpcId,
      adoptRuleId: await makeRule(simulator, "made-by-hand", "443"),
      readRuleId: await makeRule(simulator, "of-another-team", "8080"),
    }),
    verify: async ({ state, outputs }) => {
      assert.equal(state.firewallRules.length, 2);
      assert.deepEqual(await outputs(), { adoptedName: "made-by-hand", sharedPorts: ["8080"] });
    },
    held: "nothing was created: both rules existed before",
    remains: ["of-another-team"],
  },
  "cost-policy": {
    prepare: (_simulator, folder) => {
      policyPacks.fitPack(join(folder, "pack"));
      return {};
    },
    flags: ["--policy-pack", "pack", "--policy-pack-config", join("pack", "budget.json")],
    change: { bandwidthMbps: "1000" },
    changeHeading: "Exceed the budget: the preview fails",
    isRefused: true,
    verify: ({ state }) => {
      const bandwidths = state.connections.map(({ bandwidth_mbps: mbps }) => mbps);
      assert.deepEqual(bandwidths, [50, 50], "nothing has changed");
    },
    held: "the policy pack refused the change, and nothing has changed",
  },
  "landing-zone": {
    prepare: () => ({}),
    between: ({ simulator }) => advance(simulator, "31d"),
    changeHeading: "Preview larger databases, a month later by the service's clock",
    change: { databaseInstanceType: "n1-highmem-8", databaseDiskGb: "750" },
    verify: ({ state: { vms, volumes, apiKeys } }) => {
      const databases = vms.filter(({ name }) => name.startsWith("production-database"));
      const disks = volumes.filter(({ name }) => /^production-database-\d-data/.test(name));
      assert.deepEqual(
        [databases.map((vm) => vm.instance_type), disks.map(({ size }) => size)],
        [
          ["n1-highmem-8", "n1-highmem-8"],
          [750, 750],
        ],
      );
      const made = apiKeys.filter(({ managed }) => !managed).map(({ created_at: at }) => Date.parse(at));
      assert.equal(
        made.filter((at) => at > Date.now() + 30 * DAY_MS).length,
        4,
        "one key of each pair, and two others",
      );
    },
    held: "the databases have grown in place, and the four keys that were due have been replaced",
  },
  component: {
    prepare: () => ({}),
    verify: ({ state }) => assert.deepEqual(state.firewallRules[0].destination_ports, ["443", "8443"]),
    held: "the API has the connection and its rule",
  },
  yaml: inOtherLanguage,
  python: { ...inOtherLanguage, environment: withPythonSdk },
  go: { ...inOtherLanguage, environment: withGoSdk },
};
