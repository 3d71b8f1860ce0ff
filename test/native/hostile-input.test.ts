import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as grpc from "@grpc/grpc-js";
import { ProviderService } from "../../src/native/provider-service";
import { fillMessage, messages, structOf } from "../../src/native/messages";
import { asSecret, UNKNOWN } from "../../src/engine/values";
import { silentRowLog, type RowLog } from "../../src/engine/row-log";
import { startSimulator, type Simulator } from "../../src/simulator";
import { requestsOf } from "../functions/support";
import { sampleOf } from "../kinds";
import { protocol as allowed } from "../kinds/firewall-rule";
import { storage } from "../kinds/volume";
import { Client, credentials, type Message, protocol, serveGrpc } from "../support/grpc";

/** The protocol's methods with an answer. */
const methods = [
  ...(["checkConfig", "diffConfig", "configure", "check", "diff", "create"] as const),
  ...(["read", "update", "delete", "construct", "invoke"] as const),
];

/** A plugin, as its port shows it, without an engine. */
class Plugin {
  readonly #client: grpc.Client;

  constructor(address: string) {
    this.#client = new Client(address, credentials.createInsecure());
  }

  /** Sends these bytes. Resolves with the answer, or with the sentence of the rejection. */
  send(path: string, bytes: Buffer): Promise<{ readonly answer?: Buffer; readonly refusal?: string }> {
    return new Promise((resolve) => {
      this.#client.makeUnaryRequest(path, asIs, asIs, bytes, (error, answer) => {
        resolve(error ? { refusal: error.details } : { answer: answer! });
      });
    });
  }

  async call(
    method: (typeof methods)[number],
    request: { serializeBinary(): Uint8Array },
  ): Promise<Record<string, unknown>> {
    const { path, responseDeserialize } = protocol[method]!;
    const { answer, refusal } = await this.send(path, Buffer.from(request.serializeBinary()));
    return answer ? responseDeserialize(answer).toObject() : { refusal };
  }

  /** The objects that List sends, or the sentence of its rejection. */
  list(
    type: string,
    query: object = {},
    { limit = 0, pageSize = 0, continuationToken = "" } = {},
  ): Promise<readonly Record<string, unknown>[] | string> {
    const request = fillMessage(new messages.ListRequest(), {
      ...{ token: `cloudinfra:index:${type}`, query: structOf({ ...query }), limit, pageSize, continuationToken },
    });
    const { path, responseDeserialize } = protocol["list"]!;
    const bytes = Buffer.from(request.serializeBinary());
    const stream = this.#client.makeServerStreamRequest(path, asIs, responseDeserialize, bytes);
    return new Promise((resolve) => {
      const answers: Record<string, unknown>[] = [];
      stream.on("data", (answer: Message) => answers.push(answer.toObject()));
      stream.on("end", () => resolve(answers));
      stream.on("error", ({ details }: grpc.ServiceError) => resolve(details));
    });
  }

  stop(): void {
    this.#client.close();
  }
}

function asIs(bytes: Buffer): Buffer {
  return bytes;
}

const urn = (type: string, name = "x"): string => `urn:pulumi:dev::test::cloudinfra:index:${type}::${name}`;

function checkOf(type: string, news: object | undefined, name = "x"): InstanceType<typeof messages.CheckRequest> {
  return fillMessage(new messages.CheckRequest(), {
    ...{ urn: urn(type, name), ...(news && { news: structOf({ ...news }) }) },
  });
}

let simulator: Simulator;
let home: string;
const plugins: Plugin[] = [];

async function started(rows: RowLog = silentRowLog): Promise<Plugin> {
  const { address } = await serveGrpc(protocol, new ProviderService(rows).handlers(protocol));
  const plugin = new Plugin(address);
  plugins.push(plugin);
  return plugin;
}

async function configured(): Promise<Plugin> {
  const plugin = await started();
  await plugin.call("configure", settings());
  return plugin;
}

function settings(others: object = {}): InstanceType<typeof messages.ConfigureRequest> {
  const given = settingsOf(simulator);
  // The engine marks secrets here, whatever the handshake says.
  const args = structOf({ ...given, apiKey: asSecret(given.apiKey), ...others });
  return fillMessage(new messages.ConfigureRequest(), { args });
}

function settingsOf({ url, apiKey, projectId, region }: Simulator): Readonly<Record<"apiKey" | "baseUrl", string>> {
  return { ...{ baseUrl: url, apiKey }, ...{ projectId, region } };
}

function invokeOf(name: string, args: object): InstanceType<typeof messages.InvokeRequest> {
  return fillMessage(new messages.InvokeRequest(), { tok: `cloudinfra:index:${name}`, args: structOf({ ...args }) });
}

const failures = ({ failuresList = [] }: Record<string, unknown>): string[] =>
  (failuresList as { property: string; reason: string }[]).map(({ property, reason }) => `${property}: ${reason}`);

beforeAll(async () => {
  simulator = await startSimulator({ operationTime: "0" });
  home = mkdtempSync(join(tmpdir(), "cloudinfra-hostile-"));
  process.env["XDG_STATE_HOME"] = home;
});
afterAll(async () => {
  for (const plugin of plugins) plugin.stop();
  await simulator.close();
  rmSync(home, { recursive: true });
});

it("answers or refuses every empty request before Configure", async () => {
  const plugin = await started();
  for (const { path, responseStream } of Object.values(protocol)) {
    if (responseStream) continue;
    const { answer, refusal } = await plugin.send(path, Buffer.alloc(0));
    if (answer) continue;
    expect(refusal).toMatch(/^[A-Z].*\.$/s);
    expect(refusal).not.toMatch(/\n +at |undefined|fault of/);
  }
});

it("List sends the objects of all pages, with import ids", async () => {
  const plugin = await configured();
  const { url, apiKey, vpcId } = simulator;
  const path = `/v1/networking/vpcs/${vpcId}/firewall_rules`;
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const address = { source_address: "0.0.0.0/0", destination_address: "10.0.0.0/25", destination_ports: ["443"] };
  for (let nth = 0; nth < 130; nth += 1) {
    const body = JSON.stringify({ name: `rule-${nth}`, protocol: allowed, ...address });
    await fetch(`${url}${path}`, { method: "POST", headers, body });
  }
  const rules = (await plugin.list("FirewallRule", { vpcId })) as readonly { result: { id: string; name: string } }[];
  expect(new Set(rules.map(({ result }) => result.name)).size).toBe(130);
  expect(rules.every(({ result }) => new RegExp(`^${vpcId}/[0-9a-f-]{36}$`).test(result.id))).toBe(true);
  expect(await plugin.list("FirewallRule", { vpcId }, { limit: 3 })).toHaveLength(3);
  expect(await plugin.list("Vpc")).toHaveLength(1);
});

it("List sends a page with a continuation token", async () => {
  const plugin = await configured();
  const query = { vpcId: simulator.vpcId };
  const names = (answers: readonly Record<string, unknown>[] | string): unknown[] =>
    typeof answers === "string"
      ? [answers]
      : answers.map(({ result }) => (result as { name: string } | undefined)?.name);
  const all = names(await plugin.list("FirewallRule", query));
  const first = await plugin.list("FirewallRule", query, { pageSize: 100 });
  expect(names(first)).toEqual([...all.slice(0, 100), undefined]);
  expect(first.at(-1)).toMatchObject({ continuation: { continuationToken: "100" } });
  expect(names(await plugin.list("FirewallRule", query, { pageSize: 100, continuationToken: "100" }))).toEqual(
    all.slice(100),
  );
  expect(
    names(await plugin.list("FirewallRule", query, { limit: 2, pageSize: 100, continuationToken: "100" })),
  ).toEqual(all.slice(100, 102));
  expect(await plugin.list("FirewallRule", query, { continuationToken: "x" })).toMatch('"x" is no continuation token');
});

it("refuses List in a sentence, and defers unknown queries", async () => {
  const plugin = await configured();
  expect(await plugin.list("FirewallRule")).toBe("To list FirewallRules, the query needs vpcId. Give it there.");
  expect(await plugin.list("CostSummary")).toMatch(/there is nothing to list\.$/);
  expect(await plugin.list("Moon")).toMatch(/has no resource "cloudinfra:index:Moon"\. Known are /);
  expect(await plugin.list("FirewallRule", { vpcId: UNKNOWN })).toMatchObject([{ computed: {} }]);
});

it.each([
  ["CostSummary", /The API has no CostSummary: there is nothing to import\./],
  ["RotatingApiKey", /is a component.* move it in with slotA/],
])("refuses to import a %s", async (type, reason) => {
  const plugin = await configured();
  const request = fillMessage(new messages.ReadRequest(), { urn: urn(type), id: "x" });
  expect((await plugin.call("read", request))["refusal"]).toMatch(reason);
});

it("refuses garbage, and answers the next request", async () => {
  const plugin = await configured();
  const noise = [...Array(40).keys()].map((seed) =>
    Buffer.from([...Array(97).keys()].map((nth) => (seed * 31 + nth * nth * 7 + ((seed * nth) % 13)) % 256)),
  );
  for (const method of methods.filter((each) => each !== "configure")) {
    for (const bytes of noise) await plugin.send(protocol[method]!.path, bytes);
  }
  expect(failures(await plugin.call("check", checkOf("Volume", sampleOf("Volume"))))).toEqual([]);
});

it("reports faults in values of any type, without panics", async () => {
  const plugin = await configured();
  const { refusal } = await plugin.call("check", checkOf("Moon", {}));
  expect(refusal).toMatch(/has no resource "cloudinfra:index:Moon"\. Known are ApiKey, /);
  const nameless = new messages.CheckRequest();
  expect((await plugin.call("check", nameless))["refusal"]).toMatch(/has no resource ""/);
  expect(failures(await plugin.call("check", checkOf("Volume", undefined)))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^size: /), expect.stringMatching(/^type: /)]),
  );
  const odd = {
    size: [null, { a: "b" }],
    type: { deep: [[[[]]]] },
    tags: "none",
    name: 7,
    __generation: "x",
    __retired: 3,
  };
  const found = failures(await plugin.call("check", checkOf("Volume", odd)));
  expect(found).toEqual(expect.arrayContaining([expect.stringMatching(/^size: /), expect.stringMatching(/^tags: /)]));
  expect(found.join("\n")).not.toMatch(/fault of|\n +at /);
  let deep: unknown = "bottom";
  for (let nth = 0; nth < 90; nth += 1) deep = { deep };
  expect(failures(await plugin.call("check", checkOf("Volume", { size: 10, type: deep })))).not.toEqual([]);
});

it("accepts secrets anywhere, and hides them in failures", async () => {
  const plugin = await configured();
  const news = { size: asSecret(10), type: asSecret(storage), tags: asSecret([asSecret("hidden-tag")]) };
  expect(failures(await plugin.call("check", checkOf("Volume", news)))).toEqual([]);
  const wrong = failures(
    await plugin.call("check", checkOf("Volume", { ...news, adopt: asSecret({ id: asSecret("hidden-id") }) })),
  );
  expect(wrong.join("\n")).not.toContain(simulator.apiKey);
});

it("rejects calls before Configure, and works afterwards", async () => {
  const plugin = await started();
  const volume = checkOf("Volume", sampleOf("Volume"));
  const early = /no settings yet: the engine must send Configure before this call/;
  const read = fillMessage(new messages.ReadRequest(), { urn: urn("Volume") });
  const component = fillMessage(new messages.ConstructRequest(), { type: "cloudinfra:index:RotatingApiKey" });
  expect((await plugin.call("check", volume))["refusal"]).toMatch(early);
  expect((await plugin.call("read", read))["refusal"]).toMatch(early);
  expect((await plugin.call("invoke", invokeOf("getVpcs", {})))["refusal"]).toMatch(early);
  expect((await plugin.call("construct", component))["refusal"]).toMatch(early);
  expect(await plugin.list("Volume")).toMatch(early);
  await plugin.call("configure", settings());
  expect(failures(await plugin.call("check", volume))).toEqual([]);
});

it("ignores the old outputs that newer engines send to Check", async () => {
  const plugin = await configured();
  const request = checkOf("Volume", { ...sampleOf("Volume"), size: 20 });
  request.setOlds(structOf({ ...sampleOf("Volume") }));
  const without = await plugin.call("check", request);
  request.setOldOutputs(structOf({ name: "at-the-api", size: 30, cost: 5, __memory: asSecret("x") }));
  expect(await plugin.call("check", request)).toEqual(without);
  expect(failures(without)).toEqual([]);
});

it("a second Configure brings new settings", async () => {
  const plugin = await configured();
  const vpcs = async (): Promise<unknown> => (await plugin.call("invoke", invokeOf("getVpcs", {})))["refusal"];
  expect(await vpcs()).toBeUndefined();
  await plugin.call("configure", settings({ apiKey: "not-the-key-of-the-simulator" }));
  expect(await vpcs()).toMatch(/not-authenticated|401|refused|API key/);
  await plugin.call("configure", settings());
  expect(await vpcs()).toBeUndefined();
});

it("begins another run at Configure after a cancellation", async () => {
  const plugin = await configured();
  const create = async (): Promise<unknown> => {
    const { projectId, region } = simulator;
    const properties = structOf({ ...sampleOf("Volume"), name: "data", projectId, region });
    const request = fillMessage(new messages.CreateRequest(), { urn: urn("Volume"), properties });
    return (await plugin.call("create", request))["refusal"];
  };
  await plugin.send(protocol["cancel"]!.path, Buffer.alloc(0));
  expect(await create()).toMatch(/The run was cancelled/);
  await plugin.call("configure", settings());
  expect(await create()).toBeUndefined();
});

it("accepts settings as variables in Configure", async () => {
  const plugin = await started();
  const request = new messages.ConfigureRequest();
  for (const [key, value] of Object.entries(settingsOf(simulator)))
    request.getVariablesMap().set(`cloudinfra:config:${key}`, value);
  await plugin.call("configure", request);
  expect(failures(await plugin.call("check", checkOf("Volume", sampleOf("Volume"))))).toEqual([]);
});

it("defers calls of the API until the key is known", async () => {
  const plugin = await started();
  await plugin.call("configure", settings({ apiKey: UNKNOWN }));
  const news = { size: 0 };
  expect(await plugin.call("check", checkOf("Volume", news))).toMatchObject({ failuresList: [] });
  const diff = fillMessage(new messages.DiffRequest(), { urn: urn("Volume") });
  expect(await plugin.call("diff", diff)).toMatchObject({ changes: messages.DiffResponse.DiffChanges.DIFF_UNKNOWN });
  expect(JSON.stringify(await plugin.call("invoke", invokeOf("getVpcs", {})))).toContain(UNKNOWN);
  const read = fillMessage(new messages.ReadRequest(), { urn: urn("Volume") });
  expect((await plugin.call("read", read))["refusal"]).toBe("apiKey is not known before the update.");
});

it("takes the id or URN of a referenced resource", async () => {
  const plugin = await configured();
  const reference = (id?: string): object => ({
    "4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e",
    urn: urn("Vm", "web"),
    ...(id !== undefined && { id }),
  });
  const vmIdOf = async (given: object): Promise<unknown> => {
    const request = checkOf("Volume", sampleOf("Volume", { vmId: given }));
    const { path } = protocol["check"]!;
    const { answer } = await plugin.send(path, Buffer.from(request.serializeBinary()));
    const inputs = messages.CheckResponse.deserializeBinary(answer!).getInputs()?.toJavaScript();
    return inputs?.["vmId"];
  };
  expect(await vmIdOf(reference("vm-1"))).toBe("vm-1");
  expect(await vmIdOf(reference(""))).toBe(UNKNOWN);
  expect(await vmIdOf(reference())).toBe(urn("Vm", "web"));
});

it("shows a panic's stack with CLOUDINFRA_DEBUG only", async () => {
  const panic = (): never => {
    throw new TypeError("x is not a function");
  };
  const plugin = await started({ line: panic, status: panic });
  const request = fillMessage(new messages.CheckRequest(), {
    urn: "urn:pulumi:dev::test::pulumi:providers:cloudinfra::default",
    news: structOf({ apiKey: "k", baseUrl: "http://127.0.0.1:9", region: UNKNOWN }), // it warns of this
  });
  const { refusal } = await plugin.call("checkConfig", request);
  expect(refusal).toMatch(
    /^x is not a function\nThis is a fault of pulumi-cloudinfra itself\. Run again with CLOUDINFRA_DEBUG=1/,
  );
  expect(refusal).not.toMatch(/\n +at /);
  process.env["CLOUDINFRA_DEBUG"] = "1";
  expect((await plugin.call("checkConfig", request))["refusal"]).toMatch(/\n +at /);
  delete process.env["CLOUDINFRA_DEBUG"];
});

it("checks two thousand resources that share their prices", async () => {
  const plugin = await configured();
  const names = [...Array(2000).keys()];
  let refused = 0;
  const worker = async (): Promise<void> => {
    for (let nth = names.pop(); nth !== undefined; nth = names.pop()) {
      const answer = await plugin.call("check", checkOf("Volume", sampleOf("Volume"), `r${nth}`));
      refused += failures(answer).length + ("refusal" in answer ? 1 : 0);
    }
  };
  await Promise.all(Array.from({ length: 50 }, worker));
  expect(refused).toBe(0);
  const sent = await requestsOf(simulator);
  // A price is valid for some seconds, so a slow machine requests it repeatedly.
  expect(sent.filter(({ path }) => path.endsWith("/cost")).length).toBeLessThan(200);
});
