import { MiniStack } from "../support/mini-engine";
import { argsOf, World } from "../support/world";
import type { TestRun } from "../support/lifecycle";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterEach(() => world.reset());
afterAll(() => world.close());

/** What a refresh says when the engine ends its plugin, after so many rules of seven were deleted by somebody. */
async function toldAfter(deleted: number): Promise<readonly string[]> {
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  const stack = new MiniStack();
  const program = names.map((name) => ({
    type: "FirewallRule",
    name,
    args: () => argsOf("FirewallRule", world.simulator),
  }));
  expect((await stack.up(world.run(), program)).failures).toEqual([]);
  world.clock.advance(60_000);
  for (const name of names.slice(0, deleted)) {
    await world.api("DELETE", `/v1/networking/vpcs/${world.simulator.vpcId}/firewall_rules/${stack.stateOf(name).id}`);
  }
  world.clock.advance(60_000);
  const run = world.run();
  expect(await stack.refresh(run, { isParallel: true })).toEqual([]);
  expect(stack.resources).toHaveLength(names.length - deleted);
  await end(run);
  return run.lines.filter(({ severity, urn }) => severity === "warning" && urn === "").map(({ text }) => text);
}

function end({ run }: TestRun): Promise<void> {
  return run.gone.tell(run.rows, () => run.settings.baseUrl);
}

it.each([0, 1])("when %i objects are gone, nothing is said of it", async (deleted) => {
  expect(await toldAfter(deleted)).toEqual([]);
});

it("when several are gone, one warning says how many, which, and what to do", async () => {
  const [told, ...more] = await toldAfter(3);
  expect(more).toEqual([]);
  expect(told).toMatch(/^The API no longer has 3 objects of the state: /);
  for (const name of ["a", "b", "c"]) expect(told).toContain(`firewall rule "${name}"`);
  expect(told).toContain(`the base URL (${world.simulator.url})`);
});

it("when many are gone, five are named", async () => {
  const [told] = await toldAfter(7);
  expect(told).toMatch(/^The API no longer has 7 objects .*, and 2 more\. /);
});
