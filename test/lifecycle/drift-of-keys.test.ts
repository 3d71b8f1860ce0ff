import { up } from "../support/mini-engine";
import { plain, type StateEntry } from "../support/mini-state";
import { preview, refresh } from "../support/mini-refresh";
import { rewrite } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import type { TestRun } from "../support/lifecycle";
import { World } from "../support/world";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

const args = (more: object = {}): object => world.args("ApiKey", more);

async function made(more: object = {}): Promise<StateEntry> {
  return (await up(world.run(), "ApiKey", args(more), undefined)).state;
}

async function refreshed(state: StateEntry): Promise<StateEntry> {
  const found = await refresh(world.run(), "ApiKey", state);
  if (!found) throw new Error("the refresh says that it is gone");
  return found;
}

/** The API's answer to a client with the secret in the state. */
const signIn = ({ outs }: StateEntry): Promise<number> => world.signIn(outs["key"]);

it.each(["****", "", null])("a secret survives answers with %j in its place", async (key) => {
  proxy.on(
    { path: /^\/v1\/api_keys/ },
    rewrite(
      (answer) =>
        JSON.parse(
          JSON.stringify(answer).replaceAll('"expires_at":', `"key":${JSON.stringify(key)},"expires_at":`),
        ) as Record<string, unknown>,
    ),
  );
  const first = await made();
  const seen = (): TestRun => world.run({ baseUrl: proxy.url });
  const read = (await refresh(seen(), "ApiKey", first))!;
  const { state } = await up(seen(), "ApiKey", args({ tags: ["new"] }), read);
  for (const { outs } of [read, state]) expect(outs["key"]).toBe(first.outs["key"]);
  expect(await signIn(state)).toBe(200);
});

describe("when a key has expired", () => {
  const aYearMs = 366 * 86_400_000;

  it("reports an expired key whose expiry the program sets", async () => {
    const state = await made();
    world.clock.advance(aYearMs);
    const after = await refreshed(state);
    expect(after.outs).toEqual({ ...state.outs, status: "expired" });
    expect(after.inputs).toEqual(state.inputs);
    const run = world.run();
    expect(await preview(run, "ApiKey", args(), after)).toEqual({ operation: "same", fields: [] });
    expect(run.lines.map(({ severity, text }) => `${severity} ${text}`)).toEqual([
      "warning expiresAt: the key expired on 2026-12-31T00:00:00Z: give a later expiresAt to rotate it",
    ]);
  });

  it("replaces an expired key with a lifetime", async () => {
    const rotating = { expiresAt: undefined, lifetime: "30d" };
    const state = await made(rotating);
    expect(await signIn(state)).toBe(200);
    world.clock.advance(31 * 86_400_000);
    const after = await refreshed(state);
    expect(after.outs).toEqual({ ...state.outs, status: "expired" });
    expect(await preview(world.run(), "ApiKey", args(rotating), after)).toEqual({
      operation: "replace",
      fields: ["__lifetimeStart", "expiresAt", "rotatesAt"],
    });
    const outcome = await up(world.run(), "ApiKey", args(rotating), after);
    expect(outcome.operation).toBe("replace");
    expect(outcome.lines).toContainEqual(expect.stringContaining("rotates: expired 2026-07-16"));
    expect(await signIn(outcome.state)).toBe(200);
    expect((await world.objects("ApiKey")).filter(({ managed }) => managed !== true).map(({ id }) => id)).toEqual([
      outcome.state.id,
    ]);
    expect((await up(world.run(), "ApiKey", args(rotating), outcome.state)).operation).toBe("same");
  });
});

const creations = { method: "POST", path: /^\/v1\/api_keys$/ };
const create = (): ReturnType<World["create"]> =>
  world.create("ApiKey", args(), { run: world.run({ baseUrl: proxy.url }) });

it.each(["pending", "creating", "updating", "ready"])("keeps the secret of a %s key", async (status) => {
  proxy.on(
    creations,
    rewrite((key) => ({ ...key, status })),
  );
  const { outs } = await create();
  expect(plain(outs["key"])).toEqual(expect.stringMatching(/./));
});

it.each([{ key: undefined }, { key: null }, { key: "" }])(
  "deletes a key that came with %j, and fails",
  async (without) => {
    proxy.on(
      creations,
      rewrite((key) => ({ ...key, ...without })),
    );
    await expect(create()).rejects.toThrow(/^The API answered the creation of API key \S+ without its key\.$/);
    expect(await world.made("ApiKey")).toEqual([]);
  },
);
