import { othersText } from "../../src/lifecycle/recovery/created-object";
import { API_KEY_RESOURCE_TYPES } from "../../src/resources/api-key-permission";
import { noJournal, type Journal } from "../../src/journal/journal";
import { runsElsewhere, thisProcess } from "../../src/journal/process-identity";
import { madeTypes } from "../kinds";
import { sent, startRun, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { plain } from "../support/mini-state";
import {
  answer,
  answerAfter,
  auditLogsOnly,
  dropAfter,
  dropBefore,
  repeat,
  skewDate,
  withoutTargets,
} from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { argsOf, collectionOf, collectionPath, World, type WireObject } from "../support/world";

const types = madeTypes;
const AUDIT_LOGS = { method: "GET", path: /^\/v1\/audit_logs$/ };

let world: World;
let proxy: FaultProxy;
let journal: MemoryJournal;
beforeAll(async () => {
  world = await World.start();
  proxy = await FaultProxy.start(world.simulator.url);
});
beforeEach(() => {
  journal = new MemoryJournal();
});
afterEach(async () => {
  proxy.clear();
  world.clock.onSleep = undefined;
  await lag({});
  await world.reset();
});
afterAll(async () => {
  await proxy.close();
  await world.close();
});

const post = (type: string) => ({ method: "POST", path: new RegExp(`^${collectionPath(type)}$`) });

async function lag(lags: object): Promise<void> {
  await fetch(`${world.simulator.controlUrl}/lag`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(lags),
  });
}

async function held(type: string): Promise<WireObject[]> {
  const objects = await world.objects(type);
  return objects.filter(({ name }) => /^(x|mine)/.test(name));
}

async function heldIds(type: string): Promise<string[]> {
  return (await held(type)).map(({ id }) => id).sort();
}

/** A run through the proxy. */
function run(config: Readonly<Record<string, string>> = {}): TestRun {
  return world.run({ baseUrl: proxy.url, costQuotes: "false", ...config }, { journal });
}

type Made = Awaited<ReturnType<World["create"]>>;
const make = (type: string, through = run(), args: object = {}): Promise<Made> =>
  world.create(type, { ...argsOf(type, world.simulator), ...args }, { run: through });

async function failureOf(doing: Promise<unknown>): Promise<Error & { readonly code?: string }> {
  return doing.then(
    () => Promise.reject(new Error("it did not fail")),
    (error: unknown) => (error as Error).cause as Error,
  );
}

/** A key like the owner's, but for the audit log. */
/** What no key can edit, the audit log among it. */
const READ_ONLY: readonly string[] = ["audit_log", "organization", "usage"];

async function keyWithoutAudit(): Promise<string> {
  const { key } = await world.api("POST", "/v1/api_keys", {
    name: "deployer",
    expires_at: "2026-12-31T00:00:00Z",
    project_ids: [world.simulator.projectId],
    permissions: API_KEY_RESOURCE_TYPES.filter((type) => !READ_ONLY.includes(type)).map((type) => ({
      resource_type: type,
      permission: "edit",
    })),
  });
  return String(key);
}

it("when something is created, its request says its token, which stands in the journal before it is sent", async () => {
  let written: string | undefined;
  proxy.on(post("FirewallRule"), async (request, forward) => {
    written = journal.entries.at(-1)?.token;
    expect(request.headers["user-agent"]).toBe(`pulumi-cloudinfra/0.0.0 (${String(written)})`);
    return forward();
  });
  await make("FirewallRule");
  await make("FirewallRule", run(), { name: "mine", tags: ["another"] });
  expect(written).toMatch(/^[0-9a-f]{32}$/);
  expect(proxy.count(post("FirewallRule"))).toBe(2);
});

// A key is limited to projects, so it does not see a project that it has made and heard nothing of: docs/limits.md.
const seen = types.filter((type) => type !== "Project");

describe.each(seen)("when the key may not read the audit log, and the answer to a creation of %s is lost", (type) => {
  it("nothing is touched, and the error says how to go on", async () => {
    const apiKey = await keyWithoutAudit();
    proxy.on(post(type), dropAfter);
    const error = await failureOf(make(type, run({ apiKey })));
    const [made] = await held(type);
    expect(error.code).toBe("LOST_CREATION");
    expect(error.message).toContain(`adopt: "${String(made?.id)}"`);
    expect(error.message).toContain("audit_log:read");
    expect(error.message).toContain(`cloudinfra doctor --forget ${String(journal.entries[0]?.key)}`);
    proxy.clear();
    expect((await failureOf(make(type, run({ apiKey })))).message).toContain(made?.id);
    expect(await heldIds(type)).toEqual([made?.id]);
    const { id } = await make(type); // with a key that may
    expect(await heldIds(type)).toEqual([id]);
    expect(id === made?.id).toBe(type !== "ApiKey");
  });

  it("and a person deletes what is named, the next run makes it anew", async () => {
    const apiKey = await keyWithoutAudit();
    proxy.on(post(type), dropAfter);
    await failureOf(make(type, run({ apiKey })));
    const [made] = await held(type);
    const path = collectionOf(type, world.simulator);
    await world.api("DELETE", `${path}/${String(made?.id)}`);
    world.clock.advance(10_000);
    proxy.clear();
    const { id } = await make(type, run({ apiKey }));
    expect(await heldIds(type)).toEqual([id]);
  });

  it("and it made nothing, the next run makes it, and leaves the entry open", async () => {
    const apiKey = await keyWithoutAudit();
    proxy.on(post(type), dropBefore);
    const error = await failureOf(make(type, run({ apiKey })));
    expect(error.message).toContain("The API has no such object");
    proxy.clear();
    const { id } = await make(type, run({ apiKey }));
    expect(await heldIds(type)).toEqual([id]);
    expect(journal.entries).toMatchObject([{ isSuperseded: true }, { id }]);
  });
});

it("when the key may not read the audit log, and the VPC of a lost rule is gone, the error says that there is none", async () => {
  const apiKey = await keyWithoutAudit();
  proxy.on(post("FirewallRule"), dropAfter);
  const refusal = { type: "NOT_FOUND_ERROR", message: "vpc not found", request_id: "x", context: { parameters: {} } };
  const gone = { ...refusal, timestamp: new Date(world.clock.now()).toISOString() };
  proxy.on({ method: "GET", path: /\/firewall_rules$/ }, answer(404, gone));
  const error = await failureOf(make("FirewallRule", run({ apiKey })));
  expect(error).toMatchObject({
    code: "LOST_CREATION",
    message: expect.stringContaining("The API has no such object.") as string,
  });
});

it("when others have the name of what a run has made, they are named without it, in whichever case ids are written", () => {
  const candidates = [{ id: "0AB" }, { id: "0cd" }, { id: "0EF" }];
  expect(othersText(candidates, ["0ab"])).toBe(" The API has 0cd and 0EF of the same name: if it is yours, delete it.");
  expect(othersText(candidates, ["0ab", "0CD", "0EF"])).toBe("");
});

describe("when a file alone says which object is ours, since the key may not read the audit log", () => {
  it("and it is a key, it is named, not deleted", async () => {
    const apiKey = await keyWithoutAudit();
    const { id } = await make("ApiKey", run({ apiKey })); // and the engine dies before it has saved the answer
    const error = await failureOf(make("ApiKey", run({ apiKey })));
    expect(error.message).toContain(id);
    expect(await heldIds("ApiKey")).toEqual([id]);
  });

  it("and it is a rule as the program says, it is taken over", async () => {
    const apiKey = await keyWithoutAudit();
    const { id } = await make("FirewallRule", run({ apiKey }));
    expect((await make("FirewallRule", run({ apiKey }))).id).toBe(id);
  });
});

it.each(types)("when the id in an entry is somebody else's, by forgery or damage, theirs stays: %s", async (type) => {
  const foreign = await make(type, world.run({ costQuotes: "false" }), { name: "mine" });
  const ours = await make(type);
  await journal.write({ ...journal.entries[0]!, id: foreign.id });
  const { id } = await make(type);
  expect(await heldIds(type)).toEqual([foreign.id, id].sort());
  expect(id === ours.id).toBe(type !== "ApiKey"); // which the log knew
});

describe.each(types)("when the audit log is late, and the answer to a creation of %s is lost", (type) => {
  it("a few seconds are waited for, and the run succeeds", async () => {
    await lag({ audit: "5s", lists: "15s", reads: "3s" });
    proxy.on({ ...post(type), nth: 1 }, dropAfter);
    const { id } = await make(type);
    expect(await heldIds(type)).toEqual([id]);
  });

  it("half a minute is too long for this run, and the next run takes it over", async () => {
    await lag({ audit: "30s" });
    proxy.on({ ...post(type), nth: 1 }, dropAfter);
    const error = await failureOf(make(type));
    const [made] = await heldIds(type);
    expect(error.code).toBe("LOST_CREATION");
    expect(journal.entries).toHaveLength(1);
    await lag({});
    const { id } = await make(type);
    expect(await heldIds(type)).toEqual([id]);
    expect(id === made).toBe(type !== "ApiKey");
  });
});

it.each(types)(
  "when the network delivers a creation of %s twice and loses the answer, the twin is deleted and named",
  async (type) => {
    proxy.on({ ...post(type), nth: 1 }, dropAfter).on({ ...post(type), nth: 1 }, repeat);
    const through = run();
    const { id } = await make(type, through);
    expect(await heldIds(type)).toEqual([id]);
    const warnings = through.lines.filter(({ severity }) => severity === "warning").map(({ text }) => text);
    expect(warnings).toEqual([expect.stringContaining("delivered the creation 2 times")]);
  },
);

it.each(types)(
  "when the service's clock and its dates are apart, what was made is found all the same: %s",
  async (type) => {
    proxy.on({}, skewDate(240_000)).on({ ...post(type), nth: 1 }, dropAfter);
    const { id } = await make(type);
    expect(await heldIds(type)).toEqual([id]);
  },
);

describe("when the audit log does not say what its requests have made", () => {
  it("the object that no other entry explains is ours", async () => {
    proxy.on(AUDIT_LOGS, withoutTargets).on(post("FirewallRule"), answerAfter(502));
    const { id } = await make("FirewallRule");
    expect(await heldIds("FirewallRule")).toEqual([id]);
  });

  it("and ours was deleted before the next run, somebody else's of that name is named and not touched", async () => {
    proxy.on(AUDIT_LOGS, withoutTargets).on(post("FirewallRule"), dropAfter);
    const foreign = await make("FirewallRule", world.run({ costQuotes: "false" }));
    await failureOf(make("FirewallRule"));
    const ours = (await heldIds("FirewallRule")).find((id) => id !== foreign.id);
    const rules = `/v1/networking/vpcs/${world.simulator.vpcId}/firewall_rules`;
    await world.api("DELETE", `${rules}/${String(ours)}`);
    world.clock.advance(60_000);
    const error = await failureOf(make("FirewallRule", run(), { tags: ["changed"] }));
    expect(error.code).toBe("LOST_CREATION");
    expect(error.message).toContain(foreign.id);
    expect(await heldIds("FirewallRule")).toEqual([foreign.id]);
  });

  it("and two could be it, both are named and none is touched", async () => {
    const foreign = await make("FirewallRule", world.run({ costQuotes: "false" }));
    proxy.on(AUDIT_LOGS, withoutTargets).on(post("FirewallRule"), dropAfter);
    const error = await failureOf(make("FirewallRule"));
    const ids = await heldIds("FirewallRule");
    expect(ids).toHaveLength(2);
    expect(ids).toContain(foreign.id);
    for (const id of ids) expect(error.message).toContain(id);
  });

  it.each(types)("and the list shows only somebody else's yet, that is not touched: %s", async (type) => {
    const foreign = await make(type, world.run({ costQuotes: "false" }));
    await world.lag({ lists: "60s" });
    world.clock.advance(61_000);
    proxy.on(AUDIT_LOGS, withoutTargets).on(post(type), dropAfter);
    const error = await failureOf(make(type));
    expect(error.message).toContain(foreign.id);
    expect(error.message).toContain("Nothing was touched");
    expect(await heldIds(type)).toContain(foreign.id);
    expect(await heldIds(type)).toHaveLength(2);
  });
});

it("when the service does not audit creations, what could be ours is named and not touched", async () => {
  proxy
    .on(
      AUDIT_LOGS,
      auditLogsOnly(() => false),
    )
    .on(post("FirewallRule"), dropAfter);
  const error = await failureOf(make("FirewallRule"));
  const [id] = await heldIds("FirewallRule");
  expect(error.message).toContain(id);
  expect(error.message).toContain("The audit log does not show the request");
  expect(await heldIds("FirewallRule")).toEqual([id]);
});

it("when another run of the stack is creating the resource, the creation fails and names the process, and nothing is taken", async () => {
  const { id } = await make("FirewallRule");
  const other = { pid: process.ppid, space: thisProcess().space };
  expect(runsElsewhere(other)).toBe(true);
  await journal.write({ ...journal.entries[0]!, sender: other });
  const through = run();
  const error = await failureOf(make("FirewallRule", through));
  expect(error.code).toBe("CREATION_UNDER_WAY");
  expect(error.message).toContain(`process ${process.ppid}`);
  expect(through.lines).toEqual([]);
  expect(await heldIds("FirewallRule")).toEqual([id]);
  await journal.write({ ...journal.entries[0]!, sender: { ...other, startedAt: "1" } }); // which has ended since
  expect((await make("FirewallRule")).id).toBe(id);
});

describe("when a process is creating the resource that cannot be seen from here, as in another container", () => {
  const elsewhere = { pid: 7, startedAt: "1", space: "the same boot/pid:[1]" };
  const touched = (agoMs: number): string => new Date(world.clock.now() - agoMs).toISOString();

  it("and it runs, the creation fails after a while and names it, and nothing is taken", async () => {
    const { id } = await make("FirewallRule");
    const [entry] = journal.entries;
    const others: Journal = {
      ...noJournal,
      of: () =>
        Promise.resolve({ entries: [{ ...entry!, sender: elsewhere, touchedAt: touched(14_000) }], unreadable: [] }),
    };
    const through = world.run({ baseUrl: proxy.url, costQuotes: "false" }, { journal: others });
    const error = await failureOf(make("FirewallRule", through));
    expect(error.code).toBe("CREATION_UNDER_WAY");
    expect(error.message).toContain("process 7");
    expect(through.lines).toEqual([]);
    expect(await heldIds("FirewallRule")).toEqual([id]);
  });

  it("and it was killed a moment ago, its end is waited for, and what it made is taken over", async () => {
    const { id } = await make("FirewallRule");
    await journal.write({ ...journal.entries[0]!, sender: elsewhere, touchedAt: touched(10_000) });
    const startedAt = world.clock.now();
    expect((await make("FirewallRule")).id).toBe(id);
    expect(world.clock.now() - startedAt).toBeGreaterThanOrEqual(50_000);
  });

  it("and it has ended in good order, nobody waits", async () => {
    await make("FirewallRule");
    await journal.write({ ...journal.entries[0]!, sender: elsewhere, touchedAt: touched(0), isHandedOver: true });
    const startedAt = world.clock.now();
    await make("FirewallRule");
    expect(world.clock.now() - startedAt).toBeLessThan(10_000);
  });
});

it("when 40 creations were cut off, the next run reads the audit log once for all of them", async () => {
  proxy.on(post("FirewallRule"), dropBefore);
  const names = Array.from({ length: 40 }, (_, nth) => `x${nth}`);
  const all = (through: TestRun): Promise<unknown[]> =>
    Promise.allSettled(
      names.map((name) =>
        world.create("FirewallRule", argsOf("FirewallRule", world.simulator), { name, run: through }),
      ),
    );
  await all(run());
  proxy.clear();
  world.clock.advance(60_000);
  const before = proxy.count(AUDIT_LOGS);
  await all(run());
  expect(proxy.count(AUDIT_LOGS) - before).toBe(1);
  expect(await held("FirewallRule")).toHaveLength(40);
});

it("when nothing was ever interrupted, no run reads the audit log", async () => {
  const before = proxy.count(AUDIT_LOGS);
  const { id, inputs, outs, lifecycle } = await make("FirewallRule");
  await lifecycle.read(id, plain(outs) as Record<string, unknown>);
  const next = run();
  await next
    .of("FirewallRule")
    .check(inputs, sent("FirewallRule", "x", argsOf("FirewallRule", world.simulator), false));
  await next.of("FirewallRule").diff(id, outs, inputs);
  expect(proxy.count(AUDIT_LOGS) - before).toBe(0);
});

it("when the service's clock jumps by hours while the answer is lost, that is no proof that nothing was made", async () => {
  const type = "FirewallRule";
  proxy.on({ ...post(type), nth: 1 }, async (request, forward) => {
    await fetch(`${world.simulator.controlUrl}/clock`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ advance: "2h" }),
    });
    return dropBefore(request, forward);
  });
  const error = await failureOf(make(type));
  expect(error.code).toBe("LOST_CREATION");
  expect(journal.entries).toHaveLength(1);
  const { id } = await make(type);
  expect(await heldIds(type)).toEqual([id]);
  expect(journal.entries).toMatchObject([{ isSuperseded: true }, { id }]);
});

it("when this machine's clock jumps by an hour while the answer is lost, that is no proof that nothing was made", async () => {
  const type = "FirewallRule";
  const { clock, simulator } = world;
  let aheadMs = 0;
  proxy.on({ ...post(type), nth: 1 }, (request, forward) => {
    aheadMs = 3_600_000;
    return dropBefore(request, forward);
  });
  const { apiKey, projectId, region } = simulator;
  const jumping = startRun(
    { baseUrl: proxy.url, apiKey, projectId, region },
    { now: () => clock.now() + aheadMs, sleep: (ms, signal) => clock.sleep(ms, signal) },
    { journal },
  );
  expect((await failureOf(make(type, jumping))).code).toBe("LOST_CREATION");
  expect(journal.entries).toHaveLength(1);
});

it("when nothing but a file says which object is ours, and that is not there, another of its name is told of", async () => {
  const apiKey = await keyWithoutAudit();
  const { id: first } = await make("FirewallRule", run({ apiKey }));
  await journal.write({ ...journal.entries[0]!, id: "00000000-0000-4000-8000-0000000000ff" });
  world.clock.advance(120_000);
  const through = run({ apiKey });
  const { id } = await make("FirewallRule", through);
  expect(await heldIds("FirewallRule")).toEqual([first, id].sort());
  const warnings = through.lines.filter(({ severity }) => severity === "warning").map(({ text }) => text);
  expect(warnings).toContainEqual(expect.stringContaining(first));
});
