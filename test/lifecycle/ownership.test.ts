import { failureOf } from "../support/failure-of";
import { runsElsewhere, thisProcess } from "../../src/process/process-identity";
import { userAgent } from "../../src/process/version";
import { isNamedByCredentials, madeTypes, takenOver, withTwins } from "../kinds";
import { sent, type TestRun } from "../support/lifecycle";
import { MiniStack } from "../support/mini-engine";
import { plain } from "../support/mini-state";
import {
  answer,
  answerAfter,
  auditLogsOnly,
  dropAfter,
  dropBefore,
  foreign404,
  hidden,
  repeat,
  rewrite,
  skewDate,
  withoutTargets,
} from "../support/proxy/actions";
import { collectionOf, type WireObject } from "../support/world";
import { AUDIT_LOGS, causeOf, post, RecoveryBench } from "./support/recovery-fixture";

const types = madeTypes;
const bench = RecoveryBench.forSuite();
const { world, proxy, journal, held, heldIds, run, make, makeUnreported, refusal, keyWithoutAudit } = bench;

it("sends the journal's token with a creation", async () => {
  let written: string | undefined;
  proxy.on(post("FirewallRule"), async (request, forward) => {
    written = journal.entries.at(-1)?.token;
    expect(request.headers["user-agent"]).toBe(`${userAgent} (${String(written)})`);
    return forward();
  });
  await make("FirewallRule");
  await make("FirewallRule", run(), { name: "mine", tags: ["another"] });
  expect(written).toMatch(/^[0-9a-f]{32}$/);
  expect(proxy.count(post("FirewallRule"))).toBe(2);
});

// A key does not see an object that it does not reach, and heard nothing of: docs/limits.md.
const withAuditedTwins = withTwins.filter((type) => !isNamedByCredentials(type));

describe.each(withAuditedTwins)("without an audit log, a lost response to a creation of %s", (type) => {
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

it("keeps the entry after an unproven 409", async () => {
  const apiKey = await keyWithoutAudit();
  // The network delivers it twice: the first delivery uses up the quota, and the second answer comes.
  const conflict = { ...refusal(), type: "CONFLICT_ERROR", message: "quota exceeded" };
  proxy.on(post("Volume"), answerAfter(409, JSON.stringify(conflict)));
  await world.lag({ lists: "15s" });
  const error = await causeOf(make("Volume", run({ apiKey })));
  expect(error).toMatchObject({ code: "LOST_CREATION", message: expect.stringContaining("quota exceeded") as string });
  proxy.clear();
  world.clock.advance(20_000);
  const [made] = await held("Volume");
  expect((await causeOf(make("Volume", run({ apiKey })))).message).toContain(
    `It may have made ${made?.id}. Nothing was touched.`,
  );
});

it("waits for late lists before another creation, without a log", async () => {
  const apiKey = await keyWithoutAudit();
  await world.lag({ lists: "15s" });
  const { id } = await make("Volume", run({ apiKey }));
  await journal.undoHandOver({ isAnswered: false });
  expect((await causeOf(make("Volume", run({ apiKey })))).message).toContain(`It may have made ${id}`);
});

it("finds no rule in a deleted VPC", async () => {
  const apiKey = await keyWithoutAudit();
  proxy.on(post("FirewallRule"), dropAfter);
  proxy.on({ method: "GET", path: /\/firewall_rules$/ }, hidden);
  const error = await causeOf(make("FirewallRule", run({ apiKey })));
  expect(error).toMatchObject({
    code: "LOST_CREATION",
    message: expect.stringContaining("The API shows no ") as string,
  });
});

it("names a lost key without a log and makes another", async () => {
  const apiKey = await keyWithoutAudit();
  const { id } = await makeUnreported("ApiKey", run({ apiKey }));
  const through = run({ apiKey });
  const other = await make("ApiKey", through);
  expect(through.texts().join()).toContain(`It had made ${id}, whose secret is lost`);
  expect(await heldIds("ApiKey")).toEqual([id, other.id].sort());
});

it.each(withTwins)("ignores another %s with the entry's id", async (type) => {
  const foreign = await make(type, world.run({ costQuotes: "false" }), { name: "mine" });
  const ours = await makeUnreported(type);
  await journal.write({ ...journal.entries[0]!, id: foreign.id });
  const { id } = await make(type);
  expect(await heldIds(type)).toEqual([...new Set([foreign.id, ours.id, id])].sort());
  expect(id === ours.id).toBe(takenOver.includes(type)); // which the log knew
});

describe.each(withTwins)("with a late audit log, a lost response to a creation of %s", (type) => {
  it("waits for a late audit log, then takes over", async () => {
    await world.lag({ audit: "5s", lists: "15s", reads: "3s" });
    proxy.on({ ...post(type), nth: 1 }, dropAfter);
    const { id } = await make(type);
    expect(await heldIds(type)).toEqual([id]);
  });

  it("leaves a lost creation to the next run", async () => {
    await world.lag({ audit: "30s" });
    proxy.on({ ...post(type), nth: 1 }, dropAfter);
    const error = await causeOf(make(type));
    const [made] = await heldIds(type);
    expect(error.code).toBe("LOST_CREATION");
    expect(error.message).toContain("The audit log does not show the request");
    expect(error.message).toContain(made);
    expect(journal.entries).toHaveLength(1);
    await world.lag({});
    const { id } = await make(type);
    expect(await heldIds(type)).toEqual([...new Set([made, id])].sort());
    expect(id === made).toBe(takenOver.includes(type));
  });
});

it.each(withTwins)("names the second object of a %s request delivered twice", async (type) => {
  proxy.on({ ...post(type), nth: 1 }, dropAfter).on({ ...post(type), nth: 1 }, repeat);
  const through = run();
  const { id } = await make(type, through);
  const seconds = (await heldIds(type)).filter((each) => each !== id);
  expect(seconds).toHaveLength(takenOver.includes(type) ? 1 : 0);
  expect(through.warnings()).toEqual(seconds.map((each) => expect.stringContaining(`had also made ${each}`) as string));
  expect(journal.entries.filter((entry) => entry.isSuperseded).map((entry) => entry.id)).toEqual(seconds);
});

it.each(types)("finds a %s if the API's dates are wrong", async (type) => {
  proxy.on({}, skewDate(240_000)).on({ ...post(type), nth: 1 }, dropAfter);
  const { id } = await make(type);
  expect(await heldIds(type)).toEqual([id]);
});

it.each(takenOver)("takes over a %s whose entry is dated in the future", async (type) => {
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

  it("names a refused creation's object a month later", async () => {
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

describe("an audit log without target ids", () => {
  it("names a namesake if the log has no targets", async () => {
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

  it("names both objects with the same name", async () => {
    const foreign = await make("FirewallRule", world.run({ costQuotes: "false" }));
    proxy.on(AUDIT_LOGS, withoutTargets).on(post("FirewallRule"), dropAfter);
    const error = await causeOf(make("FirewallRule"));
    const ids = await heldIds("FirewallRule");
    expect(ids).toHaveLength(2);
    expect(ids).toContain(foreign.id);
    for (const id of ids) expect(error.message).toContain(id);
  });

  it("names the object of a creation answered 422", async () => {
    await world.lag({ lists: "60s" });
    proxy.on(AUDIT_LOGS, withoutTargets).on({ ...post("Volume"), nth: 1 }, answerAfter(422));
    const error = await causeOf(make("Volume"));
    const [lost] = await world.made("Volume");
    expect(error.code).toBe("LOST_CREATION");
    expect(error.message).toContain("shows that the creation made an object, but not which one");
    expect(error.message).toContain(`no new volume named ${JSON.stringify(lost?.name)}`);
    expect(journal.entries).toHaveLength(1);
  });

  describe("with a delay", () => {
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

    it("names the object once in a run without the resource", async () => {
      const named = `volume "x" (if made, it is named ${await lost()}) in stack test/dev: the audit log does not identify it`;
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
});

describe("a second delivery that exceeds the quota", () => {
  beforeEach(() => {
    proxy.on(post("Volume"), repeat);
  });

  it("waits until the log shows the first delivery", async () => {
    const shownAt = world.clock.now() + 5_000;
    proxy.on(
      AUDIT_LOGS,
      auditLogsOnly((log) => world.clock.now() > shownAt || log["status_code"] === 409),
    );
    const { id } = await make("Volume", run(), { size: 6_000 });
    expect(await heldIds("Volume")).toEqual([id]);
  });

  it("names the object if the first delivery stays unlogged", async () => {
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
  it.each(types)("takes over the %s of the first delivery", async (type) => {
    proxy.on({ ...post(type), nth: 1 }, answerAfter(status));
    const { id } = await make(type);
    expect(await heldIds(type)).toEqual([id]);
    expect(journal.entries).toMatchObject([{ id, isHandedOver: true }]);
  });

  it("names a possible double delivery in the next run", async () => {
    await world.lag({ lists: "60s" });
    proxy.on({ ...post("Volume"), nth: 1 }, answerAfter(status)).on(AUDIT_LOGS, answer(403));
    expect((await causeOf(make("Volume"))).message).toContain(`failed: ${status}`);
    const [lost] = await world.made("Volume");
    const next = run();
    await make("Volume", next);
    expect(next.warnings().join()).toContain(`no run notices: look for one named ${JSON.stringify(lost?.["name"])}`);
  });

  it("fails if the log is late, and looks again later", async () => {
    proxy.on({ ...post("Volume"), nth: 1 }, answer(status, refusal()));
    expect((await causeOf(make("Volume"))).message).toContain(`failed: ${status}`);
    expect(journal.entries).toMatchObject([{ isSuperseded: true }]);
    const next = run();
    const { id } = await make("Volume", next);
    expect(next.lines.filter(({ severity }) => severity !== "passing")).toEqual([]);
    expect(await heldIds("Volume")).toEqual([id]);
  });

  it("names the first delivery's object in an unchanged run", async () => {
    await world.lag({ audit: "60s", lists: "60s" });
    proxy.on({ ...post("Volume"), nth: 1 }, answerAfter(status));
    const stack = new MiniStack();
    const program = [world.declare("Volume")];
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

it("names a lost replacement days later", async () => {
  const stack = new MiniStack();
  const program = [world.declare("Volume")];
  await stack.up(run(), program);
  const { id } = stack.stateOf("x");
  proxy.on(post("Volume"), answerAfter(404)).on(AUDIT_LOGS, foreign404);
  expect((await stack.up(run(), program, { replace: ["x"] })).failures).toHaveLength(1);
  const [twin] = (await heldIds("Volume")).filter((each) => each !== id);
  proxy.clear();
  proxy.on(
    AUDIT_LOGS,
    auditLogsOnly(() => false),
  );
  const [unexplained, explained, last] = [run(), run(), run()];
  await stack.up(unexplained, program);
  expect(unexplained.warnings().join()).toContain("An earlier run failed or was interrupted");
  proxy.clear();
  world.clock.advance(3 * 86_400_000);
  await stack.up(explained, program);
  expect(explained.warnings()).toEqual([
    expect.stringContaining(`is ${twin}. Delete what you do not use, or adopt it`),
  ]);
  await stack.up(last, program);
  expect([last.texts(), stack.stateOf("x").id]).toEqual([[], id]);
});

it("trusts the audit log rather than an answered wrong id", async () => {
  const through = run();
  const first = await make("FirewallRule", through);
  proxy.on(
    post("FirewallRule"),
    rewrite((body) => ({ ...body, resource_id: first.id })),
  );
  const second = await make("FirewallRule", through);
  expect(await heldIds("FirewallRule")).toEqual([first.id, second.id].sort());
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

it("reads the audit log once for 40 creations", async () => {
  proxy.on(post("FirewallRule"), dropBefore);
  const names = Array.from({ length: 40 }, (_, nth) => `x${nth}`);
  const all = (through: TestRun): Promise<unknown[]> =>
    Promise.allSettled(names.map((name) => world.create("FirewallRule", {}, { name, run: through })));
  await all(run());
  proxy.clear();
  world.clock.advance(60_000);
  const before = proxy.count(AUDIT_LOGS);
  await all(run());
  expect(proxy.count(AUDIT_LOGS) - before).toBe(1);
  expect(await held("FirewallRule")).toHaveLength(40);
});

it("reads no audit log without an open entry", async () => {
  const before = proxy.count(AUDIT_LOGS);
  const { id, inputs, outs, lifecycle } = await make("FirewallRule");
  await lifecycle.read(id, plain(outs) as Record<string, unknown>);
  const next = run();
  await next.of("FirewallRule").check(inputs, sent("FirewallRule", "x", world.args("FirewallRule"), false));
  await next.of("FirewallRule").diff(id, outs, inputs);
  expect(proxy.count(AUDIT_LOGS) - before).toBe(0);
});

it("proves nothing if the API's clock jumps", async () => {
  const type = "FirewallRule";
  proxy.on({ ...post(type), nth: 1 }, async (request, forward) => {
    await world.advance("2h");
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
  let aheadMs = 0;
  proxy.on({ ...post(type), nth: 1 }, (request, forward) => {
    aheadMs = 3_600_000;
    return dropBefore(request, forward);
  });
  const jumping = world.run({ baseUrl: proxy.url, costQuotes: "false" }, { journal, aheadMs: () => aheadMs });
  expect((await causeOf(make(type, jumping))).code).toBe("LOST_CREATION");
  expect(journal.entries).toHaveLength(1);
});

it("rejects an answered id whose object has another name", async () => {
  const theirs = await make("Volume", run(), {}, "theirs");
  proxy.on(
    post("Volume"),
    rewrite((body) => ({ ...body, resource_id: theirs.id })),
  );
  proxy.on(AUDIT_LOGS, answer(403, refusal())).on({ method: "GET", path: /\/volumes$/ }, answer(403, refusal()));
  expect(await causeOf(make("Volume", run(), {}, "mine"))).toMatchObject({ code: "LOST_CREATION" });
});
