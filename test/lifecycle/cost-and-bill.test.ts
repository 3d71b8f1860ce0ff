import { Decimal } from "decimal.js";
import fc from "fast-check";
import type { Cost } from "../../src/cost/cost";
import { urnOf } from "../support/lifecycle";
import { MiniStack } from "../support/mini-engine";
import type { Declaration, StateEntry } from "../support/mini-state";
import { collectionOf, World } from "../support/world";
import { importId } from "../../src/definition/import-id";
import { descriptorOf } from "../kinds";
import { definitionOf } from "../kinds/support/claims";

const world = World.forSuite();

/** What one version of a program says about a resource. */
interface Version {
  readonly type: "ApiKey" | "ConnectConnection" | "FirewallRule";
  readonly name: string;
  readonly isAdopted: boolean;
  readonly bandwidthMbps: number;
  readonly tag: string;
}

/** A version of the program, and what happens before it is deployed. */
interface Stage {
  readonly resources: readonly Version[];
  readonly moves: Readonly<Record<string, string>> | undefined;
  readonly hasFailingQuotes: boolean;
}

const types = ["ApiKey", "ConnectConnection", "FirewallRule"] as const;
const anyPrice = fc.integer({ min: 0, max: 99_999 }).map((units) => new Decimal(units).dividedBy(1_000).toFixed());
const anyVersion = fc
  .tuple(fc.constantFrom(...types), fc.nat(2), fc.constantFrom(50, 200, 500), fc.constantFrom("a", "b"), fc.boolean())
  .map(([type, index, bandwidthMbps, tag, isAdopted]): Version => ({
    type,
    name: `${type}-${index}${isAdopted ? "-adopted" : ""}`,
    isAdopted,
    bandwidthMbps,
    tag,
  }));
const anyStage: fc.Arbitrary<Stage> = fc.record({
  resources: fc.uniqueArray(anyVersion, { maxLength: 6, selector: ({ name }) => name }),
  moves: fc.option(
    fc.record({ networking_connect_mbps: anyPrice, api_key: anyPrice, networking_firewall_rule: anyPrice }),
    { nil: undefined },
  ),
  hasFailingQuotes: fc.boolean(),
});

/** An object made by hand, for a program to adopt under this name. Its bandwidth never changes. */
async function byHand({ type, name }: Version, made: Map<string, string>): Promise<string> {
  const known = made.get(name);
  if (known !== undefined) return known;
  const body = { ...descriptorOf(type).creation(world.simulator), name };
  const { resource_id, id } = await world.api("POST", collectionOf(type, world.simulator), body);
  const own = String(resource_id ?? id);
  made.set(name, own);
  world.clock.advance(2_000);
  return own;
}

async function programOf(stage: Stage, made: Map<string, string>): Promise<Declaration[]> {
  const declared = await Promise.all(
    stage.resources.map(async (version): Promise<Declaration> => {
      const { type, name, isAdopted, tag } = version;
      const id = isAdopted ? await byHand(version, made) : undefined;
      const own = world.args(type);
      const args = {
        ...own,
        // An adopted object cannot get another bandwidth.
        ...(!isAdopted && "bandwidthMbps" in own && { bandwidthMbps: version.bandwidthMbps }),
        tags: [tag],
        ...(id !== undefined && { adopt: importId(definitionOf(type), id, own) }),
      };
      return { type, name, args: () => args };
    }),
  );
  const __registered = { urns: stage.resources.map(({ type, name }) => urnOf(type, name)), late: [] };
  return [...declared, { type: "CostSummary", name: "cost", args: () => ({ __registered, __run: "mark" }) }];
}

/** What each object costs by the simulator's price list, by id. */
async function priceOf(): Promise<(id: string) => Decimal> {
  const prices = await world.prices();
  const [apiKeys, connections, firewallRules] = [
    await world.objects("ApiKey"),
    await world.objects("ConnectConnection"),
    await world.objects("FirewallRule"),
  ];
  const all = new Map([
    ...apiKeys.map(({ id }) => [id, new Decimal(prices["api_key"] ?? 0)] as const),
    ...firewallRules.map(({ id }) => [id, new Decimal(prices["networking_firewall_rule"] ?? 0)] as const),
    ...connections.map(
      ({ id, bandwidth_mbps }) =>
        [id, new Decimal(prices["networking_connect_mbps"] ?? 0).times(Number(bandwidth_mbps))] as const,
    ),
  ]);
  return (id) => all.get(id) ?? new Decimal(0);
}

const priced = (stack: MiniStack): (StateEntry & { readonly name: string })[] =>
  stack.resources.filter(({ type }) => type !== "CostSummary");
const totalOf = (entry: StateEntry): string | undefined => (entry.inputs["cost"] as Cost | undefined)?.monthlyTotal;
const sum = (amounts: readonly Decimal[]): Decimal => amounts.reduce((total, each) => total.plus(each), new Decimal(0));

it("a summary equals the bill for any programs", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStage, { minLength: 2, maxLength: 4 }), async (stages) => {
      await world.reset();
      const stack = new MiniStack();
      const made = new Map<string, string>();
      for (const stage of stages) {
        const program = await programOf(stage, made);
        if (stage.moves) await world.setPrices(stage.moves);
        if (stage.hasFailingQuotes) await world.fault({ path: "/cost$", status: 500, every: 2 });
        const was = priced(stack);
        const before = await priceOf();
        const { failures, operations } = await stack.up(world.run(), program);
        await world.clearFaults();
        expect(failures).toEqual([]);
        const after = await priceOf();
        const is = priced(stack);

        // An unchanged resource keeps its last quote, because nobody asked again. Its price may have changed.
        const unquoted = is.filter((entry) => {
          const earlier = was.find(({ id }) => id === entry.id);
          return operations.get(entry.name) === "same" && earlier !== undefined && totalOf(earlier) !== undefined;
        });
        const deleted = was.filter(({ name }) => operations.get(name) === "delete");
        const moved = (entries: readonly StateEntry[], price: (id: string) => Decimal): Decimal =>
          sum(entries.map((entry) => price(entry.id).minus(totalOf(entry) ?? 0)));
        for (const entry of is) {
          if (totalOf(entry) !== undefined && !unquoted.includes(entry) && !stage.hasFailingQuotes)
            expect(totalOf(entry)).toBe(after(entry.id).toFixed(Math.max(2, after(entry.id).decimalPlaces())));
        }
        const isComplete = [...is, ...deleted].every((entry) => totalOf(entry) !== undefined);
        const { outs, inputs } = stack.stateOf("cost");
        expect(outs["atLeast"]).toBe(inputs["atLeast"]);
        if (isComplete && !stage.hasFailingQuotes) {
          const bill = sum(is.map(({ id }) => after(id)));
          expect(new Decimal(String(inputs["after"])).plus(moved(unquoted, after)).toFixed()).toBe(bill.toFixed());
          const adopted = is.filter(({ name }) => name.endsWith("adopted") && operations.get(name) === "create");
          const change = bill.minus(sum([...was, ...adopted].map(({ id }) => before(id))));
          expect(new Decimal(String(inputs["delta"])).minus(moved(deleted, before)).toFixed()).toBe(change.toFixed());
        }

        const unknown = is.filter((entry) => totalOf(entry) === undefined);
        const calls = (await world.requests()).length;
        const again = await stack.up(world.run(), program);
        expect([...again.operations.entries()].filter(([name, each]) => name !== "cost" && each !== "same")).toEqual(
          [],
        );
        const requests = (await world.requests()).slice(calls);
        expect(requests.every((request) => request.endsWith("/cost"))).toBe(true);
        if (unknown.length === 0) expect(requests).toEqual([]);
        expect(priced(stack).filter((entry) => totalOf(entry) === undefined)).toEqual([]);
        for (const entry of deleted) made.delete(entry.name);
      }
    }),
    { numRuns: 25 },
  );
});
