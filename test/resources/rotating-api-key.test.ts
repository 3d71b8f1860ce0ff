import { UNKNOWN } from "../../src/engine/values";
import { up } from "../support/mini-engine";
import { keysAlive, outputsOf, signIn, upRotating, type RotatingState } from "../support/rotating-key";
import { World } from "../support/world";
import { DAY_MS } from "../rotation/support";

const monthly = { period: "30d" };
const permissions = [{ resourceType: "vm", permission: "edit" }];
const world = World.forSuite();

const wait = (days: number): void => world.clock.advance(days * DAY_MS);
const idsOf = ({ a, b }: RotatingState): string[] => [a!.id, b!.id].sort();
const bothWork = async (state: RotatingState): Promise<number[]> => {
  const { current, previous } = outputsOf(state);
  return [await signIn(world, current), await signIn(world, previous)];
};

it("makes two working keys at once", async () => {
  const { state, operations } = await upRotating(world, monthly);
  expect(operations).toEqual({ schedule: "create", a: "create", b: "create" });
  expect(state.schedule.outs).toMatchObject({
    current: "a",
    slotA: { renewals: 0, expiresAt: "2026-09-14T00:00:00Z" },
    slotB: { renewals: 0, expiresAt: "2026-09-14T00:00:00Z" },
    nextRotation: "2026-07-12T00:00:00Z",
  });
  expect(state.schedule.outs).not.toHaveProperty("cost");
  expect(await bothWork(state)).toEqual([200, 200]);
  expect(await keysAlive(world)).toEqual(idsOf(state));
});

it("changes nothing before a rotation, with one call", async () => {
  const first = await upRotating(world, monthly);
  const before = (await world.requests()).length;
  wait(26);
  const second = await upRotating(world, monthly, first.state);
  expect(second.operations).toEqual({ schedule: "same", a: "same", b: "same" });
  expect(second.lines).toEqual([]);
  expect((await world.requests()).slice(before)).toEqual(["GET /v1/regions"]);
});

it("replaces the older key, and says why", async () => {
  const first = await upRotating(world, monthly);
  wait(30);
  const alive: number[] = [];
  const between = async (): Promise<void> => void alive.push((await keysAlive(world)).length);
  const second = await upRotating(world, monthly, first.state, { between });
  // The schedule gives slot a a time of rotation, which the API does not know.
  expect(second.operations).toEqual({ schedule: "update", a: "update", b: "replace" });
  expect((await world.requests()).filter((request) => request.startsWith("PATCH"))).toEqual([]);
  expect(second.lines).toEqual(["rotates slot b: due since 2026-07-12"]);
  expect(alive).toEqual([3]);
  expect(outputsOf(second.state).previous.id).toBe(outputsOf(first.state).current.id);
  expect(await bothWork(second.state)).toEqual([200, 200]);
  expect(await keysAlive(world)).toEqual(idsOf(second.state));
});

it("finishes only the planned rotation after an interrupted run", async () => {
  const first = await upRotating(world, monthly);
  wait(30);
  const cut = await upRotating(world, monthly, first.state, { cutOff: true });
  expect(await bothWork(cut.state)).toEqual([200, 200]);
  const next = await upRotating(world, monthly, cut.state);
  expect(next.operations).toEqual({ schedule: "same", a: "update", b: "replace" });
  expect(outputsOf(next.state).previous.id).toBe(first.state.a!.id);
  expect((await upRotating(world, monthly, next.state)).operations).toEqual({ schedule: "same", a: "same", b: "same" });
});

it("replaces both keys if both have expired", async () => {
  const first = await upRotating(world, monthly);
  wait(100);
  const second = await upRotating(world, monthly, first.state);
  expect(second.operations).toEqual({ schedule: "update", a: "replace", b: "replace" });
  expect(second.lines).toEqual(["rotates slot b: expired 2026-09-14; rotates slot a: expired 2026-09-14"]);
  expect(await bothWork(second.state)).toEqual([200, 200]);
});

it.each([
  ["is first given", {}],
  ["changes", { retirePrevious: 1 }],
])("deletes the previous key once when retirePrevious %s", async (_when, before) => {
  const first = await upRotating(world, { ...monthly, ...before });
  const args = { ...monthly, retirePrevious: 2 };
  const second = await upRotating(world, args, first.state);
  expect(second.lines).toEqual(["rotates slot b: retirePrevious changed"]);
  expect(second.operations).toMatchObject({ a: "update", b: "replace" });
  expect(await signIn(world, first.state.b!)).toBe(401);
  expect(outputsOf(second.state).previous.id).toBe(first.state.a!.id);
  expect((await upRotating(world, args, second.state)).operations).toEqual({ schedule: "same", a: "same", b: "same" });
});

it.each([
  ["taken out", {}],
  ["not known yet", { retirePrevious: UNKNOWN }],
])("deletes no key if retirePrevious is %s", async (_case, retire) => {
  const first = await upRotating(world, { ...monthly, retirePrevious: 1 });
  const second = await upRotating(world, { ...monthly, ...retire }, first.state);
  expect(second.lines).toEqual([]);
  expect(await keysAlive(world)).toEqual(idsOf(first.state));
});

it("changed permissions change both keys in place", async () => {
  const first = await upRotating(world, monthly);
  const read = [{ resourceType: "vm", permission: "read" }];
  const second = await upRotating(world, { ...monthly, permissions: read }, first.state);
  expect(second.operations).toEqual({ schedule: "same", a: "update", b: "update" });
  const apiKeys = await world.objects("ApiKey");
  const held = apiKeys.filter(({ managed }) => managed !== true).map((key) => key["permissions"]);
  expect(held).toEqual([[{ resource_type: "vm", permission: "read" }], [{ resource_type: "vm", permission: "read" }]]);
  expect(await bothWork(second.state)).toEqual([200, 200]);
});

it("a new period alone changes no key", async () => {
  const first = await upRotating(world, monthly);
  const second = await upRotating(world, { period: "P3M" }, first.state);
  expect(await keysAlive(world)).toEqual(idsOf(first.state));
  expect((await world.requests()).filter((request) => request.startsWith("PATCH"))).toEqual([]);
  // as before: the keys were made for 30 days
  expect(second.state.schedule.outs["nextRotation"]).toMatch(/^2026-07-12/);
});

it("recreates a missing key with a later expiry", async () => {
  const first = await upRotating(world, monthly);
  wait(85); // five days before its end, and long due
  const { b, ...kept } = first.state;
  await world.api("DELETE", `/v1/api_keys/${b!.id}`);
  const second = await upRotating(world, monthly, kept);
  expect(second.operations).toEqual({ schedule: "update", a: "update", b: "create" });
  expect(second.state.b!.outs["expiresAt"]).toBe("2026-12-08T00:00:00Z");
  expect(await bothWork(second.state)).toEqual([200, 200]);
});

it("an ApiKey that becomes slot a keeps its secret", async () => {
  const key = await up(world.run(), "ApiKey", { permissions, lifetime: "90d" }, undefined);
  wait(20);
  const args = { ...monthly, movedIn: String(key.state.outs["expiresAt"]) };
  const first = await upRotating(world, args, { a: key.state });
  expect(first.operations).toEqual({ schedule: "create", a: "update", b: "create" });
  expect(outputsOf(first.state).previous.outs).toMatchObject({ key: key.state.outs["key"], expiresAt: args.movedIn });
  expect(first.state.a!.id).toBe(key.state.id);
  wait(20); // its 71 days are less than three periods, so it is due a little earlier
  expect((await upRotating(world, monthly, first.state)).operations).toMatchObject({ a: "same", b: "same" });
  wait(2);
  const turn = await upRotating(world, monthly, first.state);
  expect(turn.operations).toMatchObject({ a: "replace", b: "update" });
});

it("renews the key whose rotatesAt has come", async () => {
  const first = await upRotating(world, monthly);
  const rotations = ({ a, b }: RotatingState): unknown[] => [a!.outs["rotatesAt"], b!.outs["rotatesAt"]];
  expect(rotations(first.state)).toEqual(["2026-07-25T12:00:00Z", "2026-07-12T00:00:00Z"]);
  wait(27);
  const second = await upRotating(world, monthly, first.state);
  expect(rotations(second.state)).toEqual(["2026-07-25T12:00:00Z", "2026-08-08T00:00:00Z"]);
});

it("uses the API's clock if this machine's is wrong", async () => {
  const first = await upRotating(world, monthly);
  const run = world.run({ costQuotes: "false" }, { aheadMs: 100 * DAY_MS });
  expect((await upRotating(world, monthly, first.state, { run })).operations).toMatchObject({ a: "same", b: "same" });
});

it("deletes both keys, and the schedule without a request", async () => {
  const { state } = await upRotating(world, monthly);
  const run = world.run();
  const before = (await world.requests()).length;
  await run.of("RotationSchedule").delete(state.schedule.id, state.schedule.outs);
  expect((await world.requests()).slice(before)).toEqual([]);
  for (const slot of [state.a!, state.b!]) await run.of("ApiKey").delete(slot.id, slot.outs);
  expect(await keysAlive(world)).toEqual([]);
});

it.each(["122d", "1h", "soon", "P4M"])("refuses the period %s, and makes nothing", async (period) => {
  await expect(upRotating(world, { period })).rejects.toThrow(
    'period: must be a duration of 1 to 121 days such as "30d" or "P30D"',
  );
  expect(await keysAlive(world)).toEqual([]);
});

it("refuses a Date as retirePrevious", async () => {
  await expect(upRotating(world, { ...monthly, retirePrevious: {} })).rejects.toThrow(
    "retirePrevious: holds an empty object",
  );
  expect(await keysAlive(world)).toEqual([]);
});

it("refuses an atLatest of more than two periods", async () => {
  const { state } = await upRotating(world, { ...monthly, atLatest: "60d" });
  expect(state.schedule.inputs).not.toHaveProperty("atLatest");
  await expect(upRotating(world, { ...monthly, atLatest: "61d" })).rejects.toThrow(
    /deleteOld.atLatest: must be at most two periods of "30d", .* \(is "61d"\)/,
  );
});

it.each(["2026-07-01T00:00:00", "2026-07-01", "July 1", ""])(
  "refuses %j as the end of a key that moves in",
  async (movedIn) => {
    await expect(upRotating(world, { ...monthly, movedIn })).rejects.toThrow(
      `slotA.expiresAt: must be a date and time in ISO 8601 such as "2027-01-31T00:00:00Z" (is "${movedIn}")`,
    );
    expect(await keysAlive(world)).toEqual([]);
  },
);

it("ignores the end of a key that has moved in", async () => {
  const { state } = await upRotating(world, monthly);
  const { operations } = await upRotating(world, { ...monthly, movedIn: "2026-07-01" }, state);
  expect(operations).toMatchObject({ a: "same", b: "same" });
});
