import { descriptorOf } from "../kinds";
import { noJournal, type Journal } from "../../src/journal/journal";
import { thisProcess, type ProcessIdentity } from "../../src/process/process-identity";
import { failureOf, type Failure } from "../support/failure-of";
import { urnOf } from "../support/lifecycle";
import { answer, auditLogsOnly, before, dropAfter, repeat } from "../support/proxy/actions";
import { AUDIT_LOGS, causeOf, post, RecoveryBench, type Creation } from "./support/recovery-fixture";

const type = "FirewallRule";
const { world, proxy, journal, heldIds, run, make, makeUnreported, adoptElsewhere, refusal } = RecoveryBench.forSuite();

const UNDER_WAY = { code: "CREATION_UNDER_WAY" };
const other = { pid: process.ppid, space: thisProcess().space };
const ended = { ...other, startedAt: "1" };

/** An entry of a killed run, and the process that has locked its object since. */
async function left(isAnswered: boolean, worker?: ProcessIdentity): Promise<string> {
  const { id } = await make(type);
  await journal.undoHandOver({ isAnswered });
  await journal.write({ ...journal.entries[0]!, sender: ended });
  if (worker) journal.lockFor(worker, id);
  return id;
}

/** The same for a request that was delivered twice. Resolves with both objects. */
async function leftTwice(isAnswered: boolean): Promise<readonly [id: string, twin: string]> {
  proxy.on({ ...post(type), nth: 1 }, repeat);
  const id = await left(isAnswered);
  const [twin = ""] = (await heldIds(type)).filter((each) => each !== id);
  return [id, twin];
}

const adopting = (id: string): Promise<Creation> => make(type, run(), { adopt: id, tags: ["changed"] });
const changesOf = (id: string): number => proxy.count({ method: "PATCH", path: new RegExp(`${id}$`) });

describe("an object locked by another process", () => {
  it("does not take over an object locked by another process", async () => {
    const id = await left(true, other);
    const message = expect.stringContaining("Another process") as string;
    expect(await causeOf(make(type))).toMatchObject({ ...UNDER_WAY, message });
    journal.lockFor(ended, id);
    expect((await make(type)).id).toBe(id);
  });

  it.each([true, false])("an adoption waits for the lock, then fails (handed over: %s)", async (isHandedOver) => {
    const id = await left(true, other);
    if (isHandedOver) await journal.write({ ...journal.entries[0]!, isHandedOver });
    world.clock.onSleep = () => journal.lockFor(ended, id);
    expect(await causeOf(adopting(id))).toMatchObject(UNDER_WAY);
    expect((await adopting(id)).id).toBe(id);
  });

  it("ignores the lock of an object that is only named", async () => {
    const id = await left(true, other);
    await journal.write({ ...journal.entries[0]!, isSuperseded: true });
    await make(type);
    expect(journal.lockerOf(id)).toEqual(other);
  });

  interface Work {
    readonly isAnswered: boolean;
    /** True if the API refuses the audit log. */
    readonly isLogRefused?: true;
    /** True if the object of the request's second delivery is adopted. */
    readonly isTwin?: true;
    /** True if the object is then missing, which the failure says. */
    readonly isDeleted?: true;
    readonly does: (id: string) => Promise<void>;
  }
  const write = (changes: object): Promise<void> => journal.write({ ...journal.entries[0]!, ...changes });
  const takeAway = (id: string): Promise<void> => world.takeAway("firewallRules", id);
  it.each<readonly [string, Work]>([
    ["takes over", { isAnswered: false, isLogRefused: true, does: (id) => write({ id, isHandedOver: true }) }],
    ["adopts", { isAnswered: true, does: (id) => journal.recordAdoption({ type, id }) }],
    ["hands over", { isAnswered: true, does: () => write({ sender: ended, isHandedOver: true }) }],
    [
      "adopts as a second object",
      { isAnswered: true, isTwin: true, does: (id) => journal.recordAdoption({ type, id }) },
    ],
    ["deletes, leaving the entry,", { isAnswered: false, isDeleted: true, does: takeAway }],
    [
      "deletes, closing the entry,",
      { isAnswered: true, isDeleted: true, does: (id) => journal.remove(journal.entries[0]!).then(() => takeAway(id)) },
    ],
  ])(
    "fails an adoption if another process %s the object meanwhile",
    async (_how, { isAnswered, isLogRefused, isTwin, isDeleted, does }) => {
      const [id, twin] = isTwin ? await leftTwice(isAnswered) : [await left(isAnswered), ""];
      const adopted = isTwin ? twin : id;
      if (isLogRefused) proxy.on(AUDIT_LOGS, answer(403, refusal()));
      const through = run();
      await through.run.journal.warnOfEarlier(urnOf(type, "x")); // which reads the journal
      await does(adopted);
      const failure = await failureOf(make(type, through, { adopt: adopted, tags: ["changed"] }));
      if (!isDeleted) expect(failure.cause).toMatchObject(UNDER_WAY);
      expect(changesOf(adopted)).toBe(0);
    },
  );
});

it.each<readonly [string, string, boolean, (id: string) => Promise<Creation>]>([
  ["a creation", "GET", true, () => make(type)],
  ["an adoption", "GET", true, adopting],
  ["an adoption", "PATCH", false, adopting],
])("%s locks the object before it sends %s", async (_case, method, isAnswered, start) => {
  const id = await left(isAnswered);
  const workers: unknown[] = [];
  proxy.on(
    { method, path: new RegExp(`${id}$`) },
    before(() => workers.push(journal.lockerOf(id))),
  );
  await start(id);
  expect(workers.at(-1)).toEqual(thisProcess());
});

it.each([true, false])("an adoption fails if the entry was closed meanwhile; answered: %s", async (isAnswered) => {
  const id = await left(isAnswered);
  const through = run();
  await through.run.journal.warnOfEarlier(urnOf(type, "x")); // which reads the journal
  await journal.remove(journal.entries[0]!);
  expect(await causeOf(make(type, through, { adopt: id }))).toMatchObject(UNDER_WAY);
  expect((await make(type, run(), { adopt: id })).id).toBe(id);
});

it("fails an adoption if the object was handed over meanwhile", async () => {
  const id = await left(true, other);
  world.clock.onSleep = () => {
    journal.lockFor(ended, id);
    return journal.write({ ...journal.entries[0]!, sender: ended, isHandedOver: true });
  };
  const through = run();
  expect((await make(type, through)).id).not.toBe(id);
  expect(await causeOf(make(type, through, { adopt: id }, "kept"))).toMatchObject(UNDER_WAY);
});

it("locks an adopted object even if only another kind has an entry", async () => {
  const id = await left(true);
  await journal.write({ ...journal.entries[0]!, type: "Vm", id: "a VM" });
  journal.lockFor(other, id);
  expect(await causeOf(adopting(id))).toMatchObject(UNDER_WAY);
  journal.lockFor(ended, id);
  expect((await adopting(id)).id).toBe(id);
  expect(journal.lockerOf(id)).toEqual(thisProcess());
});

it("resources of one process do not lock each other out", async () => {
  const id = await left(true);
  const through = run();
  const made = await Promise.all([make(type, through, { adopt: id }, "kept"), make(type, through)]);
  expect(made.map((each) => each.id)).toEqual([id, expect.not.stringMatching(id)]);
});

it("fails an adoption after waiting for the creating run", async () => {
  const id = await left(true);
  await journal.write({ ...journal.entries[0]!, sender: other, isHandedOver: true });
  world.clock.onSleep = () => journal.write({ ...journal.entries[0]!, sender: ended });
  expect(await causeOf(adopting(id))).toMatchObject(UNDER_WAY);
  expect(changesOf(id)).toBe(0);
});

it("an adoption fails if the object cannot be locked", async () => {
  const id = await left(true);
  jest.spyOn(journal, "lock").mockRejectedValue(Object.assign(new Error("read-only"), { code: "EROFS" }));
  expect(await causeOf(adopting(id))).toMatchObject({ code: "UNWRITABLE_JOURNAL" });
  expect(changesOf(id)).toBe(0);
});

it("an adoption of another object leaves the entry", async () => {
  const id = await left(true);
  const another = await make(type, world.run({ costQuotes: "false" }), {}, "other");
  await make(type, run(), { adopt: another.id });
  expect(journal.entries.find((entry) => entry.id === id)).not.toHaveProperty("isSuperseded");
});

it("sends the change of a deleted object only once", async () => {
  const id = await left(true);
  world.clock.advance(2 * 86_400_000);
  proxy.on({ method: "PATCH" }, answer(404, refusal()));
  await causeOf(adopting(id));
  expect(changesOf(id)).toBe(1);
});

it("does not wait for the adopted second object", async () => {
  const [id, twin] = await leftTwice(true);
  await journal.recordAdoption({ type, id: twin });
  journal.lockFor(other, twin);
  expect((await make(type)).id).toBe(id);
  expect(journal.entries).toContainEqual(expect.objectContaining({ id: twin, isHandedOver: true }));
});

it("keeps no entry of a second object that somebody has deleted", async () => {
  const [id, twin] = await leftTwice(true);
  await world.takeAway(descriptorOf(type).collection, twin);
  expect((await make(type)).id).toBe(id);
  expect(journal.entries.map((entry) => entry.id)).toEqual([id]);
});

it.each(["an entry", "the journal"])("keeps an entry while %s is temporarily unreadable", async (what) => {
  const id = await left(true, other);
  const through = run();
  await through.run.journal.warnOfEarlier(urnOf(type, "x")); // which reads the journal
  const [entry] = journal.entries;
  const at = what === "an entry" ? { path: `/journal/${entry!.key}.json` } : { path: "/journal", isJournal: true };
  const unreadable = [{ ...at, reason: "cannot be read (EBUSY)" }];
  jest.spyOn(journal, "all").mockResolvedValueOnce({ entries: [], adopted: [], unreadable });
  journal.lockFor(ended, id);
  expect((await make(type, through)).id).toBe(id);
});

it("does not reopen an entry that was closed meanwhile", async () => {
  await left(false);
  await journal.write({ ...journal.entries[0]!, isSuperseded: true });
  const through = run();
  await through.run.journal.warnOfEarlier(urnOf(type, "x")); // which reads the journal
  await journal.remove(journal.entries[0]!);
  await make(type, through, {}, "another");
  expect(journal.entries.filter(({ urn }) => urn === urnOf(type, "x"))).toEqual([]);
});

describe("a VM with a data volume", () => {
  const args = { dataVolumes: [{ name: "data", size: 10, type: "abs" }] };
  /** Makes it while the journal has an entry. */
  async function madeVm(): Promise<readonly [vm: string, volume: string]> {
    await left(true);
    const { id, outs } = await make("Vm", world.run({ costQuotes: "false" }), args, "vm");
    return [id, String((outs["dataVolumeIds"] as string[])[0])];
  }

  it("locks the volume of an adopted VM before reading the VM", async () => {
    const [id, volume] = await madeVm();
    const lockers: unknown[] = [];
    proxy.on(
      { method: "GET", path: new RegExp(`/vms/${id}$`) },
      before(() => lockers.push(journal.lockerOf(volume))),
    );
    await make("Vm", run(), { ...args, adopt: id }, "adopted");
    expect(lockers.at(-1)).toEqual(thisProcess());
  });

  it("an adoption that the API refuses unlocks the volume", async () => {
    const [id, volume] = await madeVm();
    proxy.on({ method: "PATCH" }, answer(422, refusal()));
    await failureOf(make("Vm", run(), { ...args, adopt: id, tags: ["changed"] }, "adopted"));
    expect(journal.lockerOf(volume)).toBeUndefined();
  });

  it("does not take over a VM whose volume was adopted", async () => {
    const { id, outs } = await make("Vm", run(), args, "x");
    await journal.undoHandOver();
    await journal.write({ ...journal.entries[0]!, sender: ended });
    const [volume = ""] = outs["dataVolumeIds"] as string[];
    await make("Volume", run(), { ...args.dataVolumes[0], vmId: id, adopt: volume }, "adopted");
    const through = run();
    expect((await make("Vm", through, args, "x")).id).not.toBe(id);
    expect(through.warnings().join()).toContain(`It had made ${id}, whose part ${volume} a resource has adopted`);
  });

  it("records an adopted VM and its volume as adopted", async () => {
    const [id, volume] = await madeVm();
    await make("Vm", run(), { ...args, adopt: id }, "adopted");
    const noted = [
      { type: "Vm", id },
      { type: "Volume", id: volume },
    ];
    expect(journal.adopted).toEqual(expect.arrayContaining(noted)); // and its boot volume
  });
});

it("a creation unlocks an object that it leaves", async () => {
  const id = await left(true);
  await make(type, run(), { tags: ["changed"] });
  expect(journal.entries[0]).toMatchObject({ isSuperseded: true });
  expect(journal.lockerOf(id)).toBeUndefined();
});

it("a creation that fails unlocks the object", async () => {
  const id = await left(true);
  proxy.on({ method: "GET", path: new RegExp(`${id}$`) }, answer(403, refusal()));
  expect(await causeOf(make(type))).toMatchObject({ code: "LOST_CREATION" });
  expect(journal.lockerOf(id)).toBeUndefined();
});

it("does not take over its lost object if another stack adopted it", async () => {
  let taken = "";
  proxy.on({ ...post(type), nth: 1 }, dropAfter).on(
    { ...AUDIT_LOGS, nth: 1 },
    before(async () => {
      [taken = ""] = await heldIds(type);
      await journal.recordAdoption({ type, id: taken });
    }),
  );
  const through = run();
  expect((await make(type, through)).id).not.toBe(taken);
  expect(through.warnings()).toEqual([expect.stringContaining(`had made ${taken}, which another process`)]);
});

describe("a request that was delivered twice", () => {
  it.each([true, false])("names the second object when the first is adopted (answered: %s)", async (isAnswered) => {
    const [id, twin] = await leftTwice(isAnswered);
    const through = run();
    await make(type, through, { adopt: id });
    expect(through.warnings()).toContainEqual(expect.stringContaining(`delivered twice, and had also made ${twin}`));
    expect(journal.entries).toMatchObject([
      { id, isHandedOver: true },
      { id: twin, isSuperseded: true },
    ]);
  });

  it("takes over the first object when the second is adopted", async () => {
    const [id, twin] = await leftTwice(true);
    expect(await adoptElsewhere(twin)).toBe(twin);
    expect((await make(type)).id).toBe(id);
    // Also if no state gets it.
    expect(journal.entries).toContainEqual(expect.objectContaining({ id: twin, isHandedOver: true }));
    expect(await heldIds(type)).toHaveLength(2);
  });

  it("an adoption leaves the entry that the other process writes", async () => {
    const [id, twin] = await leftTwice(false);
    const through = run();
    await through.run.journal.warnOfEarlier(urnOf(type, "x")); // which reads the journal
    const [entry] = journal.entries;
    await journal.write({ ...entry!, id, isHandedOver: true });
    await journal.write({ ...entry!, key: `${entry!.token}-${twin}`, id: twin, isSuperseded: true });
    let locker: unknown;
    proxy.on(
      { method: "PATCH", path: new RegExp(`${twin}$`) },
      before(() => (locker = journal.lockerOf(twin))),
    );
    expect(await adoptElsewhere(twin, { through, tags: ["changed"] })).toBe(twin);
    expect(locker).toEqual(thisProcess());
    expect(journal.entries[0]).toMatchObject({ id, isHandedOver: true });
    expect(through.texts().join()).not.toContain("delivered twice");
  });

  it.each([
    ["refused", answer(403, refusal())],
    ["late", auditLogsOnly(() => false)],
  ])("does not take over an adopted second object (log %s)", async (_how, action) => {
    const [id, twin] = await leftTwice(true);
    proxy.on(AUDIT_LOGS, action);
    expect(await adoptElsewhere(twin)).toBe(twin);
    proxy.clear();
    expect((await make(type)).id).toBe(id);
  });

  const taking: [how: string, takes: (id: string) => void][] = [
    ["locks", (id) => journal.lockFor(other, id)],
    ["has adopted", (id) => journal.adopted.push({ type: "ApiKey", id })],
  ];
  it.each(taking)("deletes no lost key that another process %s", async (_how, takes) => {
    let taken = "";
    proxy
      .on({ ...post("ApiKey"), nth: 1 }, dropAfter)
      .on({ ...post("ApiKey"), nth: 1 }, repeat)
      .on(
        { ...AUDIT_LOGS, nth: 1 },
        before(async () => {
          [taken = ""] = await heldIds("ApiKey");
          takes(taken);
        }),
      );
    const through = run();
    const { id } = await make("ApiKey", through);
    expect((await heldIds("ApiKey")).sort()).toEqual([id, taken].sort());
    expect(through.warnings()).toEqual([expect.stringContaining(`had made ${taken}, which another process`)]);
    expect(journal.entries).toContainEqual(expect.objectContaining({ id: taken, isSuperseded: true }));
  });

  it("reads the entry again after waiting for a lock", async () => {
    const [id, twin] = await leftTwice(false);
    journal.lockFor(other, twin);
    world.clock.onSleep = async () => {
      const [entry] = journal.entries;
      await journal.write({ ...entry!, id: twin, isHandedOver: true });
      await journal.write({ ...entry!, key: `${entry!.token}-${id}`, id, isSuperseded: true });
      journal.lockFor(ended, twin);
    };
    const through = run();
    await make(type, through);
    expect(through.warnings().join()).toContain(`It had made ${twin}, and Pulumi received it`);
    expect(journal.entries.map((entry) => entry.id)).toEqual(expect.arrayContaining([id, twin]));
  });

  it("keeps an entry for the adopted object", async () => {
    const [, twin] = await leftTwice(false);
    await journal.recordAdoption({ type, id: twin });
    await make(type, run(), { tags: ["changed"] });
    expect(journal.entries).toContainEqual(expect.objectContaining({ id: twin, isHandedOver: true }));
  });

  it("keeps entries for adopted objects until a state shows them", async () => {
    const ids = await leftTwice(false);
    await journal.write({ ...journal.entries[0]!, isSuperseded: true });
    for (const id of ids) await journal.recordAdoption({ type, id });
    await make(type, run(), {}, "another");
    const open = journal.entries.filter(({ urn }) => urn === urnOf(type, "x"));
    expect(open.map(({ id, isHandedOver }) => [id, isHandedOver]).sort()).toEqual(ids.map((id) => [id, true]).sort());
  });

  it("takes over one object and adopts the other in one run", async () => {
    const [id, twin] = await leftTwice(false);
    const through = run();
    const [made, adopted] = await Promise.all([make(type, through), make(type, through, { adopt: twin }, "kept")]);
    expect([made.id, adopted.id].sort()).toEqual([id, twin].sort());
    expect(journal.entries.map((entry) => entry.id)).toContain(made.id);
  });
});

it.each([
  ["fails if the entry has no id", undefined, "CREATION_UNDER_WAY"],
  ["succeeds if the entry has an id", "00000000-0000-4000-8000-0000000000ff", undefined],
])("a creation beside a held superseded entry %s", async (_case, id, code) => {
  await makeUnreported(type);
  await journal.write({ ...journal.entries[0]!, id, sender: other, isSuperseded: true });
  const failure = await make(type).then(
    () => undefined,
    (error: unknown) => (error as { cause: Failure }).cause,
  );
  expect(failure?.code).toBe(code);
});

describe("while a process in another container creates the resource", () => {
  const elsewhere = { pid: 7, startedAt: "1", space: "the same boot/pid:[1]" };
  const touched = (agoMs: number): string => new Date(world.clock.now() - agoMs).toISOString();

  it.each([14_000, -14_000])("fails a creation (age of the last touch: %i ms)", async (ageMs) => {
    const { id } = await makeUnreported(type);
    const [entry] = journal.entries;
    const others: Journal = {
      ...noJournal,
      all: () =>
        Promise.resolve({
          entries: [{ ...entry!, sender: elsewhere, touchedAt: touched(ageMs) }],
          adopted: [],
          unreadable: [],
        }),
    };
    const through = world.run({ baseUrl: proxy.url, costQuotes: "false" }, { journal: others });
    const error = await causeOf(make(type, through));
    expect(error.code).toBe("CREATION_UNDER_WAY");
    expect(error.message).toContain("Wait until that process has ended, and run again.");
    expect(through.lines).toEqual([]);
    expect(await heldIds(type)).toEqual([id]);
  });

  it("waits until a killed process counts as dead", async () => {
    const { id } = await makeUnreported(type);
    await journal.write({ ...journal.entries[0]!, sender: elsewhere, touchedAt: touched(10_000) });
    const startedAt = world.clock.now();
    expect((await make(type)).id).toBe(id);
    expect(world.clock.now() - startedAt).toBeGreaterThanOrEqual(50_000);
  });

  it("a creation ignores a file from the future", async () => {
    const { id } = await makeUnreported(type);
    await journal.write({ ...journal.entries[0]!, sender: elsewhere, touchedAt: touched(-3_600_000) });
    const startedAt = world.clock.now();
    expect((await make(type)).id).toBe(id);
    expect(world.clock.now() - startedAt).toBeLessThan(10_000);
  });

  it.each([
    ["another container", elsewhere],
    ["this machine", other],
  ])("waits for no process of %s that handed its object over", async (_where, sender) => {
    const { id } = await make(type);
    await journal.write({ ...journal.entries[0]!, sender, touchedAt: touched(0), isHandedOver: true });
    const startedAt = world.clock.now();
    expect((await make(type)).id).not.toBe(id);
    expect(world.clock.now() - startedAt).toBeLessThan(10_000);
  });
});
