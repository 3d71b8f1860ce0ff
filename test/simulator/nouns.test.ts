import type { Noun } from "../../src/simulator/nouns/noun";
import { nounsOf } from "../../src/simulator/nouns/registry";
import { type Harness, type Json, startHarness } from "./support/harness";
import { populate, type Ids } from "./support/populated";
import { sampleOf } from "./support/samples";

/* One of each: what every noun does, by its descriptor. What is particular has a test of its own. */

let api: Harness;
let ids: Ids;
beforeAll(async () => {
  api = await startHarness();
});
afterAll(() => api.close());
beforeEach(async () => {
  api.reset();
  ids = await populate(api);
  await api.advance("8s");
  ids = { ...ids, ...(await partsOf()) };
});

const nouns = nounsOf("spec");
const rows = (which: (noun: Noun) => boolean) => nouns.filter(which).map((noun) => [noun.key, noun] as const);

/** The ids of what came with something else, once that is ready. */
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

/** Where a noun's objects are; what they are in is the first of its kind. */
function collectionAt({ path, parent }: Noun): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    for (let at = parent as Noun | undefined; at; at = at.parent as Noun | undefined) {
      if (at.idParameter === name) return idOf(at);
    }
    return ids[name]?.[0] ?? "";
  });
}

/** Where one of a noun's objects is: what there is one of at most has no id. */
function itemOf(noun: Noun): string {
  return noun.isSingleton ? collectionAt(noun) : `${collectionAt(noun)}/${idOf(noun)}`;
}

async function held(noun: Noun, id: string): Promise<Json | undefined> {
  const objects = (await api.state())[noun.key];
  return noun.isSingleton ? objects?.[0] : objects?.find((object) => object["id"] === id);
}

test("every noun has a sample, and a key, a path and a kind of its own", () => {
  for (const noun of nouns) expect(() => sampleOf(noun)).not.toThrow();
  for (const member of ["key", "path", "targetType", "typeName"] as const) {
    expect(new Set(nouns.map((noun) => noun[member])).size).toBe(nouns.length);
  }
});

test.each(rows(({ isListOnly = false }) => !isListOnly))(
  "%s: one is shown, listed, and held in the state, all in the same words",
  async (_key, noun) => {
    const collection = collectionAt(noun);
    const shown = await api.call("GET", itemOf(noun));
    expect([noun.key, shown.status]).toEqual([noun.key, 200]);
    expect(await held(noun, idOf(noun))).toEqual(shown.body);
    if (noun.isSingleton) return;
    const list = await api.call("GET", `${collection}?project_id=${api.projectId}&limit=100`);
    expect(list.body["items"]).toContainEqual(shown.body);
    if ("status" in shown.body) expect(shown.body["status"]).toBe("ready");
    expect((await api.call("GET", `${collection}/nothing`)).status).toBe(404);
  },
);

test.each(rows(({ isListOnly = false }) => isListOnly))(
  "%s: it is listed, as it is held in the state, and has no address of its own",
  async (_key, noun) => {
    const list = await api.call("GET", collectionAt(noun));
    const objects = (await api.state())[noun.key] ?? [];
    expect(objects.length).toBeGreaterThan(0);
    expect(list.body["items"]).toEqual(noun.newestFirst ? objects.reverse() : objects);
    expect((await api.call("GET", `${collectionAt(noun)}/${String(objects[0]?.["id"])}`)).status).toBe(404);
  },
);

test.each(rows(({ update }) => update !== undefined))(
  "%s: when one is changed, the change is listed and shows; with an unknown member, it is refused",
  async (_key, noun) => {
    const at = itemOf(noun);
    const body = sampleOf(noun).update ?? { name: "renamed" };
    const reply = await api.call("PATCH", at, { body });
    expect([noun.key, reply.status]).toEqual([noun.key, noun.isDirect ? 200 : 202]);
    if (!noun.isDirect) {
      const { changes } = reply.body["details"] as { changes: Json };
      expect(Object.keys(changes).sort()).toEqual(Object.keys(body).sort());
      expect(reply.body["kind"]).toBe(noun.targetType);
      await api.advance("8s");
    }
    expect(await held(noun, idOf(noun))).toMatchObject(body);
    expect((await api.call("PATCH", at, { body: { ...body, extra: 1 } })).status).toBe(400);
  },
);

test.each(rows(({ isDeletable }) => isDeletable === true))(
  "%s: when one comes and goes, quotas, bill and counters are as they were",
  async (_key, noun) => {
    const sample = sampleOf(noun);
    if (!sample.create) return;
    const figures = async (): Promise<unknown> => {
      const { body: quotas } = await api.call("GET", "/v1/quotas");
      const { body: project } = await api.call("GET", `/v1/projects/${api.projectId}`);
      const vpc = { name: "x", project_id: api.projectId, region: api.region, subnet_name: "x" };
      const { body: quote } = await api.call("POST", "/v1/networking/vpcs/cost", { body: vpc });
      return [quotas["items"], project["resources"], (quote["current_summary"] as Json)["monthly_cost"]];
    };
    const before = await figures();
    const made = await api.call("POST", collectionAt(noun), { body: sample.create(api, ids) });
    const id = String(made.body["resource_id"] ?? made.body["id"]);
    await api.advance("8s");
    const isCounted = noun.projectCounter !== undefined || noun.quota !== undefined;
    if (isCounted) expect(await figures()).not.toEqual(before);
    const gone = await api.call("DELETE", `${collectionAt(noun)}/${id}`);
    expect([noun.key, gone.status]).toEqual([noun.key, noun.isDirect ? 204 : 202]);
    await api.advance("8s");
    expect(await held(noun, id)).toBeUndefined();
    expect(await figures()).toEqual(before);
  },
);

test.each(rows(({ isQuoted }) => isQuoted === true))(
  "%s: a quote of a creation is what the bill grows by, and a quote of an update the difference",
  async (_key, noun) => {
    const sample = sampleOf(noun);
    if (!sample.create) return;
    const bill = async (): Promise<number> => {
      const body = { name: "x", project_id: api.projectId, region: api.region, subnet_name: "x" };
      const { body: quote } = await api.call("POST", "/v1/networking/vpcs/cost", { body });
      return Math.round(Number((quote["current_summary"] as Json)["monthly_cost"]) * 10_000);
    };
    const body = sample.create(api, ids);
    const collection = collectionAt(noun);
    const before = await bill();
    const { body: quote } = await api.call("POST", `${collection}/cost`, { body });
    const made = await api.call("POST", collection, { body });
    await api.advance("8s");
    const after = await bill();
    expect([noun.key, after - before]).toEqual([noun.key, Math.round(Number(quote["monthly_total"]) * 10_000)]);

    const at = `${collection}/${String(made.body["resource_id"])}`;
    const change = sample.update ?? { name: "renamed" };
    const { body: update } = await api.call("PATCH", `${at}/cost`, { body: change });
    expect((await api.call("PATCH", at, { body: change })).status).toBe(202);
    await api.advance("8s");
    const { monthly_total_delta: delta } = update["diff"] as Json;
    expect([noun.key, (await bill()) - after]).toEqual([noun.key, Math.round(Number(delta) * 10_000)]);
  },
);
