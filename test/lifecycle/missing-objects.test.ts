import { MiniStack } from "../support/mini-engine";
import { dropAfter } from "../support/proxy/actions";
import type { Action } from "../support/proxy/exchange";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { World } from "../support/world";
import { urnOf, type TestRun } from "../support/lifecycle";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

const names = ["a", "b", "c", "d", "e", "f", "g"];

async function rules(): Promise<MiniStack> {
  const stack = new MiniStack();
  const program = names.map((name) => world.declare("FirewallRule", {}, name));
  expect((await stack.up(world.run(), program)).failures).toEqual([]);
  world.clock.advance(60_000);
  return stack;
}

/** A stack of seven rules. Somebody has deleted this many of them. */
async function rulesWithout(deleted: number): Promise<MiniStack> {
  const stack = await rules();
  for (const name of names.slice(0, deleted)) {
    await world.api("DELETE", `/v1/networking/vpcs/${world.simulator.vpcId}/firewall_rules/${stack.stateOf(name).id}`);
  }
  world.clock.advance(60_000);
  return stack;
}

/** The text under the stack when the engine ends its plugin. */
async function messagesAtEnd({ run, lines }: TestRun): Promise<readonly string[]> {
  await run.memory.missing.warn(run.rows, () => run.settings.baseUrl);
  return lines.filter(({ severity, urn }) => severity === "warning" && urn === "").map(({ text }) => text);
}

describe("a refresh", () => {
  async function messagesAfter(deleted: number): Promise<readonly string[]> {
    const stack = await rulesWithout(deleted);
    const run = world.run();
    expect(await stack.refresh(run, { isParallel: true })).toEqual([]);
    expect(stack.resources).toHaveLength(names.length - deleted);
    return messagesAtEnd(run);
  }

  it.each([0, 1])("prints nothing in a refresh with %i deleted objects", async (deleted) => {
    expect(await messagesAfter(deleted)).toEqual([]);
  });

  it("a refresh warns once of several deleted objects", async () => {
    const [message, ...more] = await messagesAfter(3);
    expect(more).toEqual([]);
    expect(message).toMatch(/^The API no longer has 3 objects of the state: /);
    for (const name of ["a", "b", "c"]) expect(message).toContain(`firewall rule "${name}"`);
    expect(message).toContain(
      `If nobody deleted anything, first check that the API key and the base URL (${world.simulator.url})`,
    );
  });

  it("says which deleted objects the same run makes again", async () => {
    const stack = await rulesWithout(3);
    const run = world.run();
    expect(await stack.refresh(run, { isParallel: true })).toEqual([]);
    const program = names.map((name) => world.declare("FirewallRule", {}, name));
    expect((await stack.up(run, program)).failures).toEqual([]);
    expect(await messagesAtEnd(run)).toEqual([
      expect.stringMatching(
        /^The API no longer had 3 objects of the state, which this run made again: firewall rule "a"/,
      ),
    ]);
  });

  it("warns of two objects of which the same run makes only one again", async () => {
    const stack = await rulesWithout(2);
    const run = world.run();
    await stack.refresh(run, { isParallel: true });
    const program = names.slice(1).map((name) => world.declare("FirewallRule", {}, name));
    expect((await stack.up(run, program)).failures).toEqual([]);
    expect(await messagesAtEnd(run)).toEqual([
      expect.stringMatching(
        /^The API no longer had 1 object of the state, which this run made again: firewall rule "b"/,
      ),
      expect.stringMatching(/^The API no longer has 1 object of the state: firewall rule "a"/),
    ]);
  });

  it("a refresh names five of many deleted objects", async () => {
    const [message] = await messagesAfter(7);
    expect(message).toMatch(/^The API no longer has 7 objects .* and 2 more\. /);
  });
});

describe("a destroy", () => {
  async function destroyed(stack: MiniStack, run: TestRun): Promise<readonly string[]> {
    expect((await stack.up(run, [])).failures).toEqual([]);
    expect(stack.resources).toEqual([]);
    return messagesAtEnd(run);
  }

  it.each([0, 1])("prints nothing under the stack in a destroy with %i deleted objects", async (deleted) => {
    expect(await destroyed(await rulesWithout(deleted), world.run())).toEqual([]);
  });

  it("a destroy shows the deleted object on its row", async () => {
    const stack = await rulesWithout(1);
    const { id } = stack.stateOf("a");
    const run = world.run();
    await destroyed(stack, run);
    expect(run.lines).toEqual([
      {
        urn: urnOf("FirewallRule", "a"),
        severity: "info",
        text: `the API shows no firewall rule ${id}: it counts as deleted`,
      },
    ]);
  });

  it("does not report its own deletions whose responses were lost", async () => {
    const stack = await rules();
    const lost: Action = async (...request) => {
      await dropAfter(...request);
      world.clock.advance(60_000); // The repetition comes when the object is gone.
      return undefined;
    };
    for (const name of names) proxy.on({ method: "DELETE", path: new RegExp(stack.stateOf(name).id), nth: 1 }, lost);
    const run = world.run({ baseUrl: proxy.url });
    expect(await destroyed(stack, run)).toEqual([]);
    expect(run.texts()).toEqual([]);
    expect(await world.made("FirewallRule")).toEqual([]);
  });

  it("a destroy warns if the key is of another account", async () => {
    const stack = await rules();
    const other = await World.start();
    const { url: baseUrl, apiKey } = other.simulator;
    const run = world.run({ baseUrl, apiKey });
    const [message, ...more] = await destroyed(stack, run);
    await other.close();
    expect(more).toEqual([]);
    expect(message).toMatch(
      /^The API does not show 7 objects that this run was to delete: firewall rule ".", .* and 2 more\. /,
    );
    expect(message).toContain(`the base URL (${baseUrl})`);
    expect(run.lines.filter(({ text }) => text.endsWith("it counts as deleted"))).toHaveLength(7);
    expect(await world.made("FirewallRule")).toHaveLength(7);
  });
});

describe("a stack of one object", () => {
  async function messages(
    work: (stack: MiniStack, run: TestRun) => Promise<unknown>,
    options: Parameters<World["run"]>[0],
  ): Promise<readonly string[]> {
    const stack = new MiniStack();
    expect((await stack.up(world.run(), [world.declare("Volume", {}, "data")])).failures).toEqual([]);
    world.clock.advance(60_000);
    await world.fault({ method: "DELETE", path: "/volumes/", status: 404, times: 1 });
    await world.fault({ method: "GET", path: "/volumes", status: 404, every: 1 });
    const run = world.run(options);
    await work(stack, run);
    expect(stack.resources).toEqual([]);
    await world.clearFaults();
    return messagesAtEnd(run);
  }

  const works: [string, (stack: MiniStack, run: TestRun) => Promise<unknown>][] = [
    ["refresh", (stack, run) => stack.refresh(run)],
    ["destroy", (stack, run) => stack.up(run, [])],
  ];

  it.each(works)("a %s warns in another account", async (_, work) => {
    const other = await World.start();
    const { url: baseUrl, apiKey } = other.simulator;
    const [message, ...more] = await messages(work, { baseUrl, apiKey });
    await other.close();
    expect(more).toEqual([]);
    expect(message).toMatch(/^The API (no longer has|does not show) 1 object .*: volume "data"\. /);
    expect(message).toContain(`the base URL (${baseUrl})`);
  });

  it.each(works)("a %s is silent if the log shows the creation", async (_, work) => {
    expect(await messages(work, {})).toEqual([]);
    expect((await world.requests()).filter((request) => request.includes("audit_logs"))).toHaveLength(1);
  });
});
