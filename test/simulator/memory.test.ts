import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Agent, request } from "undici";
import { keptText } from "../../src/simulator/model/kept-text";
import { RequestLog } from "../../src/simulator/model/request-log";
import { type Harness, ruleRequest, startHarness } from "./support/harness";

describe("the log of requests", () => {
  test("when there are very many, the last 100,000 are kept, in order", () => {
    const log = new RequestLog();
    for (let count = 1; count <= 250_000; count += 1) log.add("GET", `/${count}`);
    const paths = log.list().map(({ path }) => path);
    expect(paths).toEqual(Array.from({ length: 100_000 }, (_, index) => `/${150_001 + index}`));
  });

  test("when a path is very long, its beginning is kept", () => {
    expect(new RequestLog().add("GET", `/${"p".repeat(10_000)}`).path).toBe(`/${"p".repeat(255)}`);
    expect(keptText("🗝".repeat(200))).toHaveLength(256);
  });
});

/** Large enough for each request to weigh more than all else that a request leaves. */
const largeBytes = 8000;

/** More than a line of the log takes: at most 256 characters of a path, a method and a status. */
const logLineBytes = 400;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** What the process holds once the garbage is gone. */
function heldBytes(): number {
  // What was being collected when it was asked for is gone after the second time only.
  for (let times = 0; times < 3; times += 1) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What a firewall rule, its operation, its audit log and a line of the log take, with a tenth to spare. */
const createdRuleBytes = 2150;

describe("what is left of requests", () => {
  let api: Harness;
  let agent: Agent;
  beforeAll(async () => {
    api = await startHarness();
    agent = new Agent({ connections: 20 });
  });
  afterAll(async () => {
    await agent.destroy();
    await api.close();
  });

  /** Requests of all sorts that change nothing: answered, refused, malformed, unknown; each with something large in it. */
  async function sendRound(): Promise<number> {
    const rules = `/v1/networking/vpcs/${api.vpcId}/firewall_rules`;
    const large = "x".repeat(largeBytes);
    const sorts: readonly (readonly [method: "GET" | "POST", target: string, key: string, body?: string])[] = [
      ["GET", "/v1/regions", api.apiKey],
      ["GET", `${rules}?name=${large}`, api.apiKey],
      ["GET", `/v1/${large}`, api.apiKey],
      ["GET", "/v1/%zz", api.apiKey],
      ["GET", `/v1/api_keys?cursor=${large}`, api.apiKey],
      ["GET", "/v1/projects", large],
      ["POST", "/v1/networking/vpcs/cost", api.apiKey, JSON.stringify({ name: large })],
      ["POST", "/v1/regions", api.apiKey, large],
      ["POST", rules, "wrong", JSON.stringify({ name: large })],
      ["POST", "/v1/api_keys/cost", api.apiKey, `{${large}`],
    ];
    const all = Array.from({ length: 100 }, () => sorts).flat();
    await Promise.all(
      all.map(async ([method, path, key, body]) => {
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
        const answer = await request(api.url + path, { dispatcher: agent, method, headers, body: body ?? null });
        await answer.body.dump();
      }),
    );
    return all.length;
  }

  test("after thousands of requests, hardly more is held than a line of the log for each", async () => {
    await sendRound();
    const before = await api.state();
    const heldBefore = heldBytes();
    let sent = 0;
    for (let round = 0; round < 5; round += 1) sent += await sendRound();
    expect(heldBytes() - heldBefore).toBeLessThan(sent * logLineBytes);
    expect(await api.state()).toEqual(before);
    expect(await api.requests()).toHaveLength(sent + 1000);
  }, 60_000);

  test("after thousands of creations, each object is held with what tells of it, and no more", async () => {
    const create = async (): Promise<void> => {
      const headers = { authorization: `Bearer ${api.apiKey}`, "content-type": "application/json" };
      const url = `${api.url}/v1/networking/vpcs/${api.vpcId}/firewall_rules`;
      const body = JSON.stringify(ruleRequest);
      const answer = await request(url, { dispatcher: agent, method: "POST", headers, body });
      await answer.body.dump();
    };
    const createMany = (count: number) => Promise.all(Array.from({ length: count }, create));
    await createMany(500);
    await api.advance("8s");
    const heldBefore = heldBytes();
    for (let round = 0; round < 5; round += 1) await createMany(1000);
    await api.advance("8s");
    expect((heldBytes() - heldBefore) / 5000).toBeLessThan(createdRuleBytes);
    expect((await api.state())["firewallRules"]).toHaveLength(5500);
  }, 60_000);
});
