import { loadBalancerObject } from "../kinds/nks-load-balancer";
import { KilledConnections, type Kill } from "../support/killed-run";
import { sent, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { MiniStack, up, type Outcome } from "../support/mini-engine";
import { answer } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { World } from "../support/world";

const type = "NksLoadBalancer";
const { id, cluster_id } = loadBalancerObject;
const FOUND = { id, urn: expect.stringContaining("::x") as string, foundAs: { publicIpEnabled: false } };

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);
let journal: MemoryJournal;
beforeEach(() => {
  journal = new MemoryJournal();
});

const run = (): TestRun => world.run({}, { journal });
const args = (own: object = {}): object => world.args(type, own);
const taken = (by = run(), state?: Outcome["state"]): Promise<Outcome> => up(by, type, args(), state);
const isPublic = async (): Promise<unknown> =>
  (await world.api("GET", `/v1/nks/clusters/${cluster_id}/load_balancers/${id}`))["public_ip_enabled"];

it("remembers the original settings after a rename", async () => {
  await taken(); // the engine does not save it
  const stack = new MiniStack();
  await stack.up(run(), [{ type, name: "x", args }], { stack: "renamed" });
  const { outs } = stack.stateOf("x");
  await run().of(type).delete(id, outs);
  expect([await isPublic(), journal.entries]).toEqual([false, []]);
});

/** A run whose process is killed at its change. */
async function killedRun(moment: Kill["moment"]): Promise<void> {
  const connections = new KilledConnections({ method: "PATCH", path: /load_balancers/, moment });
  const end = taken(world.run({}, { journal, client: { dispatcher: connections.dispatcher } })).catch(() => undefined);
  await connections.death;
  const left = new MemoryJournal();
  for (const entry of journal.entries) await left.write(entry);
  journal = left; // the rest of the process no longer writes
  await connections.bury();
  await end;
}

it("an import remembers the original settings after a killed run", async () => {
  await killedRun("after");
  const { props } = await run()
    .of(type)
    .read(`${cluster_id}/${id}`, sent(type, "x", args(), false));
  expect([await isPublic(), props]).toMatchObject([true, { __foundAs: { publicIpEnabled: false } }]);
});

describe.each<[string, () => Promise<unknown>]>([
  ["before its change", () => killedRun("before")],
  ["after its change", () => killedRun("after")],
])("after a run is killed %s", (_moment, killed) => {
  beforeEach(killed);

  it("restores the object's original settings", async () => {
    expect(journal.entries).toMatchObject([FOUND]);
    const next = run();
    const { state } = await taken(next);
    const messages = next.lines.filter(({ text }) =>
      text.includes(`took over: NKS load balancer "x" (${id}, found with`),
    );
    expect(messages.map(({ severity }) => severity)).toEqual(["warning"]);
    expect(await isPublic()).toBe(true);
    const again = await taken(run(), state);
    expect([again.operation, journal.entries]).toEqual(["same", []]);
    await run().of(type).delete(again.state.id, again.state.outs);
    expect(await isPublic()).toBe(false);
  });

  it("warns once of an adopted object that is no longer declared", async () => {
    const args = world.args("Vpc");
    const warnings = async (): Promise<string> => {
      const next = run();
      await new MiniStack().up(next, [{ type: "Vpc", name: "y", args: () => args }]);
      return next.warnings().join("\n");
    };
    expect(await warnings()).toBe(
      `An earlier run failed or was interrupted, and the state may not know what it made or took over: NKS load balancer "x" (${id}, found with publicIpEnabled: false). ` +
        "A run that takes it over again knows how it was found. If your program no longer has the object, set it back to that in the API.",
    );
    expect(await warnings()).not.toContain("load balancer");
    expect(journal.entries).toContainEqual(expect.objectContaining(FOUND));
  });
});

it("shows how an object was found, and its present state", async () => {
  await taken(); // the engine does not save it
  await world.api("PATCH", `/v1/nks/clusters/${cluster_id}/load_balancers/${id}`, { public_ip_enabled: true });
  const next = run();
  await taken(next);
  const texts = next.texts().filter((text) => text.startsWith("An earlier run took"));
  expect(texts).toEqual([
    expect.stringMatching("found it with publicIpEnabled: false. Now it has publicIpEnabled: true."),
  ]);
});

it.each([
  ["no entry", 403, []],
  ["the former values", 409, [FOUND]],
])("keeps %s if the change is answered %s", async (_kept, status, entries) => {
  await world.fault({ method: "PATCH", path: "load_balancers", status, every: 1 });
  await expect(taken()).rejects.toThrow(String(status));
  expect(journal.entries).toMatchObject(entries);
  expect(journal.entries).toHaveLength(entries.length);
});

it("reads the object if polls are rejected", async () => {
  await world.fault({ method: "GET", path: "operations", status: 401, times: 1 });
  expect((await taken()).state).toMatchObject({ id, outs: { __foundAs: { publicIpEnabled: false } } });
  expect(journal.entries).toMatchObject([FOUND]);
});

it("keeps the entry of an earlier run after a refusal", async () => {
  await killedRun("after");
  await world.fault({ method: "PATCH", path: "load_balancers", status: 403, times: 1 });
  const second = up(run(), type, args({ publicIpEnabled: false }), undefined);
  await expect(second).rejects.toThrow("403");
  expect(journal.entries).toMatchObject([FOUND]);
});

it("records new original settings for another object of the Service", async () => {
  await killedRun("after");
  await world.takeAway("nksLoadBalancers", id);
  await world.place("nksLoadBalancers", { ...loadBalancerObject, id: id.replace(/1$/, "7"), public_ip_enabled: true });
  const { state } = await taken();
  expect(state.outs).toMatchObject({ __foundAs: { publicIpEnabled: true } });
});

it("reverts a change whose result could not be read", async () => {
  const through = (): TestRun => world.run({ baseUrl: proxy.url }, { journal });
  const stack = new MiniStack();
  const declared = (own?: object) => [{ type, name: "x", args: () => args(own) }];
  proxy.on({ method: "PATCH", nth: 1 }, async (_request, forward) => {
    proxy.on({ method: "GET", path: new RegExp(id) }, answer(503));
    return forward();
  });
  expect((await stack.up(through(), declared())).failures).toHaveLength(1);
  proxy.clear();
  expect(await isPublic()).toBe(true);
  const next = through();
  expect((await stack.up(next, declared({ publicIpEnabled: false }))).failures).toEqual([]);
  expect(next.warnings()).toEqual([]);
  expect([await isPublic(), stack.stateOf("x").outs["publicIpEnabled"]]).toEqual([false, false]);
});
