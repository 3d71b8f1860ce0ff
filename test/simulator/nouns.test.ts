import { readOptions } from "../../src/simulator/options";
import { Simulation } from "../../src/simulator/simulation";
import { z } from "zod";
import type { Noun } from "../../src/simulator/nouns/noun";
import { expectRejected, type Json } from "./support/harness";
import { NounBench, nouns } from "./support/noun-bench";
import { sampleOf } from "./support/samples";

/* What every noun does, by its descriptor, on one object of each. Special behaviour has its own tests. */

const bench = NounBench.forSuite();
const { api } = bench;

it("each noun has a sample and unique names", () => {
  for (const noun of nouns) expect(() => sampleOf(noun)).not.toThrow();
  for (const member of ["key", "path", "kind"] as const) {
    expect(new Set(nouns.map((noun) => noun[member])).size).toBe(nouns.length);
  }
});

const shownAlone = nouns.filter(({ isListOnly = false }) => !isListOnly);

it.each(shownAlone)("$key: answers and lists show the same object as the state", async (noun) => {
  const collection = bench.collectionAt(noun);
  const { status, body } = await api.call("GET", bench.itemOf(noun));
  expect([noun.key, status]).toEqual([noun.key, 200]);
  expect(await bench.held(noun, bench.idOf(noun))).toMatchObject(body);
  if (noun.isSingleton) return;
  const { items } = await api.get(`${collection}?project_id=${api.projectId}&limit=100`);
  expect(items).toContainEqual(body);
  if ("status" in body) expect(body["status"]).toBe(noun.isDirect ? "active" : "ready");
  expect((await api.call("GET", `${collection}/nothing`)).status).toBe(404);
});

it.each(nouns.filter(({ isListOnly }) => isListOnly))("$key: shows its objects in the list only", async (noun) => {
  const { items } = await api.get(bench.collectionAt(noun));
  const objects = (await api.state())[noun.key] ?? [];
  expect(objects.length).toBeGreaterThan(0);
  expect(noun.newestFirst ? objects.reverse() : objects).toMatchObject(items as object[]);
  expect((await api.call("GET", `${bench.collectionAt(noun)}/${String(objects[0]?.["id"])}`)).status).toBe(404);
});

const updatable = nouns.filter(({ update }) => update !== undefined);

it.each(updatable)("$key: an update lists changes, and rejects unknown members", async (noun) => {
  const at = bench.itemOf(noun);
  const { update: body } = sampleOf(noun);
  const reply = await api.call("PATCH", at, { body });
  expect([noun.key, reply.status]).toEqual([noun.key, noun.isDirect ? 200 : 202]);
  if (!noun.isDirect) {
    const { changes } = reply.body["details"] as { changes: Json };
    expect(Object.keys(changes).sort()).toEqual(Object.keys(body).sort());
    expect(reply.body["kind"]).toBe(noun.kind);
    await api.advance("8s");
  }
  expect(await bench.held(noun, bench.idOf(noun))).toMatchObject(body);
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
  const list = `${bench.collectionAt(noun)}?project_id=${api.projectId}&limit=100`;
  const itemsAt = async (query: string): Promise<Json[]> => {
    const { status, body } = await api.call("GET", `${list}&${query}`);
    expect([query, status]).toEqual([query, 200]);
    return body["items"] as Json[];
  };
  const object = (await itemsAt("")).find(({ id }) => id === bench.idOf(noun));
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

it.each(nouns.flatMap((noun) => Object.keys(noun.actions ?? {}).map((action) => [noun.key, action, noun] as const)))(
  "%s: %s is 409 during the deletion",
  async (_key, action, noun) => {
    await api.call("DELETE", bench.itemOf(noun));
    const body = sampleOf(noun).actions?.[action]?.(bench.ids);
    const { status, body: error } = await api.call("POST", `${bench.itemOf(noun)}/${action}`, body ? { body } : {});
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
  await expectRejected(
    api,
    "POST",
    [bench.collectionAt(noun)],
    { ...sampleOf(noun).create?.(bench.ids), ...more },
    bad,
  );
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
  const body = sample.create?.(bench.ids) ?? {};
  const { update: change } = sample;
  const at = bench.collectionAt(noun);
  const made = await api.create(at, body);
  const { id, at: item } = made;
  const is = (type: string, status: string) => [noun.kind, type, status, id, api.projectId];
  expect([await statusAt(item), await operation(made)]).toEqual(["creating", is("create", "pending")]);
  await api.advance("2s");
  expect([await statusAt(item), await operation(made)]).toEqual(["creating", is("create", "running")]);
  await api.advance("6s");
  expect([await statusAt(item), await operation(made)]).toEqual(["ready", is("create", "done")]);

  const ready = await bench.held(noun, id);
  await api.fault({ method: "PATCH", path: `${id}$`, operation: "fail", times: 1 });
  const failing = await api.call("PATCH", item, { body: change });
  expect([await statusAt(item), await operation(failing)]).toEqual(["updating", is("update", "pending")]);
  await api.advance("8s");
  expect([await bench.held(noun, id), await operation(failing)]).toEqual([ready, is("update", "failed")]);
  await api.call("PATCH", item, { body: change });
  expect(await bench.held(noun, id)).toEqual({ ...ready, status: "updating" });
  await api.advance("8s");
  expect(await bench.held(noun, id)).toMatchObject({ ...change, status: "ready" });

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

it("the region of an object without one is empty", () => {
  const { world, nouns } = new Simulation(readOptions({ apiKey: "owner" }));
  const projects = nouns.find(({ key }) => key === "projects")!;
  const regions = [...world.table(projects).all()].map((project) => world.regionOf(projects, project));
  expect(regions).toEqual([""]);
});
