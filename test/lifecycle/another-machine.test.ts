import { UNKNOWN } from "../../src/engine/values";
import { KilledConnections, type Kill } from "../support/killed-run";
import { sent, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { MiniStack } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import type { Declaration, StateEntry } from "../support/mini-state";
import { World, type WireObject } from "../support/world";

const world = World.forSuite();

type Edition = "first" | "second";

/** A program whose second edition replaces a volume, a connection and a key. */
const program = (edition: Edition): readonly Declaration[] => [
  declare("Volume", "data", { type: edition === "first" ? "abs" : "nvme" }),
  declare("ConnectConnection", "link", { bandwidthMbps: edition === "first" ? 50 : 200 }),
  declare("ApiKey", "ci", { name: "ci", rotationTrigger: edition }),
  declare("Vpc", "net"),
  {
    ...declare("FirewallRule", "web"),
    dependsOn: ["net"],
    args: (of) => {
      const { id, outs } = of("net");
      const { cidr } = outs["subnet"] as { readonly cidr: string };
      return world.args("FirewallRule", { vpcId: id, destinationAddress: cidr });
    },
  },
];
const types = [...new Set(program("first").map(({ type }) => type))];

function declare(type: string, name: string, args: object = {}): Declaration {
  return { type, name, args: () => world.args(type, args) };
}

async function held(): Promise<readonly WireObject[]> {
  return (await Promise.all(types.map((type) => world.made(type)))).flat();
}

const idsIn = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []);

/** The ids that the preview names. Its failures fail nothing here, because the engine stops at the first one. */
async function named(run: TestRun, resources: readonly Declaration[], stack: MiniStack): Promise<readonly string[]> {
  const unknown: StateEntry = { id: UNKNOWN, inputs: {}, outs: { subnet: { cidr: UNKNOWN } } };
  const stateOf = (name: string): StateEntry | undefined =>
    stack.resources.find((kept) => kept.name === name && !kept.isReplaced);
  const args = (of: Declaration): object => of.args((name) => stateOf(name) ?? unknown);
  for (const declared of resources) {
    const { type, name } = declared;
    const kept = stateOf(name);
    if (kept) await preview(run, type, args(declared), kept, { name });
    else await run.of(type).check({}, sent(type, name, args(declared)));
  }
  await run.run.duplicates.warn();
  return idsIn(run.texts());
}

/**
 * A run that is killed at a request. Resolves with what the state then has. Undefined if the run has fewer requests.
 */
async function killedRun(stackId: string | undefined, edition: Edition, kill: Kill): Promise<MiniStack | undefined> {
  const stack = new MiniStack();
  const journal = new MemoryJournal();
  if (edition === "second") await stack.up(world.run({ stackId }, { journal }), program("first"));
  world.clock.advance(60_000);
  const connections = new KilledConnections(kill);
  const client = { dispatcher: connections.dispatcher };
  const end = stack.up(world.run({ stackId }, { journal, client }), program(edition)).catch(() => undefined);
  const isKilled = await Promise.race([connections.death.then(() => true), end.then(() => false)]);
  const saved = stack.resources;
  await connections.bury();
  await end;
  return isKilled ? new MiniStack(saved) : undefined;
}

const KILLS = [
  ["creation", "before", "first"],
  ["creation", "after", "first"],
  ["replacement", "before", "second"],
  ["replacement", "after", "second"],
] as const;

describe.each([
  ["without an id", undefined],
  ["with an id", "5d3f"],
])("a run on another machine of a stack %s", (_case, stackId) => {
  const next = async (stack: MiniStack, edition: Edition, others: readonly WireObject[]): Promise<void> => {
    const names = await named(world.run({ stackId, preflight: "warn" }), program(edition), stack);
    const run = world.run({ stackId, ...(stackId !== undefined && { adoptOwn: "true" }) });
    expect((await stack.up(run, program(edition))).failures).toEqual([]);
    const after = await held();
    expect(after).toEqual(expect.arrayContaining([...others]));
    const known = [...stack.resources, ...others].map(({ id }) => id);
    const twice = after.filter(({ id }) => !known.includes(id));
    expect(names).toEqual(expect.arrayContaining(twice.map(({ id }) => id)));
    const keys = await world.ids("ApiKey");
    if (stackId !== undefined) expect(twice.filter(({ id }) => !keys.includes(id))).toEqual([]);
    const { operations } = await stack.up(world.run({ stackId }), program(edition));
    expect([...new Set(operations.values())]).toEqual(["same"]);
  };

  it.each(KILLS)("another machine duplicates only named objects: %s, killed %s", async (_case, moment, edition) => {
    let skipped = 0;
    for (; ; skipped += 1) {
      await world.create("Volume", {}, { name: "data" }); // a neighbour's
      const others = await held();
      const stack = await killedRun(stackId, edition, { path: /./, skipped, moment });
      if (stack === undefined) break;
      await next(stack, edition, others);
      await world.reset();
    }
    expect(skipped).toBeGreaterThan(10);
  });
});
