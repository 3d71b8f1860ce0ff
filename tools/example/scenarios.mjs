import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const DAY_MS = 86_400_000;
const KEY_FILE = "handed-over.key";

/** Midnight UTC, this many days from now. */
function inDays(days) {
  return new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS).toISOString().replace(".000Z", "Z");
}

/** Makes an object at the API behind Pulumi's back, and answers its id. */
async function make({ url, apiKey }, path, body) {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
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

/** The key that the program has handed over, for its owner's eyes only; it has to sign in. */
async function handedOver({ url }, folder) {
  const file = join(folder, KEY_FILE);
  assert.equal(statSync(file).mode & 0o777, 0o600, "the key's file is for its owner only");
  const key = readFileSync(file, "utf8");
  const { ok } = await fetch(`${url}/v1/regions`, { headers: { authorization: `Bearer ${key}` } });
  return { key, signsIn: ok };
}

/**
 * What each example needs and shows: `prepare` gives the stack's configuration; `change`, where there is one, what is set
 * before a second preview and update; `held` are the words for what `verify` has found to be so.
 */
export const scenarios = {
  quickstart: {
    prepare: () => ({ expiresAt: inDays(30) }),
    change: { bandwidthMbps: "500" },
    verify: ({ state }) => assert.equal(state.connections[0].bandwidth_mbps, 500),
    held: "the API has a connection of 500 Mbps, a rule and a key",
  },
  "key-rotation": {
    prepare: () => ({ expiresAt: inDays(30), keyFile: KEY_FILE }),
    between: async ({ simulator, folder }) => ({ first: await handedOver(simulator, folder) }),
    change: { expiresAt: inDays(60) },
    verify: async ({ simulator, folder, noted }) => {
      const { key, signsIn } = await handedOver(simulator, folder);
      assert.ok(noted.first.signsIn && signsIn, "both keys sign in while they are handed over");
      assert.notEqual(key, noted.first.key);
    },
    held: "the file holds the new key, and it signs in",
  },
  "adopt-existing": {
    prepare: async (simulator) => ({
      vpcId: simulator.vpcId,
      adoptRuleId: await makeRule(simulator, "made-by-hand", "443"),
      readRuleId: await makeRule(simulator, "of-another-team", "8080"),
    }),
    verify: ({ state, outputs }) => {
      assert.equal(state.firewallRules.length, 2);
      assert.deepEqual(outputs, { adoptedName: "made-by-hand", sharedPorts: ["8080"] });
    },
    held: "nothing was created: both rules are the ones that were there",
    remains: ["of-another-team"],
  },
  component: {
    prepare: () => ({}),
    verify: ({ state }) => assert.deepEqual(state.firewallRules[0].destination_ports, ["443", "8443"]),
    held: "the API has the connection and its rule",
  },
};
