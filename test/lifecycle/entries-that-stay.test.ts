import { CancelledError } from "../../src/lifecycle/errors";
import { failureOf } from "../support/failure-of";
import { journalWith } from "../../src/journal/journal";
import { sent, type TestRun } from "../support/lifecycle";
import { MiniStack } from "../support/mini-engine";
import {
  answer,
  answerAfter,
  auditLogsOnly,
  dropAfter,
  hidden,
  repeat,
  rewriteItems,
  rewriteRequest,
} from "../support/proxy/actions";

import { AUDIT_LOGS, post as postOf, RecoveryBench, type Creation } from "./support/recovery-fixture";

const type = "FirewallRule";
const HOUR_MS = 3_600_000;

const bench = RecoveryBench.forSuite();
const { world, proxy, journal, run } = bench;
const post = (of = type) => ({ ...postOf(of), nth: 1 });
const make = (through?: TestRun, args?: object): Promise<Creation> => bench.make(type, through, args);
const ids = async (of = type): Promise<readonly string[]> => (await world.ids(of)).sort();
const textOf = (through: TestRun): string => through.texts().join("\n");

/** A proxy of the company rewrites the user agent, so no entry of the log has a token. */
const withoutTokens = rewriteItems((logs) => logs.map((log) => ({ ...log, user_agent: "corporate" })));

it("sends nothing if the engine calls again after a lost response", async () => {
  proxy.on(post(), dropAfter).on(AUDIT_LOGS, withoutTokens);
  const calls = run().of(type);
  const { inputs } = await calls.check({}, sent(type, "x", world.args(type), false));
  const first = await failureOf(calls.create(inputs));
  expect(await failureOf(calls.create(inputs))).toEqual(first);
  expect(await ids()).toHaveLength(1);
});

describe("the look at the object comes before the log", () => {
  it.each([
    ["lacks its creation", withoutTokens],
    ["shows a refusal", rewriteItems((logs) => logs.map((log) => ({ ...log, status_code: 422, target: null })))],
    ["cannot be read", answer(403)],
  ])("takes over the object if the log %s", async (_case, action) => {
    const { id } = await bench.makeUnreported(type);
    proxy.on(AUDIT_LOGS, action);
    world.clock.advance(2 * HOUR_MS);
    expect((await make()).id).toBe(id);
  });

  it("names the object by name if its id is unknown", async () => {
    proxy.on(post(), dropAfter).on(AUDIT_LOGS, withoutTokens);
    await failureOf(make());
    const [lost = ""] = await ids();
    world.clock.advance(2 * HOUR_MS);
    expect((await failureOf(make())).message).toContain(`It may have made ${lost}`);
    expect(await ids()).toEqual([lost]);
  });
});

it("keeps the entry if another key shows no object", async () => {
  const { id } = await bench.makeUnreported(type);
  await world.lag({ reads: "2h", lists: "2h" });
  const apiKey = await world.keyWith(["vpc:edit", "project:read"]);
  world.clock.advance(61 * 60_000); // it would be visible to its own key
  proxy.on({ method: "GET", path: new RegExp(`firewall_rules/${id}$`) }, hidden);
  proxy.on(AUDIT_LOGS, answer(403));
  await world.lag({});
  const through = run({ apiKey });
  const second = await make(through);
  expect(textOf(through)).toContain(`It had made ${id}, which the API does not show to this key`);
  expect(journal.entries).toEqual(
    expect.arrayContaining([expect.objectContaining({ id, isSuperseded: true })]) as unknown,
  );
  expect(await ids()).toEqual([id, second.id].sort());
});

describe("an error answer after the request took effect", () => {
  it.each([401, 404, 413, 431])("keeps the object of a creation answered %i", async (status) => {
    proxy.on(post(), answerAfter(status, JSON.stringify(bench.refusal())));
    const { id } = await make();
    expect(await ids()).toEqual([id]);
  });

  it.each([401, 413])("accepts a change answered %i if the object shows it", async (status) => {
    const stack = new MiniStack();
    const rule = (tags: readonly string[]) => world.declare(type, { tags });
    await stack.up(run(), [rule(["a"])]);
    proxy.on({ method: "PATCH", nth: 1 }, answerAfter(status));
    const { failures } = await stack.up(run(), [rule(["b"])]);
    expect(failures).toEqual([]);
    expect(stack.stateOf("x").outs["tags"]).toEqual(["b"]);
  });
});

describe("an adoption of another object with the name of a lost creation", () => {
  async function lostAndOther(): Promise<readonly [lost: string, other: string]> {
    proxy.on(post(), dropAfter).on(AUDIT_LOGS, answer(500));
    await failureOf(make());
    const [lost = ""] = await ids();
    proxy.clear();
    return [lost, (await world.create(type, {}, { name: "x" })).id];
  }

  it("names the lost object", async () => {
    const [lost, other] = await lostAndOther();
    const through = run();
    await make(through, { adopt: other });
    expect(textOf(through)).toContain(`had made ${lost}. This run adopts another one. To keep it, adopt it`);
    expect(journal.entries).toMatchObject([{ id: lost, isSuperseded: true }]);
    const next = run();
    await make(next, { adopt: other });
    expect(textOf(next)).not.toContain(lost);
  });

  it("keeps the entry without a log", async () => {
    const [, other] = await lostAndOther();
    proxy.on(AUDIT_LOGS, answer(403));
    await make(run(), { adopt: other });
    expect(journal.entries).toMatchObject([{ isSuperseded: true }]);
    expect(journal.entries[0]).not.toHaveProperty("id", other);
  });
});

it("a later run names the object of a first delivery", async () => {
  await world.lag({ lists: "60s" });
  const of = "Volume";
  const args = world.args(of, { size: 6_000 });
  proxy.on(post(of), repeat).on(
    AUDIT_LOGS,
    auditLogsOnly(({ status_code: status }) => status === 409),
  );
  await failureOf(world.create(of, args, { run: run() }));
  const [lost] = await world.made(of);
  expect(journal.entries).toMatchObject([{ isSuperseded: true }]);
  proxy.clear();
  world.clock.advance(60_000);
  const next = run();
  await world.create(of, { ...args, size: 100 }, { run: next });
  expect(textOf(next)).toContain(lost?.id);
});

it("keeps the entry of a refused attempt before a success", async () => {
  const of = "Volume";
  proxy.on(post(of), answerAfter(429));
  const { id } = await bench.make(of);
  expect(await world.made(of)).toHaveLength(2);
  expect(journal.entries).toContainEqual(expect.objectContaining({ isSuperseded: true, madeIds: [id] }));
});

it.each([
  ["names", "Volume"],
  ["names", "ApiKey"],
  ["keeps an entry for", "Volume"],
])("%s the late object of an attempt after a refused one: %s", async (does, of) => {
  let deliver: (() => Promise<unknown>) | undefined;
  proxy.on(post(of), answerAfter(429)).on({ ...post(of), nth: 2 }, (_request, forward) => {
    deliver = forward;
    return Promise.resolve(undefined); // the connection breaks
  });
  const { id } = await bench.make(of);
  const before = await ids(of);
  await deliver?.();
  const late = (await ids(of)).find((each) => !before.includes(each));
  expect(before).toEqual([id]);
  const isAdopted = does !== "names";
  if (isAdopted) await journal.recordAdoption({ type: of, id: late! }); // by a run that was killed
  const next = run();
  await bench.make("Vpc", next);
  expect(textOf(next).includes(late!)).toBe(!isAdopted);
  expect(journal.entries).toContainEqual(
    expect.objectContaining({ id: late, ...(isAdopted && { isHandedOver: true }) }),
  );
  expect(journal.entries).toContainEqual(
    expect.objectContaining({ madeIds: expect.arrayContaining([late]) as unknown }),
  );
});

it.each([
  ["an unusable answer", answerAfter(201, "{}")],
  ["a refusal", rewriteRequest((body) => ({ ...body, size: -5 }))],
])("names the late object of a refused attempt before %s", async (_what, second) => {
  let deliver: (() => Promise<unknown>) | undefined;
  proxy.on({ ...post("Volume"), nth: 1 }, (_request, forward) => {
    deliver = forward;
    return Promise.resolve({ status: 429, headers: {}, body: "" });
  });
  proxy.on({ ...post("Volume"), nth: 2 }, second);
  const id = await bench.make("Volume").then(
    (made) => made.id,
    () => undefined,
  );
  await deliver?.();
  const late = (await ids("Volume")).find((each) => each !== id);
  const next = run();
  await bench.make("Vpc", next);
  expect(late).toBeDefined();
  expect(textOf(next)).toContain(late);
});

it.each(["with", "without"])("a refused attempt blocks no later creation, %s the audit log", async (log) => {
  const of = "Volume";
  const make = async (through: TestRun): Promise<string> => (await bench.make(of, through, { name: "mine" })).id;
  proxy.on(post(of), answer(429));
  const id = await make(run());
  await bench.make("Vpc");
  const { id: other } = await world.create(of, world.args(of, { name: "mine" }), { run: world.run() });
  if (log === "without") proxy.on(AUDIT_LOGS, answer(403));
  world.clock.advance(60_000);
  const next = run();
  expect([id, other]).not.toContain(await make(next));
  expect(textOf(next)).not.toContain(other);
  const [foreign, third] = [run(), run()];
  await bench.adoptElsewhere(undefined, { through: foreign });
  expect(textOf(foreign)).not.toContain("may have made objects");
  await bench.make("Vpc", third);
  expect(textOf(third).includes("may have made objects")).toBe(log === "without");
  expect(journal.entries.filter(({ madeIds }) => madeIds)).not.toEqual([]);
  world.clock.advance(25 * HOUR_MS);
  await bench.make("Vpc");
  expect(journal.entries.filter(({ madeIds }) => madeIds)).toEqual([]);
});

it("does not name the known object of a creation that was sent again", async () => {
  proxy.on(post("Volume"), answer(429)).on({ ...post("Volume"), nth: 2 }, answerAfter(201, "{}"));
  await bench.make("Volume");
  const next = run();
  await bench.make("Vpc", next);
  expect(textOf(next)).toBe("");
});

it("names the late object of a refused attempt after its run was killed", async () => {
  let deliver: (() => Promise<unknown>) | undefined;
  proxy.on(post("Volume"), (_request, forward) => {
    deliver = forward;
    return Promise.resolve({ status: 429, headers: {}, body: "" });
  });
  proxy.on({ ...post("Volume"), nth: 2 }, dropAfter).on(AUDIT_LOGS, answer(500));
  await failureOf(bench.make("Volume"));
  proxy.clear();
  const { id } = await bench.make("Volume");
  await deliver?.();
  const next = run();
  await bench.make("Vpc", next);
  const late = (await ids("Volume")).find((each) => each !== id);
  expect(late).toBeDefined();
  expect(textOf(next)).toContain(late);
});

it("names the object of an unwritable entry", async () => {
  let writes = 0;
  const full = Object.assign(new Error("full"), { code: "ENOSPC" });
  const failing = journalWith(journal, {
    write: (entry) => (++writes > 2 ? Promise.reject(full) : journal.write(entry)),
  });
  const through = world.run({ baseUrl: proxy.url, costQuotes: "false" }, { journal: failing });
  const { id } = await make(through);
  expect(textOf(through)).toContain("the journal of creations cannot be written (no space is left on the disk)");
  const next = run();
  expect((await make(next)).id).not.toBe(id);
  expect(textOf(next)).toContain(`It had made ${id}, which a resource has adopted, imported or received`);
});

it("looks for a lost object after another one was adopted", async () => {
  const args = world.args(type);
  const nothing = auditLogsOnly(() => false);
  await world.lag({ lists: "60s" });
  proxy.on(post(), dropAfter).on(AUDIT_LOGS, nothing);
  await failureOf(make());
  const [mine] = await world.made(type);
  const name = String(mine?.name);
  const theirs = await world.create(
    type,
    { ...args, name },
    { run: world.run({ costQuotes: "false" }), name: "other" },
  );
  await make(run(), { name, adopt: theirs.id });
  expect(journal.entries).toMatchObject([{ isSuperseded: true }]);
  expect(journal.entries[0]).not.toHaveProperty("id");
  proxy.clear();
  const next = run();
  await next.of(type).read(theirs.id, theirs.outs);
  expect(textOf(next)).toContain(mine?.id);
});

it("does not advise deletion of an object it takes over", async () => {
  await world.lag({ lists: "1h" });
  const repetitions = Array.from({ length: 99 }, (_, i) => i + 2);
  proxy.on(post(), answerAfter(429)).on({ ...post(), nth: repetitions }, answer(429));
  proxy.on(
    AUDIT_LOGS,
    auditLogsOnly(() => false),
  );
  await failureOf(make());
  const [lost] = await ids();
  expect(journal.entries).toMatchObject([{ isSuperseded: true }]);
  proxy.clear();
  const next = run();
  const calls = next.of(type);
  const checked = async (name: string): Promise<Record<string, unknown>> =>
    (await calls.check({}, sent(type, name, world.args(type), false))).inputs;
  const [own, other] = [await checked("x"), await checked("y")];
  await calls.create(other);
  expect((await calls.create(own)).id).toBe(lost);
  expect(textOf(next)).not.toContain("Delete what you do not use");
});

it("a creation that is cancelled after a 429 leaves the search to the next run, and that to another one if it is killed", async () => {
  const person = new AbortController();
  proxy.on(post(), (request, forward) => {
    person.abort(new CancelledError("cancelled"));
    return answerAfter(429)(request, forward);
  });
  const looks = proxy.count(AUDIT_LOGS);
  const through = world.run({ baseUrl: proxy.url, costQuotes: "false" }, { journal, cancelled: person.signal });
  const { message } = await failureOf(make(through));
  expect(message).toMatch(/^create firewall rule "x" \(POST .+\) was interrupted\. Run again\.$/);
  expect(proxy.count(AUDIT_LOGS)).toBe(looks);
  expect(journal.entries).toMatchObject([{ isSuperseded: true }]);
  for (let runs = 0; runs < 2; runs += 1) {
    expect([(await make()).id]).toEqual(await ids());
    await journal.undoHandOver(); // killed before the engine knows the object
  }
});

it("a refused adoption leaves the object to its resource", async () => {
  const args = world.args(type);
  const stack = new MiniStack();
  const old = { type, name: "old", args: () => args };
  await stack.up(run(), [old]);
  const { id, outs } = stack.stateOf("old");
  const next = run();
  await world.fault({ method: "PATCH", path: id, status: 400, times: 1 });
  await expect(make(next, { adopt: id, tags: ["new"] })).rejects.toThrow("400");
  await expect(next.of(type).delete(id, outs)).rejects.toThrow(`this run was to adopt firewall rule ${id}`);
  expect(await ids()).toEqual([id]);
});
