import { kinds } from "../../src/resources/registry";
import { up, type StateEntry } from "../support/mini-engine";
import { preview, refresh } from "../support/mini-refresh";
import { argsOf, placeOf, World, type WireObject } from "../support/world";
import { inputDrifts, outputDrifts, type Drift } from "./support/drifts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterEach(() => world.reset());
afterAll(() => world.close());

const collectionOf = (type: string) => placeOf(type).collection as "apiKeys" | "connections" | "firewallRules";

/** Lists in an order that a sorted copy of them does not have: what order means is seen. */
function argsFor(type: string): Record<string, unknown> {
  const lists: Record<string, Record<string, unknown>> = {
    ApiKey: {
      permissions: [
        { resourceType: "vm", permission: "edit" },
        { resourceType: "api_key", permission: "read" },
      ],
      sourceIpRule: { allowed: ["198.51.100.0/24", "10.0.0.0/8"], blocked: ["198.51.100.9", "10.0.0.9"] },
      rotationTrigger: "first",
    },
    ConnectConnection: { cidrs: ["10.2.0.0/16", "10.1.0.0/16"], providerCidrs: ["172.18.0.0/16", "172.17.0.0/16"] },
    FirewallRule: { destinationPorts: ["8080", "443"] },
  };
  return { ...argsOf(type, world.simulator), ...lists[type], tags: ["ours", "also"] };
}

async function made(type: string): Promise<StateEntry> {
  return (await up(world.run(), type, argsFor(type), undefined)).state;
}

async function shownAtApi(type: string, id: string): Promise<WireObject> {
  const found = (await world.state())[collectionOf(type)].find((object) => object.id === id);
  if (!found) throw new Error(`the API has no ${type} ${id}`);
  return found;
}

async function drift(type: string, id: string, { wire }: Drift): Promise<void> {
  await world.place(collectionOf(type), { ...(await shownAtApi(type, id)), ...wire });
}

async function refreshed(type: string, state: StateEntry): Promise<StateEntry> {
  const found = await refresh(world.run(), type, state);
  if (!found) throw new Error("the refresh says that it is gone");
  return found;
}

/** What of an object is Pulumi's: the rest is another in a new object, or after an update. */
function wanted(object: WireObject): Record<string, unknown> {
  const own = ["id", "name", "created_at", "updated_at", "asn", "provider_asn", "router_ip", "provider_router_ip"];
  return Object.fromEntries(Object.entries(object).filter(([member]) => !own.includes(member)));
}

function withField(values: object, field: string, { shown }: Drift): object {
  const others = Object.entries(values).filter(([name]) => name !== field);
  return { ...Object.fromEntries(others), ...(shown !== undefined && { [field]: shown }) };
}

describe.each(kinds.map((kind) => [kind.type, kind] as const))("when an object of %s has changed", (type, kind) => {
  const inputs = Object.entries(inputDrifts[type] ?? {});
  const driftsOfInputs = inputs.filter((row): row is [string, Drift] => typeof row[1] !== "string");
  const driftsOfOutputs = Object.entries(outputDrifts[type] ?? {}).filter(
    (row): row is [string, Drift] => typeof row[1] !== "string",
  );

  it("every field has a row here", () => {
    expect(inputs.map(([field]) => field).sort()).toEqual(Object.keys(kind.policies).sort());
    expect(Object.keys(outputDrifts[type] ?? {}).sort()).toEqual([...kind.computed].sort());
  });

  it("the fields that are not at the API are those that it shows nothing of", async () => {
    const { id } = await made(type);
    const shown = kind.fromWire({ ...(await shownAtApi(type, id)), starts_at: "2026-06-15T12:00:00Z" });
    const absent = Object.keys(kind.policies).filter((field) => shown[field] === undefined);
    expect(absent.sort()).toEqual(inputs.flatMap(([field, row]) => (row === "not at the API" ? [field] : [])).sort());
  });

  it.each(driftsOfInputs)("in %s, refresh and preview say that and nothing else", async (field, row) => {
    const state = await made(type);
    await drift(type, state.id, row);
    const after = await refreshed(type, state);
    expect(after.outs).toEqual({ ...withField(state.outs, field, row), ...row.follows });
    expect(after.inputs).toEqual(withField(state.inputs, field, row));
    expect(await preview(world.run(), type, argsFor(type), after)).toEqual({
      operation: kind.policies[field]?.change,
      fields: [field],
    });
  });

  it.each(driftsOfInputs)("in %s, an up brings it back, and the next one is quiet", async (field, row) => {
    const state = await made(type);
    const before = await shownAtApi(type, state.id);
    await drift(type, state.id, row);
    const outcome = await up(world.run(), type, argsFor(type), await refreshed(type, state));
    expect(outcome.operation).toBe(kind.policies[field]?.change);
    const { id } = outcome.state;
    expect(id === state.id).toBe(outcome.operation === "update");
    expect(wanted(await shownAtApi(type, id))).toEqual(wanted(before));
    expect((await world.state())[collectionOf(type)].filter(({ managed }) => managed !== true)).toHaveLength(1);

    const requests = (await world.requests()).length;
    expect((await up(world.run(), type, argsFor(type), outcome.state)).operation).toBe("same");
    expect((await world.requests()).slice(requests)).toEqual([]);
  });

  it.each(driftsOfOutputs)(
    "in %s, a refresh shows that and nothing else, and there is nothing to do",
    async (field, row) => {
      const state = await made(type);
      await drift(type, state.id, row);
      const after = await refreshed(type, state);
      expect(after.outs).toEqual(withField(state.outs, field, row));
      expect(after.inputs).toEqual(state.inputs);
      expect(await preview(world.run(), type, argsFor(type), after)).toEqual({ operation: "same", fields: [] });
      expect((await up(world.run(), type, argsFor(type), after)).operation).toBe("same");
    },
  );

  it("only in the order of its lists, a refresh shows nothing", async () => {
    const state = await made(type);
    const object = await shownAtApi(type, state.id);
    const reversed = reverseLists(object);
    expect(reversed).not.toEqual(object);
    await drift(type, state.id, { wire: reversed as Record<string, unknown> });
    expect((await refreshed(type, state)).outs).toEqual(state.outs);
  });

  it("and was deleted, a refresh says that it is gone, and an up makes another", async () => {
    const state = await made(type);
    await destroyed(type, state.id);
    expect(await refresh(world.run(), type, state)).toBeUndefined();
    const { operation, state: again } = await up(world.run(), type, argsFor(type), undefined);
    expect([operation, again.id === state.id]).toEqual(["create", false]);
    expect((await up(world.run(), type, argsFor(type), again)).operation).toBe("same");
  });

  it("and was made again under the same name by somebody else, theirs stays as it is, and ours is another", async () => {
    const state = await made(type);
    const object = await shownAtApi(type, state.id);
    await destroyed(type, state.id);
    const theirs = { ...object, id: "00000000-0000-4000-8000-0000000000bb", tags: ["theirs"] };
    await world.place(collectionOf(type), theirs);
    expect(await refresh(world.run(), type, state)).toBeUndefined();
    const again = (await up(world.run(), type, argsFor(type), undefined)).state;
    expect([state.id, theirs.id]).not.toContain(again.id);
    expect(await shownAtApi(type, theirs.id)).toEqual(theirs);
    expect((await shownAtApi(type, again.id)).tags).toEqual(["ours", "also"]);
  });

  it("and was deleted and nobody has refreshed, an update says so and what to do, and a delete is done", async () => {
    const state = await made(type);
    await destroyed(type, state.id);
    const changed = { ...argsFor(type), tags: ["new"] };
    await expect(up(world.run(), type, changed, state)).rejects.toThrow(
      /update .* "x".*was answered 404[\s\S]*no longer/,
    );
    await expect(world.run().of(type).delete(state.id, state.outs)).resolves.toBeUndefined();
  });
});

async function destroyed(type: string, id: string): Promise<void> {
  const path = placeOf(type).path.replace("[^/]+", world.simulator.vpcId);
  await world.api("DELETE", `${path}/${id}`);
  world.clock.advance(2_000); // its operation is done
}

function reverseLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.toReversed();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, reverseLists(inner)]));
}

it("when a connection leads nowhere any more, a refresh says so, and the next up replaces it", async () => {
  const type = "ConnectConnection";
  const state = await made(type);
  await drift(type, state.id, { wire: { external_provider: null } });
  const after = await refreshed(type, state);
  expect(after.outs).toEqual(withField(state.outs, "externalProvider", { wire: {} }));
  expect(await preview(world.run(), type, argsFor(type), after)).toEqual({
    operation: "replace",
    fields: ["externalProvider"],
  });
  const outcome = await up(world.run(), type, argsFor(type), after);
  expect((await shownAtApi(type, outcome.state.id))["external_provider"]).toEqual({ region: "us-west-2" });
  expect(outcome.state.outs["externalProvider"]).toEqual({ accountId: "123456789012", region: "us-west-2" });
});

it("when ignoreChanges covers a name that check chose, a new name stays, until it is covered no more", async () => {
  const type = "FirewallRule";
  const state = await made(type);
  await drift(type, state.id, { wire: { name: "theirs" } });
  const ignoring = { ...argsFor(type), name: "theirs" }; // what the engine puts there
  const { operation, state: after } = await up(world.run(), type, ignoring, await refreshed(type, state));
  expect(operation).toBe("same");
  expect((await up(world.run(), type, argsFor(type), after)).operation).toBe("update");
  expect((await shownAtApi(type, state.id)).name).toBe(state.outs["name"]);
});
