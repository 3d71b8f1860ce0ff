import type { StateEntry } from "../support/mini-state";
import { MiniStack, up } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import { DriftBench } from "./support/drift-fixture";
import type { Drift } from "../kinds/descriptor";

const bench = DriftBench.forSuite();

const type = "ConnectConnection";

/** Makes a connection, changes it in the API, refreshes and previews. Returns the preview with its quote requests. */
async function after(row: Drift): Promise<{ refreshed: StateEntry; quotes: string[]; lines: string[] }> {
  const state = await bench.made(type);
  await bench.drift(type, state.id, row);
  const before = (await bench.world.requests()).length;
  const entry = await bench.refreshed(type, state);
  const quotes = (await bench.world.requests()).slice(before).filter((request) => request.endsWith("/cost"));
  const run = bench.world.run();
  await preview(run, type, bench.argsFor(type), entry);
  return { refreshed: entry, quotes, lines: run.texts() };
}

it("requests a quote if the change affects the price", async () => {
  const { refreshed, quotes, lines } = await after({ wire: { bandwidth_mbps: 2000 } });
  expect(quotes).toHaveLength(1);
  expect(refreshed.outs["cost"]).toMatchObject({ monthlyTotal: "3125.00" });
  expect(refreshed.inputs["cost"]).toMatchObject({ monthlyTotal: "3125.00" });
  expect(refreshed.inputs["cost"]).not.toHaveProperty("pricedAt");
  expect(lines).toEqual(["$3,125.00/mo → $312.50/mo (-$2,812.50/mo)"]);
});

it("fills hidden values with placeholders in a quote", async () => {
  // Without the account.
  const { refreshed, quotes } = await after({ wire: { external_provider: { region: "eu-west-1" } } });
  expect(quotes).toHaveLength(1);
  expect(refreshed.outs["cost"]).toMatchObject({ monthlyTotal: "312.50" });
  expect(refreshed.inputs["externalProvider"]).toEqual({ region: "eu-west-1" });
});

it("keeps the cost if the price is not affected", async () => {
  const { refreshed, quotes } = await after({ wire: { tags: ["theirs"], cidrs: ["10.9.0.0/16"] } });
  expect(quotes).toEqual([]);
  expect(refreshed.outs["cost"]).toMatchObject({ monthlyTotal: "312.50" });
});

it.each(["abc", 7.3, ["7.30"]])("asks again for a cost that somebody has edited to %j", async (monthlyTotal) => {
  const made = await bench.made(type);
  const cost = { monthlyTotal };
  const edited = { ...made, inputs: { ...made.inputs, cost }, outs: { ...made.outs, cost } };
  const { state } = await up(bench.world.run(), type, bench.argsFor(type), edited);
  expect(state.outs["cost"]).toMatchObject({ monthlyTotal: "312.50" });
});

it("leaves outside changes of other fields to a refresh", async () => {
  const state = await bench.made(type);
  await bench.drift(type, state.id, { wire: { bandwidth_mbps: 2000 } });
  const args = { ...bench.argsFor(type), tags: ["new"] };
  const run = bench.world.run();
  const { state: updated } = await up(run, type, args, state);
  expect(run.warnings()).toEqual([expect.stringContaining("bandwidthMbps. `pulumi refresh` shows the difference")]);
  expect(updated.outs).toMatchObject({ bandwidthMbps: 200, cost: { monthlyTotal: "312.50" } });
  expect((await up(bench.world.run(), type, args, updated)).operation).toBe("same");
  expect((await bench.refreshed(type, updated)).outs).toMatchObject({ cost: { monthlyTotal: "3125.00" } });
});

it("leaves an unset field to the API in an update", async () => {
  const pool = "NksNodePool";
  const { state } = await up(bench.world.run(), pool, { ...bench.argsFor(pool), nodeCount: undefined }, undefined);
  await bench.drift(pool, state.id, { wire: { node_count: 6 } });
  const args = { ...bench.argsFor(pool), nodeCount: undefined, tags: ["new"] };
  const { state: updated } = await up(bench.world.run(), pool, args, state);
  expect(updated.outs).toMatchObject({ nodeCount: 1, cost: { monthlyTotal: "50.20" } });
  const entry = await bench.refreshed(pool, updated);
  expect(entry.outs).toMatchObject({ nodeCount: 6, cost: { monthlyTotal: "301.20" } });
  expect((await up(bench.world.run(), pool, args, entry)).operation).toBe("same");
});

it("requests each quote once for equal prices", async () => {
  const { world } = bench;
  const stack = new MiniStack();
  await stack.up(
    world.run(),
    ["a", "b", "c"].map((name) => ({ type, name, args: () => bench.argsFor(type) })),
  );
  for (const { id } of stack.resources) await bench.drift(type, id, { wire: { bandwidth_mbps: 500 } });
  const before = (await world.requests()).length;
  expect(await stack.refresh(world.run(), { isParallel: true })).toEqual([]);
  const connections = "/v1/networking/connect/connections";
  expect((await world.requests()).slice(before)).toEqual([`GET ${connections}`, `POST ${connections}/cost`]);
  for (const { outs } of stack.resources)
    expect(outs).toMatchObject({ bandwidthMbps: 500, cost: { monthlyTotal: "781.25" } });
});
