import { up } from "../support/mini-engine";
import { plain, type StateEntry } from "../support/mini-state";
import { World } from "../support/world";

const DAY_MS = 86_400_000;
const key = { permissions: [{ resourceType: "vm", permission: "edit" }] };
const rotated = { ...key, lifetime: "90d", rotateBefore: "14d" };
const world = World.forSuite();

/** Runs the program in its own process. */
const run = (args: object, current?: StateEntry): ReturnType<typeof up> => up(world.run(), "ApiKey", args, current);
const keysAtTheApi = async (): Promise<string[]> =>
  (await world.objects("ApiKey")).filter(({ managed }) => managed !== true).map(({ id }) => id);

it("a key ends and rotates at a UTC midnight", async () => {
  const { state } = await run(rotated);
  const times = { expiresAt: "2026-09-14T00:00:00Z", rotatesAt: "2026-08-31T00:00:00Z" };
  expect(state.outs).toMatchObject({ ...times, generation: 0, lifetime: "90d" });
  expect(state.outs).not.toHaveProperty("replacedId");
  const made = (await world.objects("ApiKey")).find(({ id }) => id === state.id);
  expect(made).toMatchObject({ expires_at: times.expiresAt });
});

it("changes nothing before the rotation, with one call", async () => {
  const first = await run(rotated);
  const before = (await world.requests()).length;
  world.clock.advance(60 * DAY_MS);
  const second = await run(rotated, first.state);
  expect(second.operation).toBe("same");
  expect(second.state.inputs).toEqual(first.state.inputs);
  expect((await world.requests()).slice(before)).toEqual(["GET /v1/regions"]);
});

it("replaces a due key, and says why", async () => {
  const first = await run(rotated);
  world.clock.advance(77 * DAY_MS);
  const second = await run(rotated, first.state);
  expect(second.operation).toBe("replace");
  expect(second.lines[0]).toMatch(/^rotates: expires 2026-09-14, window 14d/);
  const replaced = { generation: 1, replacedId: first.state.id };
  expect(second.state.outs).toMatchObject({ ...replaced, expiresAt: "2026-11-30T00:00:00Z" });
  expect(await keysAtTheApi()).toEqual([second.state.id]);
  const third = await run(rotated, second.state);
  expect(third.operation).toBe("same");
  expect(third.state.outs).toMatchObject(replaced);
});

it("an adopted key that replaces another keeps its end", async () => {
  const first = await run(rotated);
  const other = await world.create("ApiKey", { ...key, expiresAt: "2026-10-01T00:00:00Z" }, { name: "other" });
  world.clock.advance(77 * DAY_MS);
  const adopt = { id: other.id, key: plain(other.outs["key"]) };
  const { state } = await run({ ...rotated, adopt }, first.state);
  expect([state.id, state.outs["expiresAt"]]).toEqual([other.id, "2026-10-01T00:00:00Z"]);
});

it("the next run replaces an adopted key that is due", async () => {
  const other = await world.create("ApiKey", { ...key, expiresAt: "2026-06-20T00:00:00Z" }, { name: "other" });
  const args = { ...rotated, adopt: { id: other.id, key: plain(other.outs["key"]) } };
  const { state } = await run(args);
  expect(state.outs).toMatchObject({ expiresAt: "2026-06-20T00:00:00Z", rotatesAt: "2026-06-06T00:00:00Z" });
  expect((await run(args, state)).operation).toBe("replace");
});

const shortened = { ...key, lifetime: "30d", rotateBefore: "7d" };
const triggered = (leak: number): object => ({ ...rotated, rotationTrigger: { leak } });

it.each([
  ["it has expired", rotated, 200, rotated, "expired 2026-09-14"],
  ["a shorter lifetime is over", rotated, 40, shortened, "a shorter lifetime is over, expires 2026-09-14"],
  ["the trigger changes", triggered(1), 0, triggered(2), "rotationTrigger changed"],
])("replaces the key if %s, and says so", async (_why, before, days, after, reason) => {
  const first = await run(before);
  expect((await run(before, first.state)).operation).toBe("same");
  world.clock.advance(days * DAY_MS);
  const second = await run(after, first.state);
  expect([second.operation, second.lines[0]]).toEqual(["replace", expect.stringMatching(`^rotates: ${reason}`)]);
});

it("keeps the old key until the new one is made", async () => {
  const first = await run({ ...rotated, rotationTrigger: 1 });
  const works = async (secret: unknown): Promise<boolean> => (await world.signIn(secret)) === 200;
  const between = async (made: StateEntry): Promise<void> =>
    expect([await works(first.state.outs["key"]), await works(made.outs["key"])]).toEqual([true, true]);
  const args = { ...rotated, rotationTrigger: 2 };
  const { state, operation } = await up(world.run(), "ApiKey", args, first.state, { between });
  expect(operation).toBe("replace");
  expect([await works(first.state.outs["key"]), await works(state.outs["key"])]).toEqual([false, true]);
});

describe("deleteOld", () => {
  it("leaves the old key to expire, and names its end", async () => {
    const args = { ...rotated, deleteOld: "atExpiry" };
    const first = await run(args);
    world.clock.advance(77 * DAY_MS);
    const second = await run(args, first.state);
    expect((await keysAtTheApi()).sort()).toEqual([first.state.id, second.state.id].sort());
    const end = "it is not deleted, and expires on 2026-09-14T00:00:00Z";
    expect(second.lines.at(-1)).toBe(`API key ${first.state.id} was replaced: ${end}`);
  });

  it("deletes the current key in a destroy", async () => {
    const { state } = await run({ ...rotated, deleteOld: "atExpiry" });
    const second = await run({ ...rotated, deleteOld: "atExpiry", rotationTrigger: 1 }, state);
    await world.run().of("ApiKey").delete(second.state.id, second.state.outs); // a destroy runs no check before
    expect(await keysAtTheApi()).toEqual([state.id]);
  });
});

describe("a change of the schedule", () => {
  it("sends nothing if the key does not become due", async () => {
    const first = await run(rotated);
    const before = (await world.requests()).length;
    const second = await run({ ...rotated, rotateBefore: "30d" }, first.state);
    expect(second.operation).toBe("update");
    expect(second.state.outs).toMatchObject({ expiresAt: "2026-09-14T00:00:00Z", rotatesAt: "2026-08-15T00:00:00Z" });
    expect((await world.requests()).slice(before)).toEqual(["GET /v1/regions", "GET /v1/api_keys/ID"]);
    expect(second.state.outs["key"]).toBe(first.state.outs["key"]);
  });

  it("keeps expiresAt when a lifetime replaces it", async () => {
    const first = await run({ ...key, expiresAt: "2026-08-01T00:00:00Z" });
    const second = await run(rotated, first.state);
    expect(second.operation).toBe("update");
    expect(second.state.outs).toMatchObject({ expiresAt: "2026-08-01T00:00:00Z", rotatesAt: "2026-07-18T00:00:00Z" });
    world.clock.advance(33 * DAY_MS);
    expect((await run(rotated, second.state)).operation).toBe("replace");
  });
});

it("rotates nothing if ignoreChanges keeps the end", async () => {
  const first = await run(rotated);
  world.clock.advance(80 * DAY_MS);
  const ignored = { ...rotated, expiresAt: first.state.inputs["expiresAt"], name: first.state.inputs["name"] };
  const second = await run(ignored, first.state);
  expect(second.operation).toBe("same");
  expect(second.lines).toContain(
    "expiresAt: the rotation was due on 2026-08-31, and `ignoreChanges` keeps this end: no run renews the key before you remove that",
  );
});

it("uses the API's clock, and shows the skew", async () => {
  const first = await run(rotated);
  // the simulator keeps its time; this process's clock is months ahead
  const second = await up(world.run({}, { aheadMs: 100 * DAY_MS }), "ApiKey", rotated, first.state);
  expect(second.operation).toBe("same");
  expect(second.lines[0]).toMatch(/this machine's clock is 100 days ahead of the API's/);
});

const ONE_OF = "must be one of after, atExpiry, or an object with whenQuietFor, atLatest";
const beside = { lifetime: "30d", expiresAt: "2026-12-01T00:00:00Z" };
const BESIDE =
  "expiresAt: is given beside a lifetime, which sets it: remove expiresAt. Or remove the lifetime, and the key is not renewed";

it.each([
  [{ lifetime: "soon" }, 'lifetime: must be a duration such as "90d" or "P90D" (is "soon")'],
  [{ lifetime: "0d" }, 'lifetime: must be longer than 0 (is "0d")'],
  [{ lifetime: 90 }, 'lifetime: must be a duration such as "90d" or "P90D" (is 90)'],
  [{ lifetime: "366d" }, 'lifetime: must be at most one year (is "366d")'],
  [{ lifetime: "P1Y1D" }, 'lifetime: must be at most one year (is "P1Y1D")'],
  [{ lifetime: "30d", rotateBefore: "30d" }, 'rotateBefore: must be shorter than the lifetime of "30d" (is "30d")'],
  [{ lifetime: "30d", rotateBefore: "x" }, 'rotateBefore: must be a duration such as "90d" or "P90D" (is "x")'],
  [{ rotateBefore: "1d", expiresAt: "2026-12-01T00:00:00Z" }, "rotateBefore: needs a lifetime"],
  [beside, BESIDE],
  [{ lifetime: "30d", deleteOld: "never" }, `deleteOld: ${ONE_OF} (is "never")`],
  [{}, 'expiresAt: is required: give it, or a lifetime such as "90d"'],
])("check of %j names the reason, and makes no key", async (args, reason) => {
  await expect(run({ ...key, ...args })).rejects.toThrow(reason);
  expect(await keysAtTheApi()).toEqual([]);
});

it.each([
  [{ lifetime: "3m" }, "lifetime"],
  [{ lifetime: "90d", rotateBefore: "3 M" }, "rotateBefore"],
  [{ lifetime: "90d", deleteOld: { whenQuietFor: "3m", atLatest: "7d" } }, "deleteOld.whenQuietFor"],
  [{ lifetime: "90d", deleteOld: { whenQuietFor: "PT1M", atLatest: "3m" } }, "deleteOld.atLatest"],
])("warns of minutes that may be months in %j", async (args, field) => {
  const { lines } = await run({ ...key, ...args });
  const [line, ...others] = lines.filter((each) => each.includes("in minutes"));
  expect([line, others]).toEqual([expect.stringMatching(`^${field}: is in minutes: .* "P3M".*"PT3M"`), []]);
});

it("does not warn of minutes that cannot be months", async () => {
  const deleteOld = { whenQuietFor: "30s", atLatest: "13m" };
  const { lines } = await run({ ...key, lifetime: "90d", rotateBefore: "PT30M", deleteOld });
  expect(lines.join()).not.toContain("minutes");
});

it.each(["P1Y", "1y", "1 year"])("accepts a lifetime of one year, %s", async (lifetime) => {
  expect((await run({ ...key, lifetime })).state.outs["expiresAt"]).toBe("2027-06-15T00:00:00Z");
});

describe("the rotation that later runs plan", () => {
  /** The arguments with a lifetime and perhaps a window: `90d 14d`. */
  const lasting = (text: string): object => {
    const [lifetime, rotateBefore] = text.split(" ");
    return { ...key, lifetime, ...(rotateBefore && { rotateBefore }) };
  };

  it.each<[change: string, programs: string, day: string]>([
    ["no change", "90d 14d", "2026-08-31"],
    ["other spellings", "P90D P2W", "2026-08-31"],
    ["a longer window", "90d 30d", "2026-08-15"],
    ["a window of a month", "90d P1M", "2026-08-14"],
    ["a longer lifetime", "180d 14d", "2026-08-31"],
    ["a longer lifetime, then the first one", "120d 14d, 90d 14d", "2026-08-31"],
    ["a longer lifetime, then a shorter one", "120d 14d, 30d 7d", "2026-07-09"],
    ["a longer lifetime twice, then a shorter one", "120d 14d, 180d 14d, 30d 7d", "2026-07-09"],
    ["a shorter lifetime, then a longer one, then a shorter one", "30d 7d, 180d 14d, 30d 7d", "2026-07-09"],
    ["a shorter lifetime", "30d 7d", "2026-07-09"],
    ["a shorter lifetime with the default window", "30d", "2026-07-06"],
    ["a shorter lifetime in months", "P1M 7d", "2026-07-10"],
    ["two shorter lifetimes", "60d 14d, 30d 7d", "2026-07-09"],
    ["a shorter lifetime, then other spellings", "30d 7d, P30D P1W", "2026-07-09"],
    ["a shorter lifetime, then a longer window", "30d 7d, 30d 10d", "2026-07-06"],
    ["a shorter lifetime, then a shorter window", "30d 7d, 30d 3d", "2026-07-13"],
    ["a shorter lifetime, then the default window", "30d 7d, 30d", "2026-07-06"],
    ["the default window, then another", "30d, 30d 7d", "2026-07-09"],
    ["a shorter lifetime, then a longer one", "30d 7d, 60d 7d", "2026-08-08"],
    ["a shorter lifetime, then the first one", "30d 7d, 90d 14d", "2026-08-31"],
    ["a shorter lifetime, then two changes of the window", "30d 7d, 30d P14D, 30d 7d", "2026-07-09"],
  ])("is the same in each after %s", async (_change, texts, day) => {
    const programs = texts.split(", ").map(lasting);
    let { state } = await run(rotated);
    for (const program of programs) {
      world.clock.advance(DAY_MS);
      ({ state } = await run(program, state));
    }
    const last = programs.at(-1)!;
    const planned = [state.outs["rotatesAt"]];
    for (let nth = 0; nth < 3; nth += 1) {
      world.clock.advance(DAY_MS);
      const later = await run(last, state);
      expect(later.operation).toBe("same");
      planned.push((state = later.state).inputs["rotatesAt"]);
    }
    expect(planned).toEqual(planned.map(() => `${day}T00:00:00Z`));
    world.clock.advance(Date.parse(day) - world.clock.now());
    expect((await run(last, state)).operation).toBe("replace");
  });
});

it("plans a key of an older state by its last lifetime", async () => {
  const { state } = await run(rotated);
  expect(state.inputs["__lifetimeStart"]).toBe("2026-06-16T00:00:00Z");
  const none = { __lifetimeStart: undefined };
  const old = { ...state, inputs: { ...state.inputs, ...none }, outs: { ...state.outs, ...none } };
  expect((await run(rotated, old)).operation).toBe("same");
  expect((await run({ ...rotated, lifetime: "60d" }, old)).state.outs["rotatesAt"]).toBe("2026-08-01T00:00:00Z");
});
