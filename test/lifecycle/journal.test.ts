import { setImmediate } from "node:timers/promises";
import { takenOver, withTwins } from "../kinds";
import type { JournalEntry } from "../../src/journal/entry";
import { journalWith, noJournal, type Journal, type JournalContents } from "../../src/journal/journal";
import { EntryWriter } from "../../src/journal/entry-writer";
import { thisProcess } from "../../src/process/process-identity";
import { failureOf } from "../support/failure-of";
import { journalEntry } from "../support/journal-entry";
import { sent, urnOf, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { plain } from "../support/mini-state";
import { World } from "../support/world";

const type = "FirewallRule";
const world = World.forSuite();
const journal = MemoryJournal.forSuite();

type Creation = Awaited<ReturnType<World["create"]>>;
const make = (of = type, args: object = {}, run = world.run({}, { journal })): Promise<Creation> =>
  world.create(of, args, { run });

/** As an update does with a resource of the state. */
async function present(run: TestRun, { id, inputs, outs }: Creation, renamed: object = {}): Promise<void> {
  const news = { ...inputs, ...renamed };
  await run.of(type).check(news, news);
  await run.of(type).diff(id, { ...outs, ...renamed }, news);
}

describe("the engine presents the object of an entry", () => {
  const presented: Record<string, (made: Creation) => Promise<unknown>> = {
    "check and diff": (made) => present(world.run({}, { journal }), made),
    update: async ({ id, inputs, outs }) => world.run({}, { journal }).of(type).update(id, outs, inputs),
    delete: async ({ id, outs }) => world.run({}, { journal }).of(type).delete(id, outs),
  };

  it.each(Object.keys(presented))("an entry ends in %s", async (call) => {
    const made = await make();
    expect(journal.entries).toMatchObject([{ id: made.id, urn: urnOf(type, "x") }]);
    await presented[call]?.(made);
    expect(journal.entries).toEqual([]);
  });

  it("closes an entry if another URN presents its id", async () => {
    await present(world.run({}, { journal }), await make(), { __urn: urnOf(type, "renamed") });
    expect(journal.entries).toEqual([]);
  });

  it("an entry does not end in a refresh", async () => {
    const { id, inputs, outs } = await make();
    const run = world.run({}, { journal });
    await run.of(type).read(id, outs);
    await run.of(type).diff(id, outs, inputs);
    expect(journal.entries).toHaveLength(1);
  });

  it("an entry does not end in an import", async () => {
    const made = await make();
    const run = world.run({}, { journal });
    await run.of(type).read(made.id, sent(type, "x", { vpcId: world.simulator.vpcId }, false));
    await present(run, made);
    expect(journal.entries).toHaveLength(1);
  });

  it("an entry outlasts its process without a warning", async () => {
    await world.fault({ method: "POST", path: "firewall_rules$", drop: "after" });
    const run = world.run({}, { journal });
    const made = await make(type, {}, run);
    expect(journal.entries).toMatchObject([{ id: made.id, isHandedOver: true }]);
    const next = world.run({}, { journal });
    await present(next, made);
    expect(journal.entries).toEqual([]);
    expect(next.lines).toEqual([]);
  });

  it("an entry ends if its object is adopted", async () => {
    const { id } = await make();
    await journal.undoHandOver();
    await world.fault({ method: "PATCH", path: id, status: 400, times: 1 });
    await expect(make(type, { adopt: id, tags: ["new"] })).rejects.toThrow("400");
    expect(journal.entries).toMatchObject([{ id }]);
    expect(journal.entries).not.toMatchObject([{ isHandedOver: true }]);
    await make(type, { adopt: id, tags: ["new"] });
    expect(journal.entries).toMatchObject([{ id, isHandedOver: true }]);
  });
});

describe.each(["ApiKey", "FirewallRule"])("after the engine received a new %s", (kind) => {
  it("names the object if the same URN creates again", async () => {
    const { id } = await make(kind);
    const next = world.run({}, { journal });
    const own = await make(kind, {}, next);
    expect(own.id).not.toBe(id);
    expect((await world.objects(kind)).map((object) => object.id)).toEqual(expect.arrayContaining([id, own.id]));
    const warnings = next.warnings();
    expect(warnings).toEqual([expect.stringContaining(`It had made ${id}, and Pulumi received it`)]);
    expect(warnings[0]).not.toContain("leaves that as it is"); // the engine may delete it, as a replaced object
    expect(warnings[0]).toContain(`If no resource has it: To keep it, adopt it with adopt: "${id}"`);
    // Until the engine presents it, or a person decides.
    expect(journal.entries.map((entry) => entry.id)).toEqual([id, own.id]);

    const third = world.run({}, { journal });
    await make(kind, {}, third);
    expect(third.lines.some(({ text }) => text.includes(id))).toBe(false);
  });

  it("says nothing if the object is deleted", async () => {
    const { id, outs } = await make(kind);
    await world.run().of(kind).delete(id, outs);
    const next = world.run({}, { journal });
    await make(kind, {}, next);
    expect(next.warnings()).toEqual([]);
    expect(journal.entries).toHaveLength(1);
  });
});

describe("the end of a run without an earlier run's object", () => {
  /** What the run says at its end, after it has updated another resource. */
  async function messagesAtEnd(go: (run: TestRun) => Promise<unknown>): Promise<readonly string[]> {
    const run = world.run({}, { journal });
    await go(run);
    const before = run.lines.length;
    await run.run.journal.reportNotPresented((urn) => run.run.memory.isLeftOut(urn));
    return run.lines.slice(before).map(({ severity, urn, text }) => `${urn}${severity}: ${text}`);
  }
  /** What a destroy does with another resource. */
  const deleteAnother = async (run: TestRun): Promise<void> => {
    const { id, outs } = await world.create(type, {}, { name: "another" });
    await run.of(type).delete(id, outs);
  };

  it("names an object without a state once", async () => {
    const { id } = await make();
    const messages = await messagesAtEnd(deleteAnother);
    expect(messages).toEqual([
      expect.stringMatching(`^info: Earlier runs made .*\\(${id}, .* did not find that in the state`),
    ]);
    expect(messages[0]).not.toMatch(/delete|adopt/);
    expect(await messagesAtEnd(deleteAnother)).toEqual([]);
  });

  it("names an object beside another one of its resource", async () => {
    const other = await make();
    await world.run({}, { journal }).of(type).read(other.id, other.outs);
    const { id } = await make();
    const messages = await messagesAtEnd(async (run) => {
      const lifecycle = run.of(type);
      await lifecycle.check(other.inputs, other.inputs);
      await lifecycle.diff(other.id, other.outs, other.inputs);
      await lifecycle.update(other.id, other.outs, other.inputs);
    });
    expect(messages.join()).toContain(id);
    expect(messages.join()).not.toContain(other.id);
  });

  it.each<readonly [string, (run: TestRun, made: Creation) => Promise<unknown>]>([
    [
      "the engine has presented it",
      async (run, { id, outs }) => {
        await run.of(type).read(id, outs);
        await deleteAnother(run);
      },
    ],
    ["the program runs without it, as with --target", (run) => world.create(type, {}, { name: "y", run })],
    [
      "the other provider has made it in this run",
      async (run) => {
        const sender = { pid: process.ppid, space: thisProcess().space };
        for (const entry of journal.entries) await journal.write({ ...entry, sender });
        await deleteAnother(run);
      },
    ],
    ["the run is a preview", (run, { inputs }) => run.of(type).check({}, inputs)],
    [
      "the run gets an object only",
      (run, { id }) => run.of(type).read(id, sent(type, "x", { vpcId: world.simulator.vpcId }, false)),
    ],
  ])("says nothing if %s", async (_title, go) => {
    const made = await make();
    expect(await messagesAtEnd((run) => go(run, made))).toEqual([]);
  });
});

it("hands no answer over after the engine's last signal", async () => {
  const unmarked: Journal = {
    ...noJournal,
    write: async (entry) => (entry.isHandedOver ? undefined : journal.write(entry)),
    remove: (entry) => journal.remove(entry),
    all: () => journal.all(),
  };
  const { id } = await make(type, {}, world.run({}, { journal: unmarked }));
  const ended = world.run({}, { journal }).run.journal;
  ended.end();
  const answer = jest.fn();
  void ended.handOver(journal.entries[0]!).then(answer);
  await setImmediate();
  expect(answer).not.toHaveBeenCalled();
  expect(journal.entries).not.toMatchObject([{ isHandedOver: true }]);
  expect((await make()).id).toBe(id);
});

it("keeps no entry if nothing was made", async () => {
  await expect(make(type, { vpcId: "00000000-0000-4000-8000-0000000000ff" })).rejects.toThrow("404");
  expect(journal.entries).toEqual([]);
});

it("leaves no key without a secret", async () => {
  await world.fault({ method: "POST", path: "/v1/api_keys$", drop: "after", times: 2 });
  const before = (await world.objects("ApiKey")).length;
  await expect(make("ApiKey")).rejects.toThrow();
  expect(await world.objects("ApiKey")).toHaveLength(before);
});

it.each(withTwins)("leaves one %s after --target-replace", async (of) => {
  const old = await make(of);
  const run = world.run({}, { journal });
  const { id, lifecycle } = await make(of, {}, run); // check without old inputs, and no diff
  await lifecycle.delete(old.id, plain(old.outs) as Record<string, unknown>);
  const objects = (await world.objects(of)).filter(({ name }) => name.startsWith("x"));
  expect(objects.map((object) => object.id)).toEqual([id]);
});

it.each(takenOver)("keeps a %s that --target-replace took over", async (of) => {
  const old = await make(of);
  await journal.undoHandOver(); // as in an older copy of the journal, or if it could not be written any more
  const run = world.run({}, { journal });
  const { id, lifecycle } = await make(of, {}, run); // check without old inputs, and no diff
  expect(id).toBe(old.id);
  await lifecycle.delete(old.id, plain(old.outs) as Record<string, unknown>);
  expect((await world.objects(of)).map((object) => object.id)).toContain(id);
  expect(run.lines.at(-1)?.text).toContain("stays: its replacement has taken it over");
});

it("does not warn of another process's creations", async () => {
  await make();
  const warnings = async (sender: JournalEntry["sender"]): Promise<number> => {
    const others = new MemoryJournal();
    await others.write({ ...journal.entries[0]!, isHandedOver: undefined, sender });
    const run = world.run({}, { journal: others });
    await run.of(type).check({}, sent(type, "x", world.args(type)));
    return run.warnings().length;
  };
  const { space } = thisProcess();
  expect(await warnings({ pid: process.ppid, space })).toBe(0);
  expect(await warnings({ pid: process.ppid, space, startedAt: "1" })).toBe(1); // the number was given to another
  expect(await warnings({ pid: process.ppid, space: "another machine" })).toBe(1);
  expect(await warnings(thisProcess())).toBe(1);
});

const readOnly: Journal = {
  ...noJournal,
  write: () => Promise.reject(Object.assign(new Error("no"), { code: "EROFS" })),
  remove: () => Promise.reject(Object.assign(new Error("no"), { code: "EROFS" })),
};

it.each([
  [
    "without a journal, says that no run looks for a lost creation",
    readOnly,
    "next run will not look for it. Before you run again,",
  ],
  ["with a journal, says that the next run looks for it", noJournal, "next run on this machine looks again"],
])("%s", async (_title, kept, advice) => {
  await world.fault({ method: "POST", path: "/firewall_rules$", drop: "after" });
  await world.fault({ method: "GET", path: "^/v1/audit_logs$", status: 503, every: 1 });
  const { message } = await failureOf(make(type, { name: "web" }, world.run({}, { journal: kept })));
  expect(message).toContain(advice);
  expect(message).toContain('look for one named "web"');
});

it("warns once if the journal cannot be written", async () => {
  const run = world.run({}, { journal: readOnly });
  await make(type, {}, run);
  await make("ApiKey", {}, run);
  const warnings = run.warnings();
  expect(warnings).toEqual([
    "the journal of creations cannot be written (the disk is read-only): if this run fails or is killed, the next run will not know what it was creating",
  ]);
});

it("writes neither secrets nor fields into the entry", async () => {
  const { outs } = await make("ApiKey", { sourceIpRule: { allowed: ["203.0.113.0/24"] } });
  const text = JSON.stringify(journal.entries);
  expect(text).not.toContain(String(plain(outs["key"])));
  expect(text).not.toContain(world.simulator.apiKey);
  expect(text).not.toContain("203.0.113.0");
});

it("keeps an entry closed that is closed during a write", async () => {
  await make();
  const [entry] = journal.entries;
  const slow: Journal = {
    ...noJournal,
    write: async (newer) => {
      await setImmediate();
      await journal.write(newer);
    },
    remove: (ended) => journal.remove(ended),
    all: () => journal.all(),
  };
  const run = world.run({}, { journal: slow });
  await run.run.journal.interrupted(urnOf(type, "x"));
  const writing = run.run.journal.supersede(entry!);
  await run.run.journal.close(entry!);
  await writing;
  await run.run.journal.supersede(entry!);
  expect(journal.entries).toEqual([]);
});

it("an entry has the changes of all concurrent steps", async () => {
  await make();
  const { run } = world.run({}, { journal });
  const [entry] = await run.journal.interrupted(urnOf(type, "x"));
  await run.journal.supersede(entry!);
  await run.journal.handOver(entry!);
  const latest = { isSuperseded: true, isHandedOver: true };
  expect(journal.entries).toMatchObject([latest]);
  expect(await run.journal.interrupted(urnOf(type, "x"))).toMatchObject([latest]);
});

it("keeps the latest version of an entry despite older reads", async () => {
  const entry = journalEntry();
  let writeFirst = (): void => undefined;
  const first = new Promise<void>((resolve) => (writeFirst = resolve));
  const writes = [first, new Promise<void>(() => undefined)];
  const all = (): Promise<JournalContents> =>
    Promise.resolve({ entries: [structuredClone(entry)], adopted: [], unreadable: [] });
  const slow = journalWith(noJournal, { write: () => writes.shift() ?? Promise.resolve(), all });
  const writer = new EntryWriter(slow, { line: () => Promise.resolve(), status: () => undefined });
  void writer.write(entry);
  const reading = writer.read();
  writeFirst();
  void writer.write({ ...entry, id: "5a5a" });
  await reading;
  expect(writer.latest(entry)).toMatchObject({ id: "5a5a" });
});

it("names a half-made object that --target-replace leaves out", async () => {
  const of = "ConnectConnection";
  await world.fault({ method: "POST", path: "/connections$", operation: "never" });
  const stuck = world.run({ operationTimeout: "5s" }, { journal });
  const { id: old } = (await make(of, {}, stuck).catch((failure: unknown) => failure)) as { readonly id: string };
  expect(journal.entries).toMatchObject([{ id: old, isHandedOver: true }]);

  const run = world.run({}, { journal });
  const { id, outs } = await make(of, {}, run);
  expect(outs["status"]).toBe("ready");
  expect((await world.objects(of)).map((each) => each.id)).toEqual(expect.arrayContaining([id, old]));
  expect(run.lines.filter(({ text }) => text.includes(old))).toMatchObject([{ severity: "warning" }]);
  expect(journal.entries).toContainEqual(expect.objectContaining({ id: old, isSuperseded: true }));
});
