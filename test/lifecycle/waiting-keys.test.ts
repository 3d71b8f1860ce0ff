import { failureOf } from "../support/failure-of";
import { UNKNOWN } from "../../src/engine/values";
import { sent, urnOf, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { MiniStack } from "../support/mini-engine";
import { plain, type StateEntry } from "../support/mini-state";
import { preview } from "../support/mini-refresh";
import { answer, hidden, skewDate } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { reasonsOf } from "./support/reasons";
import { DAY_MS, declared, kept, KeyBench, retiredIn } from "./support/key-fixture";

const { world, ids: keys, up: run, compare, deleteFirst, signedInWith } = KeyBench.forSuite();
const proxy = FaultProxy.forSuite(world);
const deleteOld = { whenQuietFor: "2d", atLatest: "10d" };
const first = {
  permissions: [{ resourceType: "vpc", permission: "edit" }],
  expiresAt: "2026-12-31T00:00:00Z",
  deleteOld,
};
const second = { ...first, expiresAt: "2027-01-31T00:00:00Z" };
const third = { ...first, expiresAt: "2027-02-28T00:00:00Z" };

/** A request of a client, which the audit log shows. */
async function use({ outs }: StateEntry, userAgent = "client/1.0"): Promise<number> {
  const path = "/v1/networking/vpcs/00000000-0000-4000-8000-00000000dead";
  const headers = { authorization: `Bearer ${String(outs["key"])}`, "user-agent": userAgent };
  return (await fetch(world.simulator.url + path, { method: "DELETE", headers })).status;
}

/** A key that a client uses, and its successor. */
async function rotated(args: object = second): Promise<{ readonly old: StateEntry; readonly present: StateEntry }> {
  const old = (await run(first)).state;
  await use(old);
  world.clock.advance(DAY_MS);
  return { old, present: (await run(args, old)).state };
}

describe("a replaced key with whenQuietFor", () => {
  it("keeps a replaced key, and its row says so", async () => {
    const old = (await run(first)).state;
    const { state, lines } = await run(second, old);
    expect(await keys()).toEqual([old.id, state.id]);
    expect(lines).toContain(`API key ${old.id} was replaced, and waits until no client uses it`);
    expect(state.outs["__retired"]).toEqual([
      { id: old.id, signedIn: false, replacedAt: "2026-06-15T12:00:00Z", expiresAt: "2026-12-31T00:00:00Z" },
    ]);
  });

  it("keeps a used key, and names its client", async () => {
    const { old, present } = await rotated();
    world.clock.advance(3 * DAY_MS);
    await use(old, "late/2.0");
    const { operation, lines } = await run(second, present);
    expect([operation, await keys()]).toEqual(["same", [old.id, present.id]]);
    expect(lines).toEqual([
      `API key ${old.id}, which this one has replaced, stays until no client uses it, at the latest until 2026-06-26T12:00:00Z: ` +
        "since its replacement it was used by 127.0.0.1 (late/2.0, 1 request, the last on 2026-06-19T12:00:00Z)",
    ]);
  });

  it("deletes a quiet key, and says since when", async () => {
    const { old, present } = await rotated();
    world.clock.advance(2 * DAY_MS);
    const { operation, state, lines } = await run(second, present);
    expect([operation, await keys()]).toEqual(["update", [present.id]]);
    expect(lines).toEqual([
      `deleted API key ${old.id}, which this one has replaced: the audit log shows no request of it since 2026-06-15T12:00:00Z`,
    ]);
    expect([state.outs["__retired"], state.outs["key"]]).toEqual([undefined, present.outs["key"]]);
    expect((await run(second, state)).operation).toBe("same");
  });

  it("deletes a used key at atLatest, and names its client", async () => {
    const { old, present } = await rotated();
    world.clock.advance(10 * DAY_MS);
    await use(old, "never-stops/1.0");
    const by = world.run();
    await run(second, present, by);
    expect(await keys()).toEqual([present.id]);
    expect(by.warnings()).toEqual([expect.stringMatching(/may wait 10d, although it was used by .*never-stops\/1\.0/)]);
  });

  it("says once that deleteOld now leaves a waiting key", async () => {
    const { old, present } = await rotated();
    const leaves = { ...second, deleteOld: "atExpiry" };
    const { state, lines } = await run(leaves, present);
    const text = `API key ${old.id}, which this one has replaced, stays: deleteOld now leaves it until it expires`;
    expect(lines).toContain(text);
    expect((await run(leaves, state)).lines).not.toContain(text);
    expect(await keys()).toEqual([old.id, present.id]);
  });

  it("keeps a key until atLatest if the log shows no use", async () => {
    const old = (await run(first)).state;
    const present = (await run(second, old)).state;
    world.clock.advance(9 * DAY_MS);
    const { lines } = await run(second, present);
    expect(lines.join()).toContain("the audit log shows no request of it at all");
    expect(await keys()).toEqual([old.id, present.id]);
    world.clock.advance(DAY_MS);
    await run(second, present);
    expect(await keys()).toEqual([present.id]);
  });

  it.each([
    [403, "the provider's API key may not read the audit log (audit_log:read)"],
    [500, "the audit log could not be read (500"],
  ])("a key waits if the log answers %d", async (status, reason) => {
    const { old, present } = await rotated();
    world.clock.advance(5 * DAY_MS);
    await world.fault({ path: "/v1/audit_logs", status, times: 100 });
    const { lines } = await run(second, present);
    expect(lines.join()).toContain(reason);
    expect(await keys()).toEqual([old.id, present.id]);
  });

  it("a preview announces the deletion of a waiting key", async () => {
    const { old, present } = await rotated();
    world.clock.advance(2 * DAY_MS);
    const by = world.run();
    expect(await preview(by, "ApiKey", second, present)).toMatchObject({ operation: "update" });
    expect(by.texts().join()).toContain(`deletes API key ${old.id}, which this one has replaced: the audit log`);
    expect(await keys()).toHaveLength(2);
  });

  it("reads the log again just before deleting a waiting key", async () => {
    const { old, present } = await rotated();
    world.clock.advance(2 * DAY_MS);
    const by = world.run();
    const inputs = await compare(second, present, by);
    await use(old);
    const { outs } = await by.of("ApiKey").update(present.id, present.outs, inputs);
    expect(await keys()).toEqual([old.id, present.id]);
    expect(outs["__retired"]).toHaveLength(1);
  });

  it("deletes a waiting key at once if whenQuietFor is removed", async () => {
    const { old, present } = await rotated();
    await use(old);
    await run({ ...second, deleteOld: "after" }, present);
    expect(await keys()).toEqual([present.id]);
  });

  it.each<readonly [string, object, string | undefined]>([
    ["retainOnDelete keeps it", { ...second, __retainOnDelete: true }, undefined],
    ['the program reads it with the get "copy"', second, "copy"],
  ])("a key that is due stays: %s", async (reason, args, reader) => {
    const { old, present } = await rotated();
    world.clock.advance(20 * DAY_MS);
    const by = world.run();
    if (reader !== undefined) by.run.memory.objects.note(old.id, { reader: urnOf("ApiKey", reader) });
    const { lines } = await run(args, present, by);
    expect(lines).toContain(`API key ${old.id}, which this one has replaced, stays: ${reason}`);
    expect(await keys()).toEqual([old.id, present.id]);
  });

  it("reports a deleted key even with retainOnDelete", async () => {
    const { old, present } = await rotated();
    await world.api("DELETE", `/v1/api_keys/${old.id}`);
    const { lines } = await run({ ...second, __retainOnDelete: true }, present);
    expect(lines.join()).toContain(`${old.id}, which this one has replaced, counts as deleted`);
  });

  it.each([1, 2])("reports after %i days that the key no longer exists", async (days) => {
    const { old, present } = await rotated();
    await world.api("DELETE", `/v1/api_keys/${old.id}`);
    world.clock.advance(days * DAY_MS);
    const { state, lines } = await run(second, present);
    expect(state.outs["__retired"]).toBeUndefined();
    expect(lines).toEqual([
      `API key ${old.id}, which this one has replaced, counts as deleted: the API does not show it`,
    ]);
  });
});

it("refuses a run with the key of another account, which shows no key", async () => {
  const { old, present } = await rotated();
  for (const { id } of [old, present]) await world.api("DELETE", `/v1/api_keys/${id}`);
  await expect(run(second, present)).rejects.toThrow(
    `The API shows neither API key ${present.id} nor ${old.id}, which it has replaced: they may be in another account`,
  );
});

it("rotates after the deletion of both keys, which the audit log shows", async () => {
  const { old, present } = await rotated();
  for (const { id } of [old, present]) await world.api("DELETE", `/v1/api_keys/${id}`);
  const { state } = await run(third, present);
  expect(await keys()).toEqual([state.id]);
});

it.each([
  ["first", "belongs to the resource"],
  ["last", "adopts API key"],
])("refuses to adopt a waiting key; successor presented %s", async (order, reason) => {
  const { old, present } = await rotated();
  const by = world.run();
  const successor = (): Promise<unknown> => preview(by, "ApiKey", second, present);
  const adopt = { id: old.id, key: "its-secret" };
  const other = async (): Promise<void> => {
    const [refusal] = await reasonsOf(by, "ApiKey", "other", { ...first, adopt });
    if (refusal !== undefined) throw new Error(refusal);
  };
  const [before, after] = order === "first" ? [successor, other] : [other, successor];
  await before();
  await expect(after()).rejects.toThrow(reason);
});

describe("keeping track of waiting keys", () => {
  it.each(["loses no waiting", "deletes a quiet"])("a later rotation %s key", async (how) => {
    const { old, present } = await rotated();
    if (how === "deletes a quiet") world.clock.advance(3 * DAY_MS);
    else await use(old);
    const { state } = await run(third, present);
    const waiting = how === "deletes a quiet" ? [present.id] : [old.id, present.id];
    expect([retiredIn(state), await keys()]).toEqual([waiting, [...waiting, state.id]]);
  });

  it("a refresh loses no waiting key", async () => {
    const { old, present } = await rotated();
    const stack = new MiniStack([kept(present)]);
    await stack.refresh(world.run());
    expect(retiredIn(stack.stateOf("x"))).toEqual([old.id]);
  });

  it.each([
    ["that waits", 0],
    ["that is due", 20 * DAY_MS],
  ])("keeps a waiting key after adopting the replaced key %s", async (_title, laterMs) => {
    const { old, present } = await rotated();
    world.clock.advance(laterMs);
    const back = { ...first, adopt: { id: old.id, key: plain(old.outs["key"]) } };
    const { state } = await run(back, present);
    expect([state.id, retiredIn(state)]).toEqual([old.id, [present.id]]);
    world.clock.advance(30 * DAY_MS);
    await run(back, state);
    expect(await keys()).toEqual([old.id]);
  });

  it("an imported replaced key is not called unmanaged", async () => {
    const { old, present } = await rotated();
    const by = world.run();
    await compare(first, old, by);
    await by.of("ApiKey").delete(present.id, present.outs);
    expect(by.warnings()).toEqual([expect.stringContaining(`API key ${present.id} stays until it expires`)]);
  });

  it("the journal has all old keys with `deleteBeforeReplace`", async () => {
    const { old, present } = await rotated();
    const journal = new MemoryJournal();
    await deleteFirst(third, present, world.run({}, { journal }));
    const inJournal = () => journal.entries.map(({ id }) => id).sort();
    expect(inJournal()).toEqual([old.id, present.id].sort());
    // The next run, or a preview, compares the replaced object again, which the state has until then.
    const next = world.run({}, { journal });
    await compare(third, present, next);
    expect(inJournal()).toEqual([old.id, present.id].sort());
    const { inputs } = await next.of("ApiKey").check({}, sent("ApiKey", "x", third, false));
    await compare(third, { inputs, ...(await next.of("ApiKey").create(inputs)) }, world.run({}, { journal }));
    expect(inJournal()).toEqual([]);
  });

  it("names a waiting key if another resource adopts its successor", async () => {
    const { old, present } = await rotated();
    const stack = new MiniStack([kept(present)]);
    const journal = new MemoryJournal();
    const by = world.run({}, { journal });
    const adopt = { id: present.id, key: plain(present.outs["key"]) };
    await stack.up(by, declared({ ...second, adopt }, "renamed"));
    expect(await keys()).toEqual([old.id, present.id]);
    expect(by.texts().join("\n")).toContain(
      `API key ${old.id} stays until it expires, because another resource has adopted its successor`,
    );
    expect(journal.entries).toContainEqual(expect.objectContaining({ id: old.id, isSuperseded: true }));
  });

  it("names the waiting key if its successor is read elsewhere", async () => {
    const { old, present } = await rotated();
    const by = world.run();
    by.run.memory.objects.note(present.id, { reader: "urn:pulumi:dev::test::cloudinfra:index:ApiKey::copy" });
    await expect(by.of("ApiKey").delete(present.id, present.outs)).rejects.toThrow(
      `Nothing manages the replaced ${old.id} then`,
    );
    expect(await keys()).toEqual([old.id, present.id]);
  });

  it("keeps a waiting key if the new key is not ready", async () => {
    const old = (await run(first)).state;
    const stack = new MiniStack([kept(old)]);
    await world.fault({ method: "GET", path: `/v1/api_keys/(?!${old.id})`, status: 500, times: 100 });
    await stack.up(world.run(), declared(second));
    expect(stack.stateOf("x").id).not.toBe(old.id);
    expect(retiredIn(stack.stateOf("x"))).toEqual([old.id]);
    await world.clearFaults();
    await stack.up(world.run(), declared(second));
    expect(await keys()).toEqual([old.id, stack.stateOf("x").id]);
  });
});

it("says nothing of a waiting key that somebody has deleted", async () => {
  const journal = new MemoryJournal();
  const stack = new MiniStack();
  await stack.up(world.run({}, { journal }), declared(first));
  const { id } = stack.stateOf("x");
  await stack.up(world.run({}, { journal }), declared(first), { replace: ["x"] });
  const ofKey = { id, isSuperseded: true };
  expect(journal.entries).toContainEqual(expect.objectContaining(ofKey));
  await world.api("DELETE", `/v1/api_keys/${id}`);
  world.clock.advance(DAY_MS);
  const next = world.run({}, { journal });
  await stack.up(next, declared(first), { replace: ["x"] });
  expect(next.texts().join("\n")).not.toContain(id);
  expect(journal.entries).not.toContainEqual(expect.objectContaining(ofKey));
});

describe("an answer with a wrong Date", () => {
  const behindProxy = (): TestRun => world.run({ baseUrl: proxy.url });
  const yearly = { ...first, expiresAt: undefined, lifetime: "90d" };

  it("a wrong Date deletes and replaces nothing", async () => {
    const old = (await run({ ...yearly, rotationTrigger: 1 })).state;
    const present = (await run({ ...yearly, rotationTrigger: 2 }, old)).state;
    for (let nth = 1; nth <= 9; nth += 1) {
      proxy.clear();
      proxy.on({ nth }, skewDate(80 * DAY_MS));
      const { operation } = await run({ ...yearly, rotationTrigger: 2 }, present, behindProxy());
      expect([nth, operation, await keys()]).toEqual([nth, "same", [old.id, present.id]]);
    }
  });

  it("does not wait less because of a wrong Date", async () => {
    const old = (await run(first)).state;
    proxy.on({}, skewDate(-9 * DAY_MS));
    const present = (await run(second, old, behindProxy())).state;
    world.clock.advance(9 * DAY_MS);
    await run(second, present);
    expect(await keys()).toEqual([old.id, present.id]);
  });
});

it("an undeletable old key does not lose a change", async () => {
  const { old, present } = await rotated();
  const stack = new MiniStack([kept(present)]);
  world.clock.advance(3 * DAY_MS);
  await world.fault({ method: "DELETE", path: `/v1/api_keys/${old.id}`, status: 403, times: 100 });
  const program = declared({ ...second, tags: ["changed"] });
  const { messages } = await stack.up(world.run(), program);
  expect(messages.join()).toMatch(/403[^]*The change itself is made, and the state has it/);
  expect([stack.stateOf("x").outs["tags"], retiredIn(stack.stateOf("x"))]).toEqual([["changed"], [old.id]]);
  await world.clearFaults();
  expect((await stack.up(world.run(), program)).failures).toEqual([]);
  expect(await keys()).toEqual([present.id]);
});

it.each([
  ["whose successor is deleted", false],
  ["deleted with its successor", true],
])("a refresh names a waiting key %s", async (_how, isDeleted) => {
  const { old, present } = await rotated();
  for (const { id } of isDeleted ? [old, present] : [present]) await world.api("DELETE", `/v1/api_keys/${id}`);
  const by = world.run();
  await by.of("ApiKey").read(present.id, present.outs);
  const deleted = `the API shows no API key ${old.id}: it counts as deleted`;
  const stays = expect.stringContaining(`API key ${old.id} stays until it expires`) as unknown;
  expect(isDeleted ? by.texts() : by.warnings()).toContainEqual(isDeleted ? deleted : stays);
  expect(by.run.memory.missing.wasMissing(old.id)).toBe(false);
  const warned = by.warnings().length;
  await by.run.memory.missing.warn(by.run.rows, () => "");
  const count = "The API no longer has 2 objects of the state";
  const last = by.warnings().slice(warned);
  expect(last).toEqual(isDeleted ? [expect.stringContaining(count)] : []);
});

it("a destroy deletes waiting keys, and names their clients", async () => {
  const { old, present } = await rotated();
  await use(old, "late/2.0");
  const by = world.run();
  await by.of("ApiKey").delete(present.id, present.outs);
  expect(await keys()).toEqual([]);
  expect(by.warnings()).toEqual([expect.stringMatching(/because nothing would manage it: .*late\/2\.0/)]);
  // After a failed rotation, the state has the replaced object too.
  await by.of("ApiKey").delete(old.id, old.outs);
  expect(by.texts().join()).not.toContain("counts as deleted");
});

it("a retained key and its predecessor stay", async () => {
  const { old, present } = await rotated();
  const by = world.run();
  await by.of("ApiKey").delete(present.id, { ...present.outs, __retainOnDelete: true });
  expect(await keys()).toEqual([old.id, present.id]);
  expect(by.warnings()).toEqual([
    expect.stringContaining(`API key ${old.id} stays until it expires, because retainOnDelete keeps its successor`),
    expect.stringContaining(`API key ${present.id} stays: an update had retainOnDelete`),
  ]);
});

it("names an old key that GET hides with --target-replace", async () => {
  const stack = new MiniStack();
  await stack.up(world.run(), declared(first));
  const { id } = stack.stateOf("x");
  proxy.on({ method: "GET", path: new RegExp(`/${id}$`) }, hidden);
  const by = world.run({ baseUrl: proxy.url });
  await stack.up(by, declared(first), { replace: ["x"] });
  expect(by.texts()).toContain(`the API shows no API key ${id}: it counts as deleted`);
});

it("deletes a waiting key in a destroy although GET hides it", async () => {
  const { old, present } = await rotated();
  proxy.on({ method: "GET", path: new RegExp(`/${old.id}$`) }, hidden);
  await world.run({ baseUrl: proxy.url }).of("ApiKey").delete(present.id, present.outs);
  expect(await keys()).toEqual([]);
});

it("only the update fails if a key cannot be read", async () => {
  const { old, present } = await rotated();
  proxy.on({ method: "GET", path: new RegExp(`/${present.id}$`) }, answer(500));
  const rotate = (): ReturnType<typeof run> => run(third, present, world.run({ baseUrl: proxy.url }));
  expect(await failureOf(rotate())).toHaveProperty("message", expect.stringContaining("failed: 500"));
  expect(await keys()).toEqual([old.id, present.id]);
  const by = world.run({ baseUrl: proxy.url });
  expect(await preview(by, "ApiKey", third, present)).toMatchObject({
    operation: "replace",
    fields: expect.arrayContaining(["expiresAt"]) as unknown,
  });
});

it.each([
  ["", second],
  [" without a waiting rule", { ...second, deleteOld: "after" }],
])("a rotation fails if the API hides the key%s", async (_title, args) => {
  const { old, present } = await rotated();
  proxy.on({ method: "GET", path: new RegExp(`/(${old.id}|${present.id})$`) }, hidden);
  const by = world.run({ baseUrl: proxy.url });
  const error = await failureOf(run({ ...args, expiresAt: third.expiresAt }, present, by));
  expect(error).toHaveProperty("message", expect.stringContaining(`does not show API key ${present.id}`));
  expect(await keys()).toEqual([old.id, present.id]);
});

it.each([
  ["waits", first, [1, 1]],
  ["expires", { ...first, deleteOld: "atExpiry" }, [1, 0]],
])("a key %s if its deleteOld is not known yet", async (_how, args, [kept, retired]) => {
  const { state } = await run(args);
  const by = world.run();
  // The engine compares a dependent of a resource with `deleteBeforeReplace` without a check, and with unknown inputs.
  await by.of("ApiKey").diff(state.id, state.outs, { ...state.inputs, rotationTrigger: UNKNOWN, deleteOld: UNKNOWN });
  await by.of("ApiKey").delete(state.id, state.outs);
  expect(await keys()).toHaveLength(kept!);
  const { inputs } = await by.of("ApiKey").check({}, sent("ApiKey", "x", { ...args, rotationTrigger: "2" }));
  const { outs } = await by.of("ApiKey").create(inputs);
  expect(outs["__retired"] ?? []).toHaveLength(retired!);
});

it.each([
  ["waits", { ...second, deleteOld: "after" }, first],
  ["is deleted", second, { ...first, deleteOld: "after" }],
])("with ignoreChanges of deleteOld, a key %s", async (_how, program, former) => {
  const { state } = await run(former);
  const by = world.run();
  const news = sent("ApiKey", "x", program);
  await by.of("ApiKey").check(state.inputs, news);
  await by.of("ApiKey").diff(state.id, state.outs, { ...state.inputs, expiresAt: second.expiresAt });
  const { inputs } = await by.of("ApiKey").check({}, news);
  const made = await by.of("ApiKey").create(inputs);
  await by.of("ApiKey").delete(state.id, state.outs);
  const isKept = (await keys()).includes(state.id);
  expect([isKept, retiredIn({ ...state, ...made })]).toEqual(
    former === first ? [true, [state.id]] : [false, undefined],
  );
});

it.each([["after"], ["atExpiry"], [deleteOld]])(
  "a rotation with deleteOld %j replaces a deleted key",
  async (wanted) => {
    const { present } = await rotated({ ...second, deleteOld: "after" });
    const args = { ...third, deleteOld: wanted };
    await world.api("DELETE", `/v1/api_keys/${present.id}`);
    const { state, lines } = await run(args, present);
    expect(await keys()).not.toContain(present.id);
    expect(lines).toEqual([
      expect.stringContaining("the API no longer shows the replaced API key"),
      expect.stringContaining("works"),
      `the API shows no API key ${present.id}: it counts as deleted`,
    ]);
    expect(retiredIn(state)).toBeUndefined();
  },
);

describe("the provider's own key", () => {
  const own = (args: object): object => ({
    ...args,
    permissions: [
      { resourceType: "api_key", permission: "edit" },
      { resourceType: "audit_log", permission: "read" },
    ],
  });

  it("keeps the provider's own key for clients and the provider", async () => {
    const old = (await run(own(first))).state;
    const present = (await run(own(second), old, signedInWith(old))).state;
    world.clock.advance(3 * DAY_MS);
    await run(own(second), present, signedInWith(old));
    expect(await keys()).toEqual([old.id, present.id]);
    await run(own(second), present, signedInWith(present));
    expect(await keys()).toEqual([present.id]);
  });

  it("reports in each run that the own key waits for clients", async () => {
    const old = (await run(own(first))).state;
    const present = (await run(own(second), old, signedInWith(old))).state;
    const next = signedInWith(old);
    await run(own(second), present, next);
    const text = next.warnings().join("\n");
    expect(text).toContain("set it to the new one, and a later run deletes the old one when no client uses it");
    expect(text).not.toContain("the next run deletes");
  });
});

it.each([
  [
    { whenQuietFor: "soon", atLatest: "14d" },
    'deleteOld.whenQuietFor: must be a duration such as "90d" or "P90D" (is "soon")',
  ],
  [{ whenQuietFor: "0h", atLatest: "14d" }, 'deleteOld.whenQuietFor: must be longer than 0 (is "0h")'],
  [{ whenQuietFor: "-P1D", atLatest: "14d" }, 'deleteOld.whenQuietFor: must be longer than 0 (is "-P1D")'],
  [{ whenQuietFor: "24h", atLatest: 14 }, "deleteOld.atLatest: must be a duration"],
  [{ whenQuietFor: "24h" }, "deleteOld.atLatest: is required"],
  [{ whenQuietFor: "24h", atLatest: "2y" }, 'deleteOld.atLatest: must be at most one year (is "2y")'],
  [
    { whenQuietFor: "15d", atLatest: "14d" },
    'deleteOld.whenQuietFor: must not be longer than atLatest of "14d" (is "15d")',
  ],
  [{ whenQuietFor: "24h", atLatest: "14d", atMost: "1d" }, "deleteOld.atMost: is no argument of ApiKey"],
])("deleteOld cannot be %j", async (wrong, reason) => {
  await expect(run({ ...first, deleteOld: wrong })).rejects.toThrow(reason);
});

it.each([
  [{ rotateBefore: "10d" }, "14d", "must be at most 10 days"],
  [{}, "31d", 'must be at most 30 days: .* \\(is "31d"\\). Give rotateBefore: "31d", or a shorter atLatest'],
])("with %j, refuses an atLatest of %s", async (window, atLatest, reason) => {
  const key = { ...first, expiresAt: undefined, lifetime: "90d", ...window };
  const waits = run({ ...key, deleteOld: { whenQuietFor: "24h", atLatest } });
  await expect(waits).rejects.toThrow(new RegExp(`deleteOld.atLatest: ${reason}`));
});

it("refuses an atLatest that a shorter lifetime makes too long, before the rotation is due", async () => {
  const args = { ...first, expiresAt: undefined, deleteOld: { whenQuietFor: "24h", atLatest: "25d" } };
  const { state } = await run({ ...args, lifetime: "90d" });
  await expect(run({ ...args, lifetime: "60d" }, state)).rejects.toThrow("deleteOld.atLatest: must be at most 20 days");
});

it.each([
  [undefined, "is required"],
  ["2y", "must be at most one year"],
])("names an atLatest that is %j once", async (atLatest, reason) => {
  const deleteOld = { whenQuietFor: "24h", atLatest };
  const { message } = await failureOf(run({ ...first, expiresAt: undefined, lifetime: "90d", deleteOld }));
  expect(message.match(/deleteOld\.atLatest: [^;]*/g)).toEqual([expect.stringContaining(reason)]);
});
