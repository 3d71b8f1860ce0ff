import { failureOf, type Failure } from "../support/failure-of";
import { API_KEY_RESOURCE_TYPE } from "../../src/resources/api-key-permission";
import { noJournal, type Journal } from "../../src/journal/journal";
import { runsElsewhere, thisProcess, type ProcessIdentity } from "../../src/process/process-identity";
import { isNamedByCredentials, madeTypes, takenOver, withTwins } from "../kinds";
import { sent, startRun, urnOf, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { MiniStack } from "../support/mini-engine";
import { plain } from "../support/mini-state";
import {
  answer,
  answerAfter,
  auditLogsOnly,
  before,
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

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);
const journal = MemoryJournal.forSuite();

const post = (type: string) => ({ method: "POST", path: new RegExp(`^${collectionPath(type)}$`) });

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

type Creation = Awaited<ReturnType<World["create"]>>;
const make = (type: string, through = run(), args: object = {}): Promise<Creation> =>
  world.create(type, { ...argsOf(type, world.simulator), ...args }, { run: through });

/** A creation whose process is killed before it tells the engine of the object. */
async function makeUnreported(type: string, through = run(), args: object = {}): Promise<Creation> {
  const made = await make(type, through, args);
  await journal.undoHandOver();
  return made;
}

/** The cause of the shown error. */
const causeOf = async (promise: Promise<unknown>): Promise<Failure> => (await failureOf(promise)).cause as Failure;

/** The types that no key can edit. The audit log is one. */
const READ_ONLY: readonly string[] = ["audit_log", "organization", "usage"];

/** A key like the owner's, but for the audit log. */
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

it("a creation carries a token that the journal has", async () => {
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

// A key does not see an object that it does not reach, and heard nothing of: docs/limits.md.
const withAuditedTwins = withTwins.filter((type) => !isNamedByCredentials(type));

describe.each(withAuditedTwins)("without an audit log, a lost answer to a creation of %s", (type) => {
  it("touches nothing, and says how to continue", async () => {
    const apiKey = await keyWithoutAudit();
    proxy.on(post(type), dropAfter);
    const error = await causeOf(make(type, run({ apiKey })));
    const [made] = await held(type);
    expect(error.code).toBe("LOST_CREATION");
    expect(error.message).toContain(`adopt: "${String(made?.id)}"`);
    expect(error.message).toContain("audit_log:read");
    expect(error.message).toContain(`cloudinfra doctor --forget ${String(journal.entries[0]?.key)}`);
    proxy.clear();
    expect((await causeOf(make(type, run({ apiKey })))).message).toContain(made?.id);
    expect(await heldIds(type)).toEqual([made?.id]);
    const through = run(); // with a key that may
    const { id } = await make(type, through);
    expect(await heldIds(type)).toEqual([...new Set([made!.id, id])].sort());
    expect(id === made?.id).toBe(takenOver.includes(type));
    expect(through.texts().join()).toContain(made!.id);
  });

  it("makes it again if a person deletes the named object", async () => {
    const apiKey = await keyWithoutAudit();
    proxy.on(post(type), dropAfter);
    await causeOf(make(type, run({ apiKey })));
    const [made] = await held(type);
    const path = collectionOf(type, world.simulator);
    await world.api("DELETE", `${path}/${String(made?.id)}`);
    world.clock.advance(10_000);
    proxy.clear();
    const next = run({ apiKey });
    const { id } = await make(type, next);
    expect(await heldIds(type)).toEqual([id]);
    const message = `no run notices: look for one named ${JSON.stringify(made?.name)}`;
    expect(next.texts().join()).toContain(message);
  });

  it("makes it again if nothing was made", async () => {
    const apiKey = await keyWithoutAudit();
    proxy.on(post(type), dropBefore);
    const error = await causeOf(make(type, run({ apiKey })));
    expect(error.message).toContain("The API shows no ");
    proxy.clear();
    const { id } = await make(type, run({ apiKey }));
    expect(await heldIds(type)).toEqual([id]);
    expect(journal.entries).toMatchObject([{ isSuperseded: true }, { id }]);
  });
});

it("keeps the entry of a 409 while nothing is provable", async () => {
  const apiKey = await keyWithoutAudit();
  const conflict = { type: "CONFLICT_ERROR", message: "quota exceeded", request_id: "x", context: { parameters: {} } };
  const refusal = answer(409, { ...conflict, timestamp: new Date(world.clock.now()).toISOString() });
  // The network delivers it twice: the first delivery uses up the quota, and the second answer comes.
  proxy.on(post("Volume"), async (request, forward) => {
    await forward();
    return refusal(request, forward);
  });
  await world.lag({ lists: "15s" });
  const error = await causeOf(make("Volume", run({ apiKey })));
  expect(error).toMatchObject({ code: "LOST_CREATION", message: expect.stringContaining("quota exceeded") as string });
  proxy.clear();
  world.clock.advance(20_000);
  const [made] = await held("Volume");
  expect((await causeOf(make("Volume", run({ apiKey })))).message).toContain(`It may have made ${made?.id}`);
});

it("waits for late lists before another creation, without a log", async () => {
  const apiKey = await keyWithoutAudit();
  await world.lag({ lists: "15s" });
  const { id } = await make("Volume", run({ apiKey }));
  await journal.undoHandOver({ isAnswered: false });
  expect((await causeOf(make("Volume", run({ apiKey })))).message).toContain(`It may have made ${id}`);
});

it("says that a deleted VPC has no rule", async () => {
  const apiKey = await keyWithoutAudit();
  proxy.on(post("FirewallRule"), dropAfter);
  const refusal = { type: "NOT_FOUND_ERROR", message: "vpc not found", request_id: "x", context: { parameters: {} } };
  const deletedTarget = { ...refusal, timestamp: new Date(world.clock.now()).toISOString() };
  proxy.on({ method: "GET", path: /\/firewall_rules$/ }, answer(404, deletedTarget));
  const error = await causeOf(make("FirewallRule", run({ apiKey })));
  expect(error).toMatchObject({
    code: "LOST_CREATION",
    message: expect.stringContaining("The API shows no ") as string,
  });
});

describe("without an audit log, an entry with an id", () => {
  it("names a key, and makes another", async () => {
    const apiKey = await keyWithoutAudit();
    const { id } = await makeUnreported("ApiKey", run({ apiKey }));
    const through = run({ apiKey });
    const other = await make("ApiKey", through);
    expect(through.texts().join()).toContain(`It had made ${id}, whose secret is lost`);
    expect(await heldIds("ApiKey")).toEqual([id, other.id].sort());
  });

  it("takes a rule over", async () => {
    const apiKey = await keyWithoutAudit();
    const { id } = await makeUnreported("FirewallRule", run({ apiKey }));
    expect((await make("FirewallRule", run({ apiKey }))).id).toBe(id);
  });
});

it.each(withTwins)("does not touch another %s whose id the entry has", async (type) => {
  const foreign = await make(type, world.run({ costQuotes: "false" }), { name: "mine" });
  const ours = await makeUnreported(type);
  await journal.write({ ...journal.entries[0]!, id: foreign.id });
  const { id } = await make(type);
  expect(await heldIds(type)).toEqual([...new Set([foreign.id, ours.id, id])].sort());
  expect(id === ours.id).toBe(takenOver.includes(type)); // which the log knew
});

describe.each(withTwins)("with a late audit log, a lost answer to a creation of %s", (type) => {
  it("waits some seconds, and succeeds", async () => {
    await world.lag({ audit: "5s", lists: "15s", reads: "3s" });
    proxy.on({ ...post(type), nth: 1 }, dropAfter);
    const { id } = await make(type);
    expect(await heldIds(type)).toEqual([id]);
  });

  it("leaves it to the next run after half a minute", async () => {
    await world.lag({ audit: "30s" });
    proxy.on({ ...post(type), nth: 1 }, dropAfter);
    const error = await causeOf(make(type));
    const [made] = await heldIds(type);
    expect(error.code).toBe("LOST_CREATION");
    expect(journal.entries).toHaveLength(1);
    await world.lag({});
    const { id } = await make(type);
    expect(await heldIds(type)).toEqual([...new Set([made, id])].sort());
    expect(id === made).toBe(takenOver.includes(type));
  });
});

it.each(withTwins)("deletes and names the twin of a %s delivered twice", async (type) => {
  proxy.on({ ...post(type), nth: 1 }, dropAfter).on({ ...post(type), nth: 1 }, repeat);
  const through = run();
  const { id } = await make(type, through);
  expect(await heldIds(type)).toEqual([id]);
  const warnings = through.warnings();
  expect(warnings).toEqual([expect.stringContaining("delivered the creation 2 times")]);
});

it.each(types)("finds a %s if the service's dates are wrong", async (type) => {
  proxy.on({}, skewDate(240_000)).on({ ...post(type), nth: 1 }, dropAfter);
  const { id } = await make(type);
  expect(await heldIds(type)).toEqual([id]);
});

it.each(takenOver)("takes up a %s whose entry is dated ahead", async (type) => {
  proxy.on(post(type), dropAfter).on(AUDIT_LOGS, dropBefore);
  await failureOf(make(type));
  const [entry] = journal.entries;
  const ahead = new Date(world.clock.now() + 30 * 86_400_000).toISOString();
  await journal.write({ ...entry!, sentAt: ahead, sentHereAt: ahead });
  proxy.clear();
  world.clock.advance(7_200_000);
  for (const name of ["later", "last"]) await make("FirewallRule", world.run(), { name });
  const { id } = await make(type);
  expect(await heldIds(type)).toEqual([id]);
});

describe("a month after a creation that was refused with its effect", () => {
  const lost = async (): Promise<WireObject> => (await world.made("Volume"))[0]!;
  beforeEach(async () => {
    await world.lag({ lists: "2h", audit: "60s" });
    proxy.on({ ...post("Volume"), nth: 1 }, answerAfter(422));
    await failureOf(make("Volume"));
    world.clock.advance(31 * 86_400_000);
  });

  it("names its object", async () => {
    const next = run();
    await make("FirewallRule", next);
    expect(next.warnings()).toEqual([expect.stringContaining(`in stack test/dev is ${(await lost()).id}`)]);
  });

  it("names the object once if the log is unreadable", async () => {
    proxy.on(AUDIT_LOGS, answer(403, refusal()));
    const [next, later] = [run(), run()];
    await make("FirewallRule", next);
    expect(next.warnings()).toEqual([expect.stringContaining(`named ${JSON.stringify((await lost()).name)}`)]);
    await make("Vpc", later);
    expect(later.warnings()).toEqual([]);
  });
});

describe("with an audit log without targets", () => {
  it("names an object of the name", async () => {
    proxy.on(AUDIT_LOGS, withoutTargets).on(post("FirewallRule"), answerAfter(502));
    const error = await causeOf(make("FirewallRule"));
    const [id] = await heldIds("FirewallRule");
    expect(error.message).toContain(`adopt: "${String(id)}"`);
    expect(await heldIds("FirewallRule")).toEqual([id]);
  });

  it("names somebody else's object of the name", async () => {
    proxy.on(AUDIT_LOGS, withoutTargets).on(post("FirewallRule"), dropAfter);
    const foreign = await make("FirewallRule", world.run({ costQuotes: "false" }));
    await causeOf(make("FirewallRule"));
    const ours = (await heldIds("FirewallRule")).find((id) => id !== foreign.id);
    const rules = `/v1/networking/vpcs/${world.simulator.vpcId}/firewall_rules`;
    await world.api("DELETE", `${rules}/${String(ours)}`);
    world.clock.advance(60_000);
    const error = await causeOf(make("FirewallRule", run(), { tags: ["changed"] }));
    expect(error.code).toBe("LOST_CREATION");
    expect(error.message).toContain(foreign.id);
    expect(await heldIds("FirewallRule")).toEqual([foreign.id]);
  });

  it("names two objects of the name", async () => {
    const foreign = await make("FirewallRule", world.run({ costQuotes: "false" }));
    proxy.on(AUDIT_LOGS, withoutTargets).on(post("FirewallRule"), dropAfter);
    const error = await causeOf(make("FirewallRule"));
    const ids = await heldIds("FirewallRule");
    expect(ids).toHaveLength(2);
    expect(ids).toContain(foreign.id);
    for (const id of ids) expect(error.message).toContain(id);
  });

  it("names a refused creation that the log shows", async () => {
    await world.lag({ lists: "60s" });
    proxy.on(AUDIT_LOGS, withoutTargets).on({ ...post("Volume"), nth: 1 }, answerAfter(422));
    const error = await causeOf(make("Volume"));
    const [lost] = await world.made("Volume");
    expect(error.code).toBe("LOST_CREATION");
    expect(error.message).toContain("shows that the creation made an object, but not which one");
    expect(error.message).toContain(`no volume named ${JSON.stringify(lost?.name)}`);
    expect(journal.entries).toHaveLength(1);
  });

  describe("that is late", () => {
    beforeEach(async () => {
      await world.lag({ lists: "2h", audit: "60s" });
      proxy.on(AUDIT_LOGS, withoutTargets).on({ ...post("Volume"), nth: 1 }, answerAfter(422));
      await causeOf(make("Volume"));
      world.clock.advance(60_000);
    });
    const lost = async (): Promise<string> => JSON.stringify((await world.made("Volume"))[0]?.name);

    it("a repeated creation names the first object once", async () => {
      const named = `look for one named ${await lost()}`;
      const next = run();
      const { id } = await make("Volume", next);
      expect(next.warnings()).toEqual([expect.stringContaining(named)]);
      expect(journal.entries).toMatchObject([{ isSuperseded: true }, { id }]);
      const later = run();
      await make("FirewallRule", later);
      expect(later.texts().join()).not.toContain(await lost());
    });

    it("another run names the object once", async () => {
      const named = `volume "x" (if made, it is named ${await lost()}) in stack test/dev is one that the audit log does not identify`;
      const next = run();
      await make("FirewallRule", next);
      expect(next.warnings()).toEqual([expect.stringContaining(named)]);
      const [later, remade] = [run(), run()];
      await make("FirewallRule", later);
      await make("Volume", remade);
      expect([...later.texts(), ...remade.texts()].join()).not.toContain(await lost());
      expect(journal.entries).toContainEqual(
        expect.objectContaining({ isSuperseded: true, name: JSON.parse(await lost()) as string }),
      );
    });
  });

  it("reads the log for creations of a renamed stack", async () => {
    await world.lag({ lists: "2h", audit: "60s" });
    proxy.on({ ...post("Volume"), nth: 1 }, answerAfter(422));
    await causeOf(make("Volume"));
    const [lost] = await world.made("Volume");
    const [entry] = journal.entries;
    await journal.write({ ...entry!, stack: { ...entry!.stack, stack: "renamed" } });
    world.clock.advance(60_000);
    const next = run();
    await make("FirewallRule", next);
    expect(next.warnings()).toEqual([expect.stringContaining(`in stack test/renamed is ${lost!.id}`)]);
    expect(journal.entries[0]).not.toHaveProperty("id");
    const later = run();
    await make("FirewallRule", later);
    expect(later.texts().join()).not.toContain(lost!.id);
  });

  it.each(withTwins)("does not touch another %s that the list shows first", async (type) => {
    const foreign = await make(type, world.run({ costQuotes: "false" }));
    await world.lag({ lists: "60s" });
    world.clock.advance(61_000);
    proxy.on(AUDIT_LOGS, withoutTargets).on(post(type), dropAfter);
    const error = await causeOf(make(type));
    expect(error.message).toContain(foreign.id);
    expect(error.message).toContain("Nothing was touched");
    expect(await heldIds(type)).toContain(foreign.id);
    expect(await heldIds(type)).toHaveLength(2);
  });
});

describe("a second delivery that is refused for the quota", () => {
  beforeEach(() => {
    proxy.on(post("Volume"), repeat);
  });

  it("waits until the log shows the first one", async () => {
    const shownAt = world.clock.now() + 5_000;
    proxy.on(
      AUDIT_LOGS,
      auditLogsOnly((log) => world.clock.now() > shownAt || log["status_code"] === 409),
    );
    const { id } = await make("Volume", run(), { size: 6_000 });
    expect(await heldIds("Volume")).toEqual([id]);
  });

  it("names the object if the log never does", async () => {
    proxy.on(
      AUDIT_LOGS,
      auditLogsOnly((log) => log["status_code"] === 409),
    );
    const error = await causeOf(make("Volume", run(), { size: 6_000 }));
    const [id] = await heldIds("Volume");
    expect(error.code).toBe("LOST_CREATION");
    expect(error.message).toContain(id);
    expect(journal.entries).toHaveLength(1);
  });
});

it("keeps no entry if the key is refused", async () => {
  proxy.on(post("Volume"), answer(401, refusal())).on(AUDIT_LOGS, answer(401, refusal()));
  expect((await causeOf(make("Volume"))).code).toBe("UNAUTHORIZED");
  expect(journal.entries).toEqual([]);
});

describe.each([400, 403, 422])("a creation that is delivered twice and answered %i", (status) => {
  it.each(types)("has the first delivery's object in the state: %s", async (type) => {
    proxy.on({ ...post(type), nth: 1 }, answerAfter(status));
    const { id } = await make(type);
    expect(await heldIds(type)).toEqual([id]);
    expect(journal.entries).toMatchObject([{ id, isHandedOver: true }]);
  });

  it("the next run names a double delivery without a log", async () => {
    await world.lag({ lists: "60s" });
    proxy.on({ ...post("Volume"), nth: 1 }, answerAfter(status)).on(AUDIT_LOGS, answer(403));
    expect((await causeOf(make("Volume"))).message).toContain(`was answered ${status}`);
    const [lost] = await world.made("Volume");
    const next = run();
    await make("Volume", next);
    expect(next.warnings().join()).toContain(`no run notices: look for one named ${JSON.stringify(lost?.["name"])}`);
  });

  it("fails if the log is late, and looks again later", async () => {
    proxy.on({ ...post("Volume"), nth: 1 }, answer(status, refusal()));
    expect((await causeOf(make("Volume"))).message).toContain(`was answered ${status}`);
    expect(journal.entries).toMatchObject([{ isSuperseded: true }]);
    const next = run();
    const { id } = await make("Volume", next);
    expect(next.lines.filter(({ severity }) => severity !== "passing")).toEqual([]);
    expect(await heldIds("Volume")).toEqual([id]);
  });

  it("a later run names the object of the first delivery", async () => {
    await world.lag({ audit: "60s", lists: "60s" });
    proxy.on({ ...post("Volume"), nth: 1 }, answerAfter(status));
    await causeOf(make("Volume"));
    const [lost = ""] = await heldIds("Volume");
    world.clock.advance(60_000);
    const next = run();
    await make("Volume", next);
    expect(next.texts().join("\n")).toContain(lost);
  });

  it("a later run without changes names its object", async () => {
    await world.lag({ audit: "60s", lists: "60s" });
    proxy.on({ ...post("Volume"), nth: 1 }, answerAfter(status));
    const stack = new MiniStack();
    const program = [{ type: "Volume", name: "x", args: () => argsOf("Volume", world.simulator) }];
    await stack.up(run(), program);
    const [lost = ""] = await heldIds("Volume");
    expect((await stack.up(run(), program)).failures).toEqual([]);
    world.clock.advance(60_000);
    const next = run();
    expect((await stack.up(next, program)).operations.get("x")).toBe("same");
    expect(next.warnings()).toEqual([expect.stringContaining(`in stack test/dev is ${lost}`)]);
    expect(stack.stateOf("x").id).not.toBe(lost);
  });
});

it("believes the audit log rather than a wrong id", async () => {
  const through = run();
  const first = await make("FirewallRule", through);
  proxy.on(
    post("FirewallRule"),
    rewrite((body) => ({ ...body, resource_id: first.id })),
  );
  const second = await make("FirewallRule", through);
  expect(await heldIds("FirewallRule")).toEqual([first.id, second.id].sort());
});

it("names a possible object if creations are not audited", async () => {
  proxy
    .on(
      AUDIT_LOGS,
      auditLogsOnly(() => false),
    )
    .on(post("FirewallRule"), dropAfter);
  const error = await causeOf(make("FirewallRule"));
  const [id] = await heldIds("FirewallRule");
  expect(error.message).toContain(id);
  expect(error.message).toContain("The audit log does not show the request");
  expect(await heldIds("FirewallRule")).toEqual([id]);
});

it("fails while another run is creating the resource", async () => {
  const { id } = await makeUnreported("FirewallRule");
  const other = { pid: process.ppid, space: thisProcess().space };
  expect(runsElsewhere(other)).toBe(true);
  await journal.write({ ...journal.entries[0]!, sender: other });
  const through = run();
  const error = await causeOf(make("FirewallRule", through));
  expect(error.code).toBe("CREATION_UNDER_WAY");
  expect(error.message).not.toContain(String(process.ppid)); // the number alone does not prove that it is that process
  expect(through.lines).toEqual([]);
  expect(await heldIds("FirewallRule")).toEqual([id]);
  await journal.write({ ...journal.entries[0]!, sender: { ...other, startedAt: "1" } }); // which has ended since
  expect((await make("FirewallRule")).id).toBe(id);
});

describe("while another process works on the object", () => {
  const other = { pid: process.ppid, space: thisProcess().space };
  const ended = { ...other, startedAt: "1" };
  /** An entry of a killed run, and the process that has locked its object since. */
  const left = async (isAnswered: boolean, worker?: ProcessIdentity): Promise<string> => {
    const { id } = await make("FirewallRule");
    await journal.undoHandOver({ isAnswered });
    await journal.write({ ...journal.entries[0]!, sender: ended });
    if (worker) journal.lockFor(worker, id);
    return id;
  };
  const adopting = (id: string): Promise<Creation> => make("FirewallRule", run(), { adopt: id, tags: ["changed"] });

  it("a creation does not take it up", async () => {
    const id = await left(true, other);
    const error = await causeOf(make("FirewallRule"));
    expect(error).toMatchObject({
      code: "CREATION_UNDER_WAY",
      message: expect.stringContaining("Another process") as string,
    });
    journal.lockFor(ended, id);
    expect((await make("FirewallRule")).id).toBe(id);
  });

  it("an adoption changes nothing", async () => {
    const id = await left(true, other);
    expect(await causeOf(adopting(id))).toMatchObject({ code: "CREATION_UNDER_WAY" });
    expect(proxy.count({ method: "PATCH" })).toBe(0);
  });

  it("an adoption waits for its end", async () => {
    const id = await left(true, other);
    world.clock.onSleep = () => {
      journal.lockFor(ended, id);
    };
    expect((await adopting(id)).id).toBe(id);
  });

  it.each([
    ["a creation", () => make("FirewallRule")],
    ["an adoption", adopting],
  ])("%s is the one that works on it, before it looks", async (_what, start) => {
    const id = await left(true);
    const workers: unknown[] = [];
    proxy.on(
      { method: "GET", path: new RegExp(`${id}$`) },
      before(() => workers.push(journal.lockerOf(id))),
    );
    await start(id);
    expect(workers.at(-1)).toEqual(thisProcess());
  });

  it("an adoption is the one that works on it, before it changes what only the log names", async () => {
    const id = await left(false);
    let worker: unknown;
    proxy.on(
      { method: "PATCH" },
      before(() => (worker = journal.lockerOf(id))),
    );
    await adopting(id);
    expect(worker).toEqual(thisProcess());
  });

  it("an adoption without a log does not take what that process has taken up meanwhile", async () => {
    const id = await left(false, other);
    proxy.on(AUDIT_LOGS, answer(403, refusal()));
    world.clock.onSleep = () => {
      journal.lockFor(ended, id);
      return journal.write({ ...journal.entries[0]!, id, isHandedOver: true });
    };
    expect(await causeOf(adopting(id))).toMatchObject({ code: "CREATION_UNDER_WAY" });
    expect(proxy.count({ method: "PATCH", path: new RegExp(`${id}$`) })).toBe(0);
  });

  it.each([true, false])("an adoption fails if the entry was closed meanwhile; answered: %s", async (isAnswered) => {
    const id = await left(isAnswered);
    const through = run();
    await through.run.journal.warnOfEarlier(urnOf("FirewallRule", "x")); // which reads the journal
    await journal.remove(journal.entries[0]!);
    expect(await causeOf(make("FirewallRule", through, { adopt: id }))).toMatchObject({ code: "CREATION_UNDER_WAY" });
    expect((await make("FirewallRule", run(), { adopt: id })).id).toBe(id);
  });

  it("an adoption notices what another process has taken while a creation of the same run waited", async () => {
    const id = await left(true, other);
    world.clock.onSleep = () => {
      journal.lockFor(ended, id);
      return journal.write({ ...journal.entries[0]!, sender: ended, isHandedOver: true });
    };
    const through = run();
    expect((await make("FirewallRule", through)).id).not.toBe(id);
    const kept = { ...argsOf("FirewallRule", world.simulator), adopt: id };
    const adopted = world.create("FirewallRule", kept, { run: through, name: "kept" });
    expect(await causeOf(adopted)).toMatchObject({ code: "CREATION_UNDER_WAY" });
  });

  it("resources of one process are no others", async () => {
    const id = await left(true);
    const through = run();
    const adopted = world.create(
      "FirewallRule",
      { ...argsOf("FirewallRule", world.simulator), adopt: id },
      { run: through, name: "kept" },
    );
    const made = await Promise.all([adopted, make("FirewallRule", through)]);
    expect(made.map((each) => each.id)).toEqual([id, expect.not.stringMatching(id)]);
  });

  it("without a log, what another stack has adopted is no longer in doubt", async () => {
    const id = await left(false);
    proxy.on(AUDIT_LOGS, answer(403, refusal()));
    const calls = world.run({ baseUrl: proxy.url, costQuotes: "false" }, { journal }).of("FirewallRule");
    const theirs = { ...argsOf("FirewallRule", world.simulator), adopt: id };
    const { inputs } = await calls.check({}, sent("FirewallRule", "x", theirs, false, "other"));
    await calls.create(inputs);
    expect((await make("FirewallRule")).id).not.toBe(id);
  });

  it("an adoption of another object leaves the entry to later runs", async () => {
    const id = await left(true);
    const args = argsOf("FirewallRule", world.simulator);
    const other = await world.create("FirewallRule", args, { run: world.run({ costQuotes: "false" }), name: "other" });
    await make("FirewallRule", run(), { adopt: other.id });
    expect(journal.entries.find((entry) => entry.id === id)).not.toHaveProperty("isSuperseded");
  });

  it("an adoption sends no second change of an object that is gone", async () => {
    const id = await left(true);
    world.clock.advance(2 * 86_400_000);
    let count = 0;
    proxy.on({ method: "PATCH" }, (request, forward) => {
      count += 1;
      return answer(404, refusal())(request, forward);
    });
    await failureOf(adopting(id));
    expect(count).toBe(1);
  });

  it("what a creation leaves alone, another process can work on", async () => {
    const id = await left(true);
    await make("FirewallRule", run(), { tags: ["changed"] });
    expect(journal.entries[0]).toMatchObject({ isSuperseded: true });
    expect(journal.lockerOf(id)).toBeUndefined();
  });

  it("a creation does not end the work of that process on what it only names", async () => {
    const id = await left(true, other);
    await journal.write({ ...journal.entries[0]!, isSuperseded: true });
    await make("FirewallRule");
    expect(journal.lockerOf(id)).toEqual(other);
  });

  it.each([true, false])("an adoption names what else the request has made; answered: %s", async (isAnswered) => {
    proxy.on({ ...post("FirewallRule"), nth: 1 }, repeat);
    const id = await left(isAnswered);
    const [twin] = (await heldIds("FirewallRule")).filter((each) => each !== id);
    const through = run();
    await make("FirewallRule", through, { adopt: id });
    expect(through.warnings()).toContainEqual(
      expect.stringContaining(`delivered twice, and had also made ${String(twin)}`),
    );
    expect(journal.entries).toMatchObject([
      { id, isHandedOver: true },
      { id: twin, isSuperseded: true },
    ]);
  });

  it("a later run names what another stack has adopted, if the log shows it by then", async () => {
    const id = await left(false);
    proxy.on(AUDIT_LOGS, answer(403, refusal()));
    const calls = run().of("FirewallRule");
    const theirs = { ...argsOf("FirewallRule", world.simulator), adopt: id };
    const { inputs } = await calls.check({}, sent("FirewallRule", "x", theirs, false, "other"));
    await calls.create(inputs);
    proxy.clear();
    const through = run();
    expect((await make("FirewallRule", through)).id).not.toBe(id);
    expect(through.warnings()).toContainEqual(expect.stringContaining(`It had made ${id}, and Pulumi received it`));
  });

  it("an adoption of the second object of a request leaves the first one to later runs", async () => {
    proxy.on({ ...post("FirewallRule"), nth: 1 }, repeat);
    const id = await left(true);
    const [twin] = (await heldIds("FirewallRule")).filter((each) => each !== id);
    const calls = run().of("FirewallRule");
    const theirs = { ...argsOf("FirewallRule", world.simulator), adopt: twin };
    const { inputs } = await calls.check({}, sent("FirewallRule", "x", theirs, false, "other"));
    expect((await calls.create(inputs)).id).toBe(twin);
    expect((await make("FirewallRule")).id).toBe(id);
    expect(await heldIds("FirewallRule")).toHaveLength(2);
  });

  it("an adoption of the second object locks the entry that this process writes for it meanwhile", async () => {
    proxy.on({ ...post("FirewallRule"), nth: 1 }, repeat);
    const id = await left(false);
    const [twin = ""] = (await heldIds("FirewallRule")).filter((each) => each !== id);
    journal.lockFor(other, twin);
    world.clock.onSleep = async () => {
      const [entry] = journal.entries;
      await journal.write({ ...entry!, id, sender: ended, isHandedOver: true });
      await journal.write({ ...entry!, key: `${entry!.token}-${twin}`, id: twin, sender: ended, isSuperseded: true });
      journal.lockFor(ended, twin);
    };
    let locker: unknown;
    proxy.on(
      { method: "PATCH", path: new RegExp(`${twin}$`) },
      before(() => (locker = journal.lockerOf(twin))),
    );
    const through = run();
    const calls = through.of("FirewallRule");
    const theirs = { ...argsOf("FirewallRule", world.simulator), adopt: twin, tags: ["changed"] };
    const { inputs } = await calls.check({}, sent("FirewallRule", "x", theirs, false, "third"));
    expect((await calls.create(inputs)).id).toBe(twin);
    expect(locker).toEqual(thisProcess());
    expect(journal.entries[0]).toMatchObject({ id, isHandedOver: true });
    expect(through.texts().join()).not.toContain("delivered twice");
  });

  it("an adoption hands over the entry that the doctor writes for the second object meanwhile", async () => {
    proxy.on({ ...post("FirewallRule"), nth: 1 }, repeat);
    const id = await left(false);
    const [twin = ""] = (await heldIds("FirewallRule")).filter((each) => each !== id);
    proxy.on(
      { method: "PATCH", path: new RegExp(`${twin}$`) },
      before(async () => {
        const [entry] = journal.entries;
        await journal.write({ ...entry!, key: `${entry!.token}-${twin}`, id: twin, isSuperseded: true });
        await journal.remove(entry!);
      }),
    );
    await adopting(twin);
    expect(journal.entries).toMatchObject([{ id: twin, isHandedOver: true }]);
  });

  it("an adoption locks its object if the journal has an entry of another kind, until its process ends", async () => {
    const id = await left(true);
    await journal.write({ ...journal.entries[0]!, type: "cloudinfra:index:Vm", id: "a VM" });
    journal.lockFor(other, id);
    expect(await causeOf(adopting(id))).toMatchObject({ code: "CREATION_UNDER_WAY" });
    journal.lockFor(ended, id);
    expect((await adopting(id)).id).toBe(id);
    expect(journal.lockerOf(id)).toEqual(thisProcess());
  });

  it.each(["refused", "late"])(
    "with a log that is %s, the twin that another stack adopts is not taken up",
    async (how) => {
      proxy.on({ ...post("FirewallRule"), nth: 1 }, repeat);
      const id = await left(true);
      const [twin = ""] = (await heldIds("FirewallRule")).filter((each) => each !== id);
      proxy.on(AUDIT_LOGS, how === "refused" ? answer(403, refusal()) : auditLogsOnly(() => false));
      const theirs = { ...argsOf("FirewallRule", world.simulator), adopt: twin };
      const calls = run().of("FirewallRule");
      const { inputs } = await calls.check({}, sent("FirewallRule", "kept", theirs, false, "other"));
      expect((await calls.create(inputs)).id).toBe(twin);
      proxy.clear();
      expect((await make("FirewallRule")).id).toBe(id);
    },
  );

  it("an adoption that the API refuses leaves the object to other processes", async () => {
    const id = await left(true);
    proxy.on({ method: "PATCH" }, answer(422, refusal()));
    await failureOf(adopting(id));
    expect(journal.lockerOf(id)).toBeUndefined();
  });

  it("what another stack adopts by an entry that was made again is not taken up later", async () => {
    const id = await left(false);
    await journal.write({ ...journal.entries[0]!, isSuperseded: true });
    const calls = run().of("FirewallRule");
    const theirs = { ...argsOf("FirewallRule", world.simulator), adopt: id };
    const { inputs } = await calls.check({}, sent("FirewallRule", "x", theirs, false, "other"));
    await calls.create(inputs);
    expect((await make("FirewallRule")).id).not.toBe(id);
  });

  it("an adoption fails if that process has adopted the second object meanwhile", async () => {
    proxy.on({ ...post("FirewallRule"), nth: 1 }, repeat);
    const id = await left(true);
    const [twin = ""] = (await heldIds("FirewallRule")).filter((each) => each !== id);
    journal.lockFor(other, twin);
    world.clock.onSleep = async () => {
      await journal.noteAdopted(journal.entries[0]!, twin);
      journal.lockFor(ended, twin);
    };
    expect(await causeOf(adopting(twin))).toMatchObject({ code: "CREATION_UNDER_WAY" });
  });

  it("one run takes an object up and adopts the second one of its request", async () => {
    proxy.on({ ...post("FirewallRule"), nth: 1 }, repeat);
    const id = await left(false);
    const [twin] = (await heldIds("FirewallRule")).filter((each) => each !== id);
    const through = run();
    const kept = { ...argsOf("FirewallRule", world.simulator), adopt: twin };
    const calls = through.of("FirewallRule");
    const { inputs } = await calls.check({}, sent("FirewallRule", "kept", kept, false));
    const [made, adopted] = await Promise.all([make("FirewallRule", through), calls.create(inputs)]);
    expect([made.id, adopted.id].sort()).toEqual([id, twin].sort());
    expect(journal.entries.map((entry) => entry.id)).toContain(made.id);
  });

  it("an adoption fails if that process has handed the object over meanwhile", async () => {
    const id = await left(true, other);
    world.clock.onSleep = () => {
      journal.lockFor(ended, id);
      return journal.write({ ...journal.entries[0]!, sender: ended, isHandedOver: true });
    };
    expect(await causeOf(adopting(id))).toMatchObject({ code: "CREATION_UNDER_WAY" });
    expect(proxy.count({ method: "PATCH", path: new RegExp(`${id}$`) })).toBe(0);
  });

  it.each([
    ["left the entry", false, false],
    ["closed the entry", true, true],
  ])(
    "an adoption fails if that process has deleted the object meanwhile, and %s",
    async (_how, isAnswered, isClosed) => {
      const id = await left(isAnswered, other);
      world.clock.onSleep = async () => {
        journal.lockFor(ended, id);
        if (isClosed) await journal.remove(journal.entries[0]!);
        await world.takeAway("firewallRules", id);
      };
      await failureOf(adopting(id));
      expect(proxy.count({ method: "PATCH", path: new RegExp(`${id}$`) })).toBe(0);
    },
  );

  it("a creation that fails leaves the object to other processes", async () => {
    const id = await left(true);
    proxy.on({ method: "GET", path: new RegExp(`${id}$`) }, answer(403, refusal()));
    expect(await causeOf(make("FirewallRule"))).toMatchObject({ code: "LOST_CREATION" });
    expect(journal.lockerOf(id)).toBeUndefined();
  });
});

it.each([
  ["fails, because a run may take its object up", undefined, "CREATION_UNDER_WAY"],
  ["does not, because no run takes its object up", "00000000-0000-4000-8000-0000000000ff", undefined],
])("while a process holds a superseded entry: %s", async (_what, id, code) => {
  await makeUnreported("FirewallRule");
  const sender = { pid: process.ppid, space: thisProcess().space };
  await journal.write({ ...journal.entries[0]!, id, sender, isSuperseded: true });
  const failure = await make("FirewallRule").then(
    () => undefined,
    (error: unknown) => (error as { cause: Failure }).cause,
  );
  expect(failure?.code).toBe(code);
});

describe("while a process in another container creates the resource", () => {
  const elsewhere = { pid: 7, startedAt: "1", space: "the same boot/pid:[1]" };
  const touched = (agoMs: number): string => new Date(world.clock.now() - agoMs).toISOString();

  it.each([14_000, -14_000])("fails; age %i ms", async (ageMs) => {
    const { id } = await makeUnreported("FirewallRule");
    const [entry] = journal.entries;
    const others: Journal = {
      ...noJournal,
      all: () =>
        Promise.resolve({ entries: [{ ...entry!, sender: elsewhere, touchedAt: touched(ageMs) }], unreadable: [] }),
    };
    const through = world.run({ baseUrl: proxy.url, costQuotes: "false" }, { journal: others });
    const error = await causeOf(make("FirewallRule", through));
    expect(error.code).toBe("CREATION_UNDER_WAY");
    expect(error.message).toContain("Wait until that process has ended, and run again.");
    expect(through.lines).toEqual([]);
    expect(await heldIds("FirewallRule")).toEqual([id]);
  });

  it("waits for the end of a killed process", async () => {
    const { id } = await makeUnreported("FirewallRule");
    await journal.write({ ...journal.entries[0]!, sender: elsewhere, touchedAt: touched(10_000) });
    const startedAt = world.clock.now();
    expect((await make("FirewallRule")).id).toBe(id);
    expect(world.clock.now() - startedAt).toBeGreaterThanOrEqual(50_000);
  });

  it("does not wait if the file is from the future", async () => {
    const { id } = await makeUnreported("FirewallRule");
    await journal.write({ ...journal.entries[0]!, sender: elsewhere, touchedAt: touched(-3_600_000) });
    const startedAt = world.clock.now();
    expect((await make("FirewallRule")).id).toBe(id);
    expect(world.clock.now() - startedAt).toBeLessThan(10_000);
  });

  it("does not wait if the process has ended", async () => {
    await make("FirewallRule");
    await journal.write({ ...journal.entries[0]!, sender: elsewhere, touchedAt: touched(0), isHandedOver: true });
    const startedAt = world.clock.now();
    await make("FirewallRule");
    expect(world.clock.now() - startedAt).toBeLessThan(10_000);
  });
});

it("reads the audit log once for 40 creations", async () => {
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

it("reads no audit log without an interruption", async () => {
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

it("proves nothing if the service's clock jumps", async () => {
  const type = "FirewallRule";
  proxy.on({ ...post(type), nth: 1 }, async (request, forward) => {
    await fetch(`${world.simulator.controlUrl}/clock`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ advance: "2h" }),
    });
    return dropBefore(request, forward);
  });
  const error = await causeOf(make(type));
  expect(error.code).toBe("LOST_CREATION");
  expect(journal.entries).toHaveLength(1);
  const { id } = await make(type);
  expect(await heldIds(type)).toEqual([id]);
  expect(journal.entries).toMatchObject([{ isSuperseded: true }, { id }]);
});

it("proves nothing if this machine's clock jumps", async () => {
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
    {
      now: () => clock.now() + aheadMs,
      timeOfDay: () => clock.now() + aheadMs,
      sleep: (ms, signal) => clock.sleep(ms, signal),
    },
    { journal },
  );
  expect((await causeOf(make(type, jumping))).code).toBe("LOST_CREATION");
  expect(journal.entries).toHaveLength(1);
});
