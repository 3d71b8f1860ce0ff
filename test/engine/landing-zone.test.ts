import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { assertBuilt, assertEngine } from "./support/built";

assertBuilt();
assertEngine();

const BENCH = resolve(__dirname, "../../tools/bench");

interface Measurement {
  readonly created: number;
  readonly collections: number;
  readonly calls: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** One round of the bench without the floor, with operations of a second. */
function measured(): Measurement {
  const script = `
    import { runRound } from "${BENCH}/engine-bench.mjs";
    import { landingZone, objectsOf } from "${BENCH}/landing-zone-round.mjs";
    const settings = { operationTime: "1s", latency: "20ms" };
    const { runs, states } = await runRound({ ...landingZone(settings), programs: ["package"] });
    const { created, collections } = objectsOf(states.package);
    const calls = Object.fromEntries(Object.entries(runs).map(([phase, run]) => [phase, run.package.calls]));
    console.log(JSON.stringify({ created, collections, calls }));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Measurement;
}

const total = (calls: Readonly<Record<string, number>> = {}): number =>
  Object.values(calls).reduce((sum, count) => sum + count, 0);

describe("the calls of examples/landing-zone", () => {
  let zone: Measurement;
  beforeAll(() => (zone = measured()));

  it("an unchanged preview asks for the API's time only", () => {
    expect(zone.calls["no-change preview"]).toEqual({ "clock read": 1 });
  });

  it("a refresh reads one list of each collection", () => {
    expect(zone.collections).toBe(14);
    expect(zone.calls["refresh"]).toEqual({ list: zone.collections });
  });

  it("updates with fewer than four calls per object", () => {
    const { create, quote, ...rest } = zone.calls["up"] ?? {};
    expect([zone.created, create]).toEqual([53, 53]);
    // One for each price, in both projects together; those of a VPC or a cluster are its own.
    expect(quote).toBe(21);
    // About 70 on an idle machine. On a busy one, operations take longer, and need more polls.
    expect(total(rest)).toBeLessThan(2 * zone.created);
  });

  it("destroys with at most two reads per object", () => {
    const { delete: deletions, read, ...polls } = zone.calls["destroy"] ?? {};
    expect(deletions).toBe(53);
    // Each object's own 404, asked for with the poll at the expected end, and once more if the operation takes longer.
    expect(read).toBeGreaterThanOrEqual(53);
    expect(read).toBeLessThanOrEqual(2 * 53);
    // A poll shows all operations under way.
    expect(total(polls)).toBeLessThan(53);
  });
});
