import { Agent, buildConnector } from "undici";
import { failureOf } from "../support/failure-of";
import { awaited, hasCredential, madeTypes, takenOver, withTwins } from "../kinds";
import { collectionPath, World } from "../support/world";
import { sent, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { FaultProxy } from "../support/proxy/fault-proxy";

const types = madeTypes;
const world = World.forSuite();

describe.each(types)("when the response to a creation of %s is lost", (type) => {
  const path = collectionPath(type);

  it.each([{ drop: "after" }, { truncate: true }])("finds the object that the API made, once (%j)", async (fault) => {
    await world.fault({ method: "POST", path: `^${path}$`, ...fault });
    const { id, outs } = await world.create(type);
    expect(await world.ids(type)).toEqual([id]);
    if (takenOver.includes(type)) expect(outs["status"] ?? "ready").toBe("ready"); // if made at once, it has no status
    if (hasCredential(type)) expect(await world.signIn(outs["key"])).toBe(200); // the secret in state opens the API
  });

  it("fails if the API made nothing, and leaves nothing", async () => {
    await world.fault({ method: "POST", path: `^${path}$`, drop: "before" });
    const error = await failureOf(world.create(type));
    expect(error.message).toMatch(/^create .* "x" \(POST .*broke before the complete answer arrived/);
    expect(error.id).toBeUndefined();
    expect(await world.made(type)).toEqual([]);
  });
});

it("names the key that cannot be deleted without its secret", async () => {
  await world.fault({ method: "POST", path: "/v1/api_keys$", drop: "after" });
  await world.fault({ method: "DELETE", path: "/v1/api_keys/", status: 500, every: 1 });
  const error = await failureOf(world.create("ApiKey"));
  const keys = await world.made("ApiKey");
  expect(keys).toHaveLength(1);
  expect(error.message).toContain(keys[0]?.id);
});

it("deletes a key despite unanswered deletions, without a long wait", async () => {
  await world.fault({ method: "POST", path: "/v1/api_keys$", drop: "after" });
  await world.fault({ method: "DELETE", path: "/v1/api_keys/", drop: "after", every: 1 });
  const startedAt = world.clock.now();
  const { id } = await world.create("ApiKey");
  expect(await world.ids("ApiKey")).toEqual([id]);
  expect(world.clock.now() - startedAt).toBeLessThan(120_000);
});

it("rejects a 404 to a deletion while the object is shown", async () => {
  const { id, outs, lifecycle } = await world.create("Volume");
  world.clock.advance(3_600_000);
  await world.fault({ method: "DELETE", path: `/${id}$`, status: 404, every: 1 });
  const error = await failureOf(lifecycle.delete(id, outs));
  expect(error.message).toContain(`the API answered 404 to the deletion of ${id}, and still shows it`);
  expect(await world.ids("Volume")).toEqual([id]);
  await world.clearFaults();
  await lifecycle.delete(id, outs);
  expect(await world.made("Volume")).toEqual([]);
});

it("says that an unreadable object may be deleted after a 404", async () => {
  const { id, outs } = await world.create("Volume");
  world.clock.advance(3_600_000);
  await world.fault({ method: "DELETE", path: `/${id}$`, status: 404, every: 1 });
  await world.fault({ method: "GET", path: `/${id}$`, status: 403, every: 1 });
  const run = world.run();
  await failureOf(run.of("Volume").delete(id, outs));
  const advice = "Run `pulumi refresh` before you declare it again";
  expect(run.texts()).toEqual([`the API may nevertheless have deleted volume ${id}. ${advice}`]);
});

describe("when the program gives the name", () => {
  const mine = (type: string): Record<string, unknown> => world.args(type, { name: "mine" });

  it.each(withTwins)("has its own %s beside a simultaneous namesake", async (type) => {
    const foreign = await world.create(type, mine(type));
    await world.fault({ method: "POST", path: `^${collectionPath(type)}$`, drop: "after" });
    const { id, outs } = await world.create(type, mine(type));
    expect(id).not.toBe(foreign.id);
    expect((await world.ids(type)).sort()).toEqual([foreign.id, id].sort());
    if (hasCredential(type)) expect(await world.signIn(outs["key"])).toBe(200);
  });

  it.each(types)("leaves another %s of the name if its own was not made", async (type) => {
    await world.fault({ method: "POST", path: `^${collectionPath(type)}$`, drop: "before" });
    let foreign: { readonly id: string } | undefined;
    world.clock.onSleep = async () => {
      world.clock.onSleep = undefined;
      foreign = await world.create(type, mine(type));
    };
    const error = await failureOf(world.create(type, mine(type)));
    expect(error.message).not.toContain(foreign?.id);
    expect(await world.ids(type)).toEqual([foreign?.id]);
  });
});

describe.each(awaited)("a creation of %s that the API accepts", (type) => {
  it("fails with the API's reason, and saves the object", async () => {
    await world.fault({ method: "POST", path: `^${collectionPath(type)}$`, operation: "fail" });
    const error = await failureOf(world.create(type));
    expect(error.message).toMatch(/the API accepted it, but create .* failed/);
    expect(await world.ids(type)).toEqual(error.id === undefined ? [] : [error.id]);
  });
});

describe("a refused creation that took effect, sent again", () => {
  const volumes = { method: "POST", path: /^\/v1\/compute\/volumes$/ };
  let isDown = false;
  const reach = buildConnector({});
  // After the refusal, nothing listens.
  const dispatcher = new Agent({
    pipelining: 0, // each request has its own connection
    connect: (options, done) => {
      if (isDown) done(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }), null);
      else reach(options, done);
    },
  });
  const refused = { status: 401, headers: {}, body: JSON.stringify({ type: "AUTHORIZATION_INVALID_ERROR" }) };
  beforeEach(() => (isDown = false));
  afterAll(() => dispatcher.destroy());

  it.each([
    ["to a service that is down", true],
    ["with a key that is revoked", false],
  ])("finds the object of a creation repeated %s", async (_how, goesDown) => {
    const proxy = await FaultProxy.start(world.simulator.url);
    let isRevoked = false;
    proxy.on({}, (_request, forward) => (isRevoked ? Promise.resolve(refused) : forward()));
    proxy.on({ ...volumes, nth: 1 }, async (_request, forward) => {
      await forward();
      [isDown, isRevoked] = [goesDown, !goesDown];
      return { status: 429, headers: { "retry-after": "0", connection: "close" }, body: "{}" };
    });
    const journal = new MemoryJournal();
    const create = async (run: TestRun): Promise<string> => {
      const lifecycle = run.of("Volume");
      const args = world.args("Volume", { name: "mine" });
      const { inputs } = await lifecycle.check({}, sent("Volume", "x", args, false));
      return (await lifecycle.create(inputs)).id;
    };
    const run = (): TestRun =>
      world.run({ baseUrl: proxy.url, costQuotes: "false" }, { journal, client: { dispatcher } });
    const { message } = await failureOf(create(run()));
    expect(message.split("The API may have made the volume")[0]).not.toContain("Nothing was sent");
    isDown = isRevoked = false;
    await journal.undoHandOver();
    const id = await create(run());
    expect(await world.made("Volume")).toMatchObject([{ id }]);
    await proxy.close();
  });
});
