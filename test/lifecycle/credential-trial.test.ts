import { definitions } from "../../src/resources/registry";
import { failureOf } from "../support/failure-of";
import { up, type Outcome } from "../support/mini-engine";
import type { TestRun } from "../support/lifecycle";
import { plain, type StateEntry } from "../support/mini-state";
import { answer } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { collectionPath } from "../support/world";
import { KeyBench } from "./support/key-fixture";

const { world, ids: keys, up: run, signedInWith } = KeyBench.forSuite();
const LISTS = { method: "GET", path: "/v1/networking/vpcs" };
const vpcs = [{ resourceType: "vpc", permission: "edit" }];
const first = { permissions: vpcs, expiresAt: "2026-12-31T00:00:00Z" };
const second = { ...first, expiresAt: "2027-01-31T00:00:00Z" };

const lineOf = ({ lines, state }: Outcome): string | undefined =>
  lines.find((line) => line.includes(`the new key ${state.id}`));

describe.each(definitions.filter(({ credential }) => credential).map(({ type }) => type))("a new %s", (type) => {
  const create = (by: TestRun): Promise<Outcome> => up(by, type, world.args(type), undefined);

  it("tests a new key with one request, without showing its secret", async () => {
    const by = world.run();
    const { state, lines } = await create(by);
    const requests = await world.requests();
    const made = requests.indexOf(`POST ${collectionPath(type)}`);
    expect(requests.slice(made + 1)).toHaveLength(1);
    expect(lines).toContainEqual(expect.stringContaining(`${state.id} works`));
    for (const text of by.texts()) expect(text).not.toContain(String(plain(state.outs["key"])));
  });

  it("does not show a new secret that the answer repeats", async () => {
    const proxy = await FaultProxy.start(world.simulator.url);
    proxy.on({ method: "GET" }, (request, forward) =>
      answer(500, { type: "X", message: `no, ${request.headers.authorization}` })(request, forward),
    );
    const by = world.run({ baseUrl: proxy.url, costQuotes: "false" });
    const { state } = await create(by);
    expect(by.texts().join()).toContain("no, Bearer [credential]");
    expect(by.texts().join()).not.toContain(String(plain(state.outs["key"])));
    await proxy.close();
  });

  it.each([401, 403])("deletes the new key and fails if its trial request gets %d", async (status) => {
    const { state } = await create(world.run());
    const path = (await world.requests()).at(-1)?.replace("GET ", "");
    await world.fault({ method: "GET", path, status, times: 20 });
    await expect(create(world.run())).rejects.toThrow(
      new RegExp(`the answer was ${status} .*This run has deleted it again`),
    );
    expect(await world.ids(type)).toEqual([state.id]);
  });
});

it.each([
  [vpcs, "it may read VPCs"],
  [[{ resourceType: "project", permission: "read" }], "it may read projects"],
  [[{ resourceType: "usage", permission: "read" }, ...vpcs], "it may read VPCs"],
  [
    [{ resourceType: "audit_log", permission: "read" }],
    "it may sign in. Its permissions were not tried: the provider has no request that tests them",
  ],
  [[{ resourceType: "nks_node_pool", permission: "read" }], "it may sign in. Its permissions were not tried"],
])("reports the result of testing a key with %j", async (permissions, finding) => {
  expect(lineOf(await run({ ...first, permissions }))).toContain(`works: ${finding}`);
});

describe("a replacement", () => {
  it("a replacement whose new key fails keeps the old one", async () => {
    const old = (await run(first)).state;
    await world.fault({ ...LISTS, status: 403, times: 20 });
    const by = world.run();
    await expect(run(second, old, by)).rejects.toThrow(
      /refuses it\. It should be allowed to read VPCs, and the answer was 403 AUTHORIZATION_ERROR.*It shows|The old API key stays in use\. Run again\.$/,
    );
    expect(await keys()).toEqual([old.id]);
    expect(await world.signIn(old.outs["key"])).toBe(200);
    await world.clearFaults();
    const { state } = await run(second, old);
    expect(await keys()).toEqual([state.id]);
  });

  it("names a new key that cannot be deleted", async () => {
    const old = (await run(first)).state;
    await world.fault({ ...LISTS, status: 403, times: 20 });
    await world.fault({ method: "DELETE", path: "/v1/api_keys/.*", status: 500, times: 50 });
    const failure = await failureOf(run(second, old));
    const [, left = ""] = await keys();
    expect(failure.message).toMatch(new RegExp(`${left}[^]*could not be deleted: [^]*doctor --delete ${left}`));
    await world.clearFaults();
    const { state } = await run(second, old);
    expect(await keys()).toEqual([left, state.id]);
  });

  it("refuses a replacement of the provider's key for other addresses", async () => {
    const own = { ...first, permissions: [{ resourceType: "api_key", permission: "edit" }] };
    const old = (await run(own)).state;
    const by = signedInWith(old);
    const elsewhere = { ...own, expiresAt: second.expiresAt, sourceIpRule: { allowed: ["10.0.0.0/8"] } };
    await expect(run(elsewhere, old, by)).rejects.toThrow(/IP_RESTRICTED_ERROR.*api_key:edit, from 10\.0\.0\.0\/8/);
    expect(await keys()).toEqual([old.id]);
    expect(by.run.api.credentials.current.apiKey).toBe(plain(old.outs["key"]));
  });
});

describe("an inconclusive test of a key", () => {
  it("keeps a key whose IP rule excludes this machine", async () => {
    const outcome = await run({ ...first, sourceIpRule: { allowed: ["10.0.0.0/8"] } });
    expect(lineOf(outcome)).toMatch(/could not be tried: 403 IP_RESTRICTED_ERROR.*vpc:edit, from 10\.0\.0\.0\/8$/);
    expect(outcome.lines.filter((line) => line.includes("could not be tried"))).toHaveLength(1);
    expect(await keys()).toEqual([outcome.state.id]);
  });

  it.each([[{ status: 500 }], [{ status: 429 }], [{ drop: "before" }], [{ ingress: 403 }], [{ ingress: 401 }]])(
    "keeps a key if the test is answered %j",
    async (answer) => {
      await world.fault({ ...LISTS, ...answer, times: 100 });
      const outcome = await run(first);
      expect(lineOf(outcome)).toContain("could not be tried: ");
      expect(await keys()).toEqual([outcome.state.id]);
    },
  );

  it("keeps a key that is answered 401 for some seconds", async () => {
    await world.fault({ ...LISTS, status: 401, times: 3 });
    expect(lineOf(await run(first))).toContain("works: it may read VPCs");
  });

  it("accepts a key that is not active yet", async () => {
    expect(lineOf(await run({ ...first, startsAt: "2026-07-01T00:00:00Z" }))).toMatch(/was not tried/);
  });
});

describe("an adopted key", () => {
  const adopting = async (secretOf: (key: string) => string): Promise<[StateEntry, Promise<Outcome>]> => {
    const { state: old } = await run(second);
    const { id, outs } = await world.create("ApiKey", second, { name: "other" });
    const adopt = { id, key: secretOf(String(plain(outs["key"]))) };
    return [old, run({ ...second, adopt }, old)];
  };

  it("tries an adopted key with the given secret", async () => {
    const [, adopted] = await adopting((key) => key);
    const { lines, state } = await adopted;
    expect(lines).toContain(`the adopted key ${state.id} works: it may read VPCs`);
  });

  it("refuses an adopted key with the replaced key's secret", async () => {
    const { state: old } = await run(second);
    const { id } = await world.create("ApiKey", second, { name: "other" });
    const adopted = run({ ...second, adopt: { id, key: plain(old.outs["key"]) } }, old);
    await expect(adopted).rejects.toThrow("the given secret is that of the API key to be replaced");
    expect(await keys()).toEqual(expect.arrayContaining([old.id, id]));
  });

  it("refuses an adopted key with a wrong secret", async () => {
    const [old, adopted] = await adopting((key) => `${key}x`);
    await expect(adopted).rejects.toThrow("the API refuses the given secret of API key");
    expect(await keys()).toContain(old.id);
  });
});

it("keeps the provider's own key after a failed test", async () => {
  await world.fault({ ...LISTS, status: 401, times: 20 });
  const by = world.run();
  const before = by.run.api.credentials.current;
  await run(first, undefined, by).catch(() => undefined);
  expect(by.run.api.credentials.current).toBe(before);
});
