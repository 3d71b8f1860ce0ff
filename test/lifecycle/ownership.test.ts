import { API_KEY_RESOURCE_TYPE } from "../../src/resources/api-key-permission";
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
  rewrite,
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

/** The body of the API's own refusals. */
function refusal(): Record<string, unknown> {
  const timestamp = new Date(world.clock.now()).toISOString();
  return { type: "BAD_REQUEST", message: "no", request_id: "x", context: { parameters: {} }, timestamp };
}

/** A run through the proxy. */
function run(config: Readonly<Record<string, string>> = {}): TestRun {
  return world.run({ baseUrl: proxy.url, costQuotes: "false", ...config }, { journal });
}

type Made = Awaited<ReturnType<World["create"]>>;
const make = (type: string, through = run(), args: object = {}): Promise<Made> =>
  world.create(type, { ...argsOf(type, world.simulator), ...args }, { run: through });

/** A creation whose process is killed before it tells the engine of the object. */
async function makeUntold(type: string, through = run(), args: object = {}): Promise<Made> {
  const made = await make(type, through, args);
  await journal.untell();
  return made;
}

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
    permissions: API_KEY_RESOURCE_TYPE.values
      .filter((type) => !READ_ONLY.includes(type))
      .map((type) => ({
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
    const through = run(); // with a key that may
    const { id } = await make(type, through);
    expect(await heldIds(type)).toEqual([...new Set([made!.id, id])].sort());
    expect(id === made?.id).toBe(type !== "ApiKey");
    expect(through.lines.map(({ text }) => text).join()).toContain(made!.id);
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
    const next = run({ apiKey });
    const { id } = await make(type, next);
    expect(await heldIds(type)).toEqual([id]);
    const said = `no run notices: look for one named ${JSON.stringify(made?.name)}`;
    expect(next.lines.map(({ text }) => text).join()).toContain(said);
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

it("keeps the entry of a 409 while no log can be read and lists are late", async () => {
  const apiKey = await keyWithoutAudit();
  const conflict = { type: "CONFLICT_ERROR", message: "quota exceeded", request_id: "x", context: { parameters: {} } };
  const refusal = answer(409, { ...conflict, timestamp: new Date(world.clock.now()).toISOString() });
  // The network delivers it twice: the first delivery uses up the quota, and the second answer comes.
  proxy.on(post("Volume"), async (request, forward) => {
    await forward();
    return refusal(request, forward);
  });
  await lag({ lists: "15s" });
  const error = await failureOf(make("Volume", run({ apiKey })));
  expect(error).toMatchObject({ code: "LOST_CREATION", message: expect.stringContaining("quota exceeded") as string });
  proxy.clear();
  world.clock.advance(20_000);
  const [made] = await held("Volume");
  expect((await failureOf(make("Volume", run({ apiKey })))).message).toContain(`It may have made ${made?.id}`);
});

it("when the key may not read the audit log, and lists are late, a run waits for them before it makes another", async () => {
  const apiKey = await keyWithoutAudit();
  await lag({ lists: "15s" });
  const { id } = await make("Volume", run({ apiKey }));
  await journal.untell({ isAnswered: false });
  expect((await failureOf(make("Volume", run({ apiKey })))).message).toContain(`It may have made ${id}`);
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

describe("when a file alone says which object is ours, since the key may not read the audit log", () => {
  it("and it is a key, it is named, not deleted, and another one is made", async () => {
    const apiKey = await keyWithoutAudit();
    const { id } = await makeUntold("ApiKey", run({ apiKey }));
    const through = run({ apiKey });
    const other = await make("ApiKey", through);
    expect(through.lines.map(({ text }) => text).join()).toContain(`It had made ${id}, whose secret is lost`);
    expect(await heldIds("ApiKey")).toEqual([id, other.id].sort());
  });

  it("and it is a rule as the program says, it is taken over", async () => {
    const apiKey = await keyWithoutAudit();
    const { id } = await makeUntold("FirewallRule", run({ apiKey }));
    expect((await make("FirewallRule", run({ apiKey }))).id).toBe(id);
  });
});

it.each(types)("when the id in an entry is somebody else's, by forgery or damage, theirs stays: %s", async (type) => {
  const foreign = await make(type, world.run({ costQuotes: "false" }), { name: "mine" });
  const ours = await makeUntold(type);
  await journal.write({ ...journal.entries[0]!, id: foreign.id });
  const { id } = await make(type);
  expect(await heldIds(type)).toEqual([...new Set([foreign.id, ours.id, id])].sort());
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
    expect(await heldIds(type)).toEqual([...new Set([made, id])].sort());
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
  it("an object of the name is named and not touched", async () => {
    proxy.on(AUDIT_LOGS, withoutTargets).on(post("FirewallRule"), answerAfter(502));
    const error = await failureOf(make("FirewallRule"));
    const [id] = await heldIds("FirewallRule");
    expect(error.message).toContain(`adopt: "${String(id)}"`);
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

describe("when a creation is delivered twice, the second is refused for the used-up quota, and the log has only that", () => {
  beforeEach(() => {
    proxy.on(post("Volume"), repeat);
  });

  it("the object is taken when the log shows the first one", async () => {
    const shownAt = world.clock.now() + 5_000;
    proxy.on(
      AUDIT_LOGS,
      auditLogsOnly((log) => world.clock.now() > shownAt || log["status_code"] === 409),
    );
    const { id } = await make("Volume", run(), { size: 6_000 });
    expect(await heldIds("Volume")).toEqual([id]);
  });

  it("and never the first one, the object is named, and the entry stays", async () => {
    proxy.on(
      AUDIT_LOGS,
      auditLogsOnly((log) => log["status_code"] === 409),
    );
    const error = await failureOf(make("Volume", run(), { size: 6_000 }));
    const [id] = await heldIds("Volume");
    expect(error.code).toBe("LOST_CREATION");
    expect(error.message).toContain(id);
    expect(journal.entries).toHaveLength(1);
  });
});

describe.each([400, 403, 422])("when a creation is delivered twice, and the second answer is %i", (status) => {
  it.each(types)("the object of the first is the only one in the state: %s", async (type) => {
    proxy.on({ ...post(type), nth: 1 }, answerAfter(status));
    const { id } = await make(type);
    expect(await heldIds(type)).toEqual([id]);
    expect(journal.entries).toMatchObject([{ id, isHandedOver: true }]);
  });

  it("it is refused if the log may not be read, and there is no such object", async () => {
    proxy.on(post("Volume"), answer(status, refusal())).on(AUDIT_LOGS, answer(403));
    expect((await failureOf(make("Volume"))).message).toContain(`was answered ${status}`);
    expect(journal.entries).toEqual([]);
  });

  it("it is refused if the log does not show it yet, and a later run looks again, without a word", async () => {
    proxy.on({ ...post("Volume"), nth: 1 }, answer(status, refusal()));
    expect((await failureOf(make("Volume"))).message).toContain(`was answered ${status}`);
    expect(journal.entries).toMatchObject([{ isSuperseded: true }]);
    const next = run();
    const { id } = await make("Volume", next);
    expect(next.lines.filter(({ severity }) => severity !== "passing")).toEqual([]);
    expect(await heldIds("Volume")).toEqual([id]);
  });

  it("its object is named by a later run if the log shows it then", async () => {
    await world.lag({ audit: "60s", lists: "60s" });
    proxy.on({ ...post("Volume"), nth: 1 }, answerAfter(status));
    await failureOf(make("Volume"));
    const [lost = ""] = await heldIds("Volume");
    world.clock.advance(60_000);
    const next = run();
    await make("Volume", next);
    expect(next.lines.map(({ text }) => text).join("\n")).toContain(lost);
  });
});

it("when the answer to a creation has the id of another object of the run, the audit log shows its own", async () => {
  const through = run();
  const first = await make("FirewallRule", through);
  proxy.on(
    post("FirewallRule"),
    rewrite((body) => ({ ...body, resource_id: first.id })),
  );
  const second = await make("FirewallRule", through);
  expect(await heldIds("FirewallRule")).toEqual([first.id, second.id].sort());
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

it("when another run of the stack is creating the resource, the creation fails, and nothing is taken", async () => {
  const { id } = await makeUntold("FirewallRule");
  const other = { pid: process.ppid, space: thisProcess().space };
  expect(runsElsewhere(other)).toBe(true);
  await journal.write({ ...journal.entries[0]!, sender: other });
  const through = run();
  const error = await failureOf(make("FirewallRule", through));
  expect(error.code).toBe("CREATION_UNDER_WAY");
  expect(error.message).not.toContain(String(process.ppid)); // the number alone does not prove that it is that process
  expect(through.lines).toEqual([]);
  expect(await heldIds("FirewallRule")).toEqual([id]);
  await journal.write({ ...journal.entries[0]!, sender: { ...other, startedAt: "1" } }); // which has ended since
  expect((await make("FirewallRule")).id).toBe(id);
});

describe("when a process is creating the resource that cannot be seen from here, as in another container", () => {
  const elsewhere = { pid: 7, startedAt: "1", space: "the same boot/pid:[1]" };
  const touched = (agoMs: number): string => new Date(world.clock.now() - agoMs).toISOString();

  it.each([14_000, -14_000])("and it runs, the creation fails; age %i ms", async (ageMs) => {
    const { id } = await makeUntold("FirewallRule");
    const [entry] = journal.entries;
    const others: Journal = {
      ...noJournal,
      all: () =>
        Promise.resolve({ entries: [{ ...entry!, sender: elsewhere, touchedAt: touched(ageMs) }], unreadable: [] }),
    };
    const through = world.run({ baseUrl: proxy.url, costQuotes: "false" }, { journal: others });
    const error = await failureOf(make("FirewallRule", through));
    expect(error.code).toBe("CREATION_UNDER_WAY");
    expect(error.message).toContain("Wait for that run. Then run again.");
    expect(through.lines).toEqual([]);
    expect(await heldIds("FirewallRule")).toEqual([id]);
  });

  it("and it was killed a moment ago, its end is waited for, and what it made is taken over", async () => {
    const { id } = await makeUntold("FirewallRule");
    await journal.write({ ...journal.entries[0]!, sender: elsewhere, touchedAt: touched(10_000) });
    const startedAt = world.clock.now();
    expect((await make("FirewallRule")).id).toBe(id);
    expect(world.clock.now() - startedAt).toBeGreaterThanOrEqual(50_000);
  });

  it("and its file is from the future, it counts as ended", async () => {
    const { id } = await makeUntold("FirewallRule");
    await journal.write({ ...journal.entries[0]!, sender: elsewhere, touchedAt: touched(-3_600_000) });
    const startedAt = world.clock.now();
    expect((await make("FirewallRule")).id).toBe(id);
    expect(world.clock.now() - startedAt).toBeLessThan(10_000);
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
