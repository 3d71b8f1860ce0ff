import type { Noun } from "../../src/simulator/nouns/noun";
import { expectConflict, type Json, startTimes } from "./support/harness";
import { NounBench, nouns } from "./support/noun-bench";
import { sampleOf } from "./support/samples";

/* What every noun takes of quotas and adds to the bill, and what its availability check says of that. */

const bench = NounBench.forSuite();
const { api } = bench;

/** The used amounts of all quotas of the region, and the number of objects in the project. */
async function counts(): Promise<Readonly<Record<string, number>>> {
  const { resources } = await api.get(`/v1/projects/${api.projectId}`);
  return { ...leavesOf(resources as Json, (count) => count), ...(await quotasNow("used")) };
}

/** `used` or `remaining` of each quota of the region. */
async function quotasNow(member: "used" | "remaining"): Promise<Readonly<Record<string, number>>> {
  const { region, ...groups } = await api.get(`/v1/quotas/${api.region}`);
  expect(region).toBe(api.region);
  return leavesOf(groups, (detail) => (detail as Json)[member]);
}

const leavesOf = (groups: Json, read: (leaf: unknown) => unknown): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(groups).flatMap(([group, members]) =>
      Object.entries(members as Json).map(([name, leaf]) => [`${group}.${name}`, Number(read(leaf))]),
    ),
  );

/** The monthly cost of all running resources. */
const monthlyCost = async (): Promise<unknown> =>
  (await api.get(`/v1/organizations/${bench.ids["organization_id"]?.[0]}/billing/summary`))["monthly_cost"];

/** The changed counts, with their difference. */
async function countsSince(before: Readonly<Record<string, number>>): Promise<Readonly<Record<string, number>>> {
  const now = Object.entries(await counts()).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(now.filter(([, difference]) => difference !== 0));
}

const sum = (...parts: readonly (Readonly<Record<string, number>> | undefined)[]) => {
  const total: Record<string, number> = {};
  for (const part of parts)
    for (const [name, amount] of Object.entries(part ?? {})) total[name] = (total[name] ?? 0) + amount;
  return total;
};

const deletable = nouns.filter(({ create, isDeletable }) => create !== undefined && isDeletable === true);

it.each(deletable)("$key: creation and increases take quota, deletion returns it", async (noun) => {
  const { key } = noun;
  const sample = sampleOf(noun);
  const { quotas, quotaIncrease, counter } = sample;
  const counted = sum(quotas, counter === undefined || key === "vms" ? {} : { [counter]: 1 });
  const withVolume = key === "vms" ? { "cloud.vms": 1, "cloud.volumes": 1 } : {};
  const before = await counts();
  const { at } = await api.create(bench.collectionAt(noun), sample.create?.(bench.ids) ?? {});
  expect(await countsSince(before)).toEqual(sum(counted, withVolume));
  await api.advance("8s");
  const { status } = await api.call("PATCH", at, { body: sample.update });
  expect([key, status]).toEqual([key, noun.isDirect ? 200 : 202]);
  expect(await countsSince(before)).toEqual(sum(counted, withVolume, quotaIncrease));
  await api.advance("8s");
  expect(await countsSince(before)).toEqual(sum(counted, withVolume, quotaIncrease));
  const deletion = await api.call("DELETE", at);
  expect([key, deletion.status]).toEqual([key, noun.isDirect ? 204 : 202]);
  await api.advance("8s");
  expect([await countsSince(before), (await api.call("GET", at)).status]).toEqual([{}, 404]);
});

const growing = nouns.filter((noun) => sampleOf(noun).quotaIncrease !== undefined);

it.each(growing)("$key: returns all quota of an object deleted while growing", async (noun) => {
  const { quotas = {}, quotaIncrease = {}, update } = sampleOf(noun);
  const before = await counts();
  expect((await api.call("PATCH", bench.itemOf(noun), { body: update })).status).toBe(202);
  expect(await countsSince(before)).toEqual(quotaIncrease);
  await api.control("DELETE", `/state/${noun.key}/${bench.idOf(noun)}`);
  const returned = await countsSince(before);
  for (const name of Object.keys(quotaIncrease)) expect(returned[name] ?? 0).toBe(0 - (quotas[name] ?? 0));
  await api.advance("8s");
  expect(await countsSince(before)).toEqual(returned);
});

it("a shrunk pool returns its quota when the operation ends", async () => {
  const pool = nouns.find(({ key }) => key === "nksNodePools") as Noun;
  const before = await counts();
  await api.call("PATCH", bench.itemOf(pool), { body: { node_count: 1 } });
  expect(await countsSince(before)).toEqual({});
  await api.advance("8s");
  expect(await countsSince(before)).toEqual({ "nks.node_pool_vcpu": -2, "nks.node_pool_memory_gb": -8 });
});

const quoted = nouns.filter(({ isQuoted = false }) => isQuoted !== false);

it.each(quoted)("$key: the bill changes by the amount of the quote", async (noun) => {
  const sample = sampleOf(noun);
  const free = Object.entries(noun.prices ?? {}).filter(([, { unitPrice }]) => Number(unitPrice) === 0);
  await api.control("POST", "/prices", Object.fromEntries(free.map(([dimension]) => [dimension, "3"])));
  const quoted = (amount: unknown): number => Math.round(Number(amount) * 10_000);
  const bill = async (): Promise<number> => quoted(await monthlyCost());
  const body = sample.create?.(bench.ids) ?? {};
  const collection = bench.collectionAt(noun);
  const [before, state] = [await bill(), await api.state()];
  const { body: quote } = await api.call("POST", `${collection}/cost`, { body });
  expect(await api.state()).toEqual(state);
  if (quoted(quote["monthly_total"]) === 0)
    throw new Error(`${noun.key} can be quoted, and its quote has no price: say usage, and prices for its dimensions`);
  const { at } = await api.create(collection, body);
  await api.advance("8s");
  const after = await bill();
  expect([noun.key, after - before]).toEqual([noun.key, quoted(quote["monthly_total"])]);

  const { update: change } = sample;
  const { body: update } = await api.call("PATCH", `${at}/cost`, { body: change });
  expect((await api.call("PATCH", at, { body: change })).status).toBe(noun.isDirect ? 200 : 202);
  await api.advance("8s");
  const changed = await bill();
  expect([noun.key, changed - after]).toEqual([noun.key, quoted((update["diff"] as Json)["monthly_total_delta"])]);
  await api.call("DELETE", at);
  await api.advance("8s");
  expect([noun.key, await bill()]).toEqual([noun.key, before]);
  expect((await api.call("PATCH", `${collection}/nothing/cost`, { body: {} })).status).toBe(404);
});

/** Copies a noun's first object until a quota has no room for another copy. Returns the rest of each quota. */
async function fillQuota(noun: Noun): Promise<Readonly<Record<string, number>>> {
  const [object] = (await api.state())[noun.key] ?? [];
  const copy = (name: string): Json => ({
    ...object,
    id: `copy-${name}`,
    ...(object?.["public_ip_enabled"] === undefined ? {} : { public_ip_enabled: false }),
  });
  const before = await quotasNow("remaining");
  await api.place({ [noun.key]: [copy("0")] });
  const copies = Object.entries(await quotasNow("remaining")).map(
    ([name, left]) => left / ((before[name] ?? 0) - left),
  );
  const names = Array.from({ length: Math.floor(Math.min(...copies)) }, (_, index) => copy(String(index + 1)));
  await api.place({ [noun.key]: names });
  return quotasNow("remaining");
}

const refusal = ({ status, body }: { readonly status: number; readonly body: Json }) => [
  status,
  body["type"],
  body["message"],
];

const checkable = nouns.filter(({ hasAvailability }) => hasAvailability === true);

it.each(checkable)("$key: its availability check answers as its request would", async (noun) => {
  const sample = sampleOf(noun);
  const at = bench.collectionAt(noun);
  const bodies = { good: sample.create?.(bench.ids) ?? {}, bad: { ...sample.create?.(bench.ids), name: 1 } };
  const { update: change } = sample;
  const before = { ...(await api.state()), auditLogs: expect.anything() as unknown };
  expect((await api.call("POST", `${at}/availability`, { body: bodies.good })).status).toBe(204);
  expect((await api.call("PATCH", `${bench.itemOf(noun)}/availability`, { body: change })).status).toBe(204);
  const refused = await api.call("POST", `${at}/availability`, { body: bodies.bad });
  expect([refused.status, refused.body["type"]]).toEqual([400, "VALIDATION_ERROR"]);
  expect(refusal(await api.call("POST", at, { body: bodies.bad }))).toEqual(refusal(refused));
  expect(await api.state()).toEqual(before);

  const spare = String((await bench.held(noun, bench.idOf(noun, -1)))?.["id"]);
  expect((await api.call("DELETE", `${at}/${spare}`)).status).toBe(202);
  expect((await api.call("PATCH", `${at}/${spare}/availability`, { body: change })).status).toBe(409);
});

const limited = nouns.filter((noun) => noun.hasAvailability === true && noun.quota !== undefined);

it.each(limited)("$key: the availability check refuses if the quota is full", async (noun) => {
  const sample = sampleOf(noun);
  const at = bench.collectionAt(noun);
  const body = sample.create?.(bench.ids) ?? {};
  const { update: change } = sample;
  const remaining = await fillQuota(noun);
  const hasRoom = Object.entries(sample.quotaIncrease ?? {}).every(([name, more]) => more <= (remaining[name] ?? 0));
  const full = await api.create(`${at}/availability`, body);
  expectConflict(full);
  expect(full.body["message"]).toMatch(/^quota exceeded in us-sva-2: /);
  expect(refusal(await api.call("POST", at, { body }))).toEqual(refusal(full));
  const larger = await api.call("PATCH", `${bench.itemOf(noun)}/availability`, { body: change });
  expect([noun.key, larger.status]).toEqual([noun.key, hasRoom ? 204 : 409]);
  const patched = await api.call("PATCH", bench.itemOf(noun), { body: change });
  expect([noun.key, patched.status]).toEqual([noun.key, hasRoom ? 202 : 409]);
});

it("a deleted cluster returns the quota of its load balancers", async () => {
  const cluster = bench.ids["cluster_id"]?.at(-1);
  const figures = async (): Promise<Json> => {
    const { "nks.clusters": clusters, "nks.public_ips": addresses } = await quotasNow("used");
    return { clusters, addresses, bill: await monthlyCost() };
  };
  const before = await figures();
  const names = { id: "in-second", cluster_id: cluster, namespace: "default", service_name: "web", private_ip: null };
  const address = { public_ip: "198.18.0.1", public_ip_enabled: true };
  await api.place({ nksLoadBalancers: [{ ...names, ...address, ...startTimes, status: "ready" }] });
  expect(await figures()).toMatchObject({ addresses: Number(before["addresses"]) + 1 });
  expect((await figures())["bill"]).not.toBe(before["bill"]);
  const left = { clusters: Number(before["clusters"]) - 1, addresses: Number(before["addresses"]) - 1 };
  expect((await api.call("DELETE", `/v1/nks/clusters/${cluster}`)).status).toBe(202);
  await api.advance("8s");
  expect(await figures()).toMatchObject({ ...left, bill: (Number(before["bill"]) - 73).toFixed(2) });
  expect((await api.get("/v1/usage/in-second"))["ended_at"]).toBe("2026-03-01T12:00:16Z");
});
