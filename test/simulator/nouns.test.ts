import { z } from "zod";
import type { Noun } from "../../src/simulator/nouns/noun";
import { nounsOf } from "../../src/simulator/nouns/noun-registry";
import { expectConflict, expectRejected, harnessForSuite, type Json, startTimes } from "./support/harness";
import { populate, type Ids } from "./support/populated";
import { sampleOf } from "./support/samples";

/* What every noun does, by its descriptor, on one object of each. Special behaviour has its own tests. */

const api = harnessForSuite();
let ids: Ids;
beforeEach(async () => {
  ids = await populate(api);
  await api.advance("8s");
  ids = { ...ids, ...(await partsOf()) };
});

const nouns = nounsOf("spec");

/** The ids of the parts of an object, once it is ready. */
async function partsOf(): Promise<Ids> {
  const state = await api.state();
  return Object.fromEntries(
    nouns.flatMap((noun) => {
      const { create, place } = sampleOf(noun);
      const first = state[noun.key]?.[0]?.["id"] as string | undefined;
      return create || place || first === undefined ? [] : [[`${noun.path}:${noun.idParameter}`, [first]]];
    }),
  );
}

const idOf = (noun: Noun, which = 0): string =>
  (ids[`${noun.path}:${noun.idParameter}`] ?? ids[noun.idParameter])?.at(which) ?? "";

/** The path of a collection, in the first existing parent. */
function collectionAt({ path, parent }: Noun): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    for (let at = parent as Noun | undefined; at; at = at.parent as Noun | undefined) {
      if (at.idParameter === name) return idOf(at);
    }
    return ids[name]?.[0] ?? "";
  });
}

/** The path of an object. A singleton has no id in its path. */
function itemOf(noun: Noun): string {
  return noun.isSingleton ? collectionAt(noun) : `${collectionAt(noun)}/${idOf(noun)}`;
}

async function held(noun: Noun, id: string): Promise<Json | undefined> {
  const objects = (await api.state())[noun.key];
  return noun.isSingleton ? objects?.[0] : objects?.find((object) => object["id"] === id);
}

it("each noun has a sample and unique names", () => {
  for (const noun of nouns) expect(() => sampleOf(noun)).not.toThrow();
  for (const member of ["key", "path", "kind"] as const) {
    expect(new Set(nouns.map((noun) => noun[member])).size).toBe(nouns.length);
  }
});

const shownAlone = nouns.filter(({ isListOnly = false }) => !isListOnly);

it.each(shownAlone)("$key: answers and lists show the same object as the state", async (noun) => {
  const collection = collectionAt(noun);
  const { status, body } = await api.call("GET", itemOf(noun));
  expect([noun.key, status]).toEqual([noun.key, 200]);
  expect(await held(noun, idOf(noun))).toMatchObject(body);
  if (noun.isSingleton) return;
  const { items } = await api.get(`${collection}?project_id=${api.projectId}&limit=100`);
  expect(items).toContainEqual(body);
  if ("status" in body) expect(body["status"]).toBe(noun.isDirect ? "active" : "ready");
  expect((await api.call("GET", `${collection}/nothing`)).status).toBe(404);
});

it.each(nouns.filter(({ isListOnly }) => isListOnly))("$key: shows its objects in the list only", async (noun) => {
  const { items } = await api.get(collectionAt(noun));
  const objects = (await api.state())[noun.key] ?? [];
  expect(objects.length).toBeGreaterThan(0);
  expect(noun.newestFirst ? objects.reverse() : objects).toMatchObject(items as object[]);
  expect((await api.call("GET", `${collectionAt(noun)}/${String(objects[0]?.["id"])}`)).status).toBe(404);
});

const updatable = nouns.filter(({ update }) => update !== undefined);

it.each(updatable)("$key: an update lists changes, and rejects unknown members", async (noun) => {
  const at = itemOf(noun);
  const { update: body } = sampleOf(noun);
  const reply = await api.call("PATCH", at, { body });
  expect([noun.key, reply.status]).toEqual([noun.key, noun.isDirect ? 200 : 202]);
  if (!noun.isDirect) {
    const { changes } = reply.body["details"] as { changes: Json };
    expect(Object.keys(changes).sort()).toEqual(Object.keys(body).sort());
    expect(reply.body["kind"]).toBe(noun.kind);
    await api.advance("8s");
  }
  expect(await held(noun, idOf(noun))).toMatchObject(body);
  expect((await api.call("PATCH", at, { body: { ...body, extra: 1 } })).status).toBe(400);
});

it.each(nouns)("$key: declares the specified filters, orders, growth and counter", (noun) => {
  const { filters, sorts, counter, growsOnly } = sampleOf(noun);
  const words = (text: string | undefined): string[] => text?.split(" ").sort() ?? [];
  expect(Object.keys(noun.filters).sort()).toEqual(words(filters));
  expect([...(noun.sorts ?? [])].sort()).toEqual(words(sorts));
  expect([noun.projectCounter, noun.growsOnly ?? []]).toEqual([counter, words(growsOnly)]);
});

/** A value of a filter that does not match an object with the given value. */
function otherValue(name: string, value: unknown, schema: z.ZodType): string {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (inner instanceof z.ZodEnum) return String(inner.options.find((option) => option !== value));
  if (name.endsWith("_min")) return "2030-01-01T00:00:00Z";
  if (name.endsWith("_max")) return "2000-01-01T00:00:00Z";
  if (typeof value === "number") return "2000";
  return typeof value === "boolean" || name === "attached" ? String(value !== true) : "nobody";
}

const filtered = nouns.filter(({ filters }) => Object.keys(filters).length > 0);

it.each(filtered)("$key: each filter and order of its list works", async (noun) => {
  const list = `${collectionAt(noun)}?project_id=${api.projectId}&limit=100`;
  const itemsAt = async (query: string): Promise<Json[]> => {
    const { status, body } = await api.call("GET", `${list}&${query}`);
    expect([query, status]).toEqual([query, 200]);
    return body["items"] as Json[];
  };
  const object = (await itemsAt("")).find(({ id }) => id === idOf(noun));
  for (const [name, { schema }] of Object.entries(noun.filters)) {
    const value = object?.[name];
    const isListed = async (wanted: string) =>
      (await itemsAt(`${name}=${wanted}`)).some(({ id }) => id === object?.["id"]);
    const isScalar = ["string", "number", "boolean"].includes(typeof value);
    if (isScalar) expect([name, await isListed(encodeURIComponent(String(value)))]).toEqual([name, true]);
    expect([name, await isListed(otherValue(name, value, schema))]).toEqual([name, false]);
  }
  for (const field of noun.sorts ?? []) await itemsAt(`sort=${field}:desc`);
});

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
  (await api.get(`/v1/organizations/${ids["organization_id"]?.[0]}/billing/summary`))["monthly_cost"];

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
  const { at } = await api.create(collectionAt(noun), sample.create?.(ids) ?? {});
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
  expect((await api.call("PATCH", itemOf(noun), { body: update })).status).toBe(202);
  expect(await countsSince(before)).toEqual(quotaIncrease);
  await api.control("DELETE", `/state/${noun.key}/${idOf(noun)}`);
  const returned = await countsSince(before);
  for (const name of Object.keys(quotaIncrease)) expect(returned[name] ?? 0).toBe(0 - (quotas[name] ?? 0));
  await api.advance("8s");
  expect(await countsSince(before)).toEqual(returned);
});

it("a shrunk pool returns its quota when the operation ends", async () => {
  const pool = nouns.find(({ key }) => key === "nksNodePools") as Noun;
  const before = await counts();
  await api.call("PATCH", itemOf(pool), { body: { node_count: 1 } });
  expect(await countsSince(before)).toEqual({});
  await api.advance("8s");
  expect(await countsSince(before)).toEqual({ "nks.node_pool_vcpu": -2, "nks.node_pool_memory_gb": -8 });
});

it.each(nouns.flatMap((noun) => Object.keys(noun.actions ?? {}).map((action) => [noun.key, action, noun] as const)))(
  "%s: %s is 409 during the deletion",
  async (_key, action, noun) => {
    await api.call("DELETE", itemOf(noun));
    const body = sampleOf(noun).actions?.[action]?.(ids);
    const { status, body: error } = await api.call("POST", `${itemOf(noun)}/${action}`, body ? { body } : {});
    expect([status, error["message"]]).toEqual([409, `the ${noun.noun} is being deleted`]);
  },
);

it.each<[string, Json, string]>([
  ["rpcNodesFlex", { blockchain: "nothing" }, "blockchain"],
  ["rpcNodesFlex", { blockchain: "base", network: "sepolia" }, "network"],
  ["nksClusters", { kubernetes_version: "v1" }, "kubernetes_version"],
  ["nksClusters", { vpc_id: "nothing" }, "vpc_id"],
  ["nksClusters", { region: "us-wdc-1" }, "vpc_id"],
  ["nksNodePools", { node_count: 101 }, "node_count"],
  ["vms", { instance_type: "n1-standard-3" }, "instance_type"],
  ["vms", { os_image_name: "nothing" }, "os_image_name"],
  ["vms", { subnet_id: "nothing" }, "subnet_id"],
  ["vms", { ssh_key: { public_key: "nothing" } }, "ssh_key.public_key"],
])("%s: %j is rejected", async (key, more, bad) => {
  const noun = nouns.find((one) => one.key === key) as Noun;
  await expectRejected(api, "POST", [collectionAt(noun)], { ...sampleOf(noun).create?.(ids), ...more }, bad);
});

const quoted = nouns.filter(({ isQuoted = false }) => isQuoted !== false);

it.each(quoted)("$key: the bill changes by the amount of the quote", async (noun) => {
  const sample = sampleOf(noun);
  const free = Object.entries(noun.prices ?? {}).filter(([, { unitPrice }]) => Number(unitPrice) === 0);
  await api.control("POST", "/prices", Object.fromEntries(free.map(([dimension]) => [dimension, "3"])));
  const quoted = (amount: unknown): number => Math.round(Number(amount) * 10_000);
  const bill = async (): Promise<number> => quoted(await monthlyCost());
  const body = sample.create?.(ids) ?? {};
  const collection = collectionAt(noun);
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

/** Nouns that operations create, change and delete. */
const changed = nouns.filter(({ create, update, isDirect = false }) => create && update && !isDirect);

async function statusAt(path: string): Promise<unknown> {
  const { status, body } = await api.call("GET", path);
  return status === 200 ? body["status"] : status;
}

async function operation(reply: { readonly body: Json }): Promise<unknown[]> {
  const { kind, type, status, resource_id, project_id } = await api.get(`/v1/operations/${String(reply.body["id"])}`);
  return [kind, type, status, resource_id, project_id];
}

it.each(changed)("$key: its status follows its operations", async (noun) => {
  const sample = sampleOf(noun);
  const body = sample.create?.(ids) ?? {};
  const { update: change } = sample;
  const at = collectionAt(noun);
  const made = await api.create(at, body);
  const { id, at: item } = made;
  const is = (type: string, status: string) => [noun.kind, type, status, id, api.projectId];
  expect([await statusAt(item), await operation(made)]).toEqual(["creating", is("create", "pending")]);
  await api.advance("2s");
  expect([await statusAt(item), await operation(made)]).toEqual(["creating", is("create", "running")]);
  await api.advance("6s");
  expect([await statusAt(item), await operation(made)]).toEqual(["ready", is("create", "done")]);

  const ready = await held(noun, id);
  await api.fault({ method: "PATCH", path: `${id}$`, operation: "fail", times: 1 });
  const failing = await api.call("PATCH", item, { body: change });
  expect([await statusAt(item), await operation(failing)]).toEqual(["updating", is("update", "pending")]);
  await api.advance("8s");
  expect([await held(noun, id), await operation(failing)]).toEqual([ready, is("update", "failed")]);
  await api.call("PATCH", item, { body: change });
  expect(await held(noun, id)).toEqual({ ...ready, status: "updating" });
  await api.advance("8s");
  expect(await held(noun, id)).toMatchObject({ ...change, status: "ready" });

  await api.fault({ method: "DELETE", path: `${id}$`, operation: "fail", times: 1 });
  await api.call("DELETE", item);
  expect(await statusAt(item)).toBe("deleting");
  expect((await api.call("PATCH", item, { body: change })).status).toBe(409);
  await api.advance("8s");
  expect(await statusAt(item)).toBe("ready");
  const going = await api.call("DELETE", item);
  await api.advance("8s");
  expect([await statusAt(item), await operation(going)]).toEqual([404, is("delete", "done")]);

  await api.fault({ method: "POST", path: `${at}$`, operation: "fail", times: 1 });
  const { at: broken } = await api.create(at, body);
  await api.advance("8s");
  expect(await statusAt(broken)).toBe("error");
  await api.call("DELETE", broken);
  await api.advance("8s");
  expect(await statusAt(broken)).toBe(404);
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
  const at = collectionAt(noun);
  const bodies = { good: sample.create?.(ids) ?? {}, bad: { ...sample.create?.(ids), name: 1 } };
  const { update: change } = sample;
  const before = { ...(await api.state()), auditLogs: expect.anything() as unknown };
  expect((await api.call("POST", `${at}/availability`, { body: bodies.good })).status).toBe(204);
  expect((await api.call("PATCH", `${itemOf(noun)}/availability`, { body: change })).status).toBe(204);
  const refused = await api.call("POST", `${at}/availability`, { body: bodies.bad });
  expect([refused.status, refused.body["type"]]).toEqual([400, "VALIDATION_ERROR"]);
  expect(refusal(await api.call("POST", at, { body: bodies.bad }))).toEqual(refusal(refused));
  expect(await api.state()).toEqual(before);

  const spare = String((await held(noun, idOf(noun, -1)))?.["id"]);
  expect((await api.call("DELETE", `${at}/${spare}`)).status).toBe(202);
  expect((await api.call("PATCH", `${at}/${spare}/availability`, { body: change })).status).toBe(409);
});

const limited = nouns.filter((noun) => noun.hasAvailability === true && noun.quota !== undefined);

it.each(limited)("$key: the availability check refuses if the quota is full", async (noun) => {
  const sample = sampleOf(noun);
  const at = collectionAt(noun);
  const body = sample.create?.(ids) ?? {};
  const { update: change } = sample;
  const remaining = await fillQuota(noun);
  const hasRoom = Object.entries(sample.quotaIncrease ?? {}).every(([name, more]) => more <= (remaining[name] ?? 0));
  const full = await api.create(`${at}/availability`, body);
  expectConflict(full);
  expect(full.body["message"]).toMatch(/^quota exceeded in us-sva-2: /);
  expect(refusal(await api.call("POST", at, { body }))).toEqual(refusal(full));
  const larger = await api.call("PATCH", `${itemOf(noun)}/availability`, { body: change });
  expect([noun.key, larger.status]).toEqual([noun.key, hasRoom ? 204 : 409]);
  const patched = await api.call("PATCH", itemOf(noun), { body: change });
  expect([noun.key, patched.status]).toEqual([noun.key, hasRoom ? 202 : 409]);
});

it("a deleted cluster returns the quota of its load balancers", async () => {
  const cluster = ids["cluster_id"]?.at(-1);
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
