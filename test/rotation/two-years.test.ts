import fc from "fast-check";
import { keysAlive, outputsOf, signIn, upRotating, type RotatingState } from "../support/rotating-key";
import { World } from "../support/world";
import { DAY_MS } from "./support";

const TWO_YEARS_MS = 2 * 365.25 * DAY_MS;
const PERIOD_MS = 30 * DAY_MS;

const world = World.forSuite();

/** Distances between runs, in periods, derived from the seed. */
function gapsOf(seed: number, max: number): readonly number[] {
  return fc.sample(fc.double({ min: 0.01, max, noNaN: true }), { seed, numRuns: 400 });
}

/** Two years of runs. Clients sign in with both outputs every five days, and just before each run. */
async function twoYears(gaps: readonly number[]): Promise<{ runs: number; rotations: number; refused: string[] }> {
  const end = world.clock.now() + TWO_YEARS_MS;
  let state: RotatingState | undefined;
  let [runs, rotations] = [0, 0];
  const refused: string[] = [];
  for (const gap of gaps) {
    const alive: number[] = [];
    const between = async (): Promise<void> => void alive.push((await keysAlive(world)).length);
    const outcome = await upRotating(world, { period: "30d" }, state, { between });
    const replaced = [outcome.operations.a, outcome.operations.b].filter((operation) => operation === "replace");
    state = outcome.state;
    runs += 1;
    rotations += replaced.length;
    expect(replaced.length).toBeLessThanOrEqual(1);
    expect(Math.max(2, ...alive)).toBeLessThanOrEqual(3);
    expect(await keysAlive(world)).toEqual([state.a!.id, state.b!.id].sort());

    const next = world.clock.now() + Math.round(gap * PERIOD_MS);
    while (world.clock.now() < next) {
      world.clock.advance(Math.min(5 * DAY_MS, next - world.clock.now()));
      for (const [output, key] of Object.entries(outputsOf(state))) {
        if ((await signIn(world, key)) !== 200) refused.push(`${output} after run ${runs}`);
      }
    }
    if (world.clock.now() > end) break;
  }
  expect(world.clock.now()).toBeGreaterThan(end);
  return { runs, rotations, refused };
}

it("random runs within a period refuse no client", async () => {
  const { runs, rotations, refused } = await twoYears(gapsOf(1, 1));
  expect(refused).toEqual([]);
  expect([runs, rotations]).toEqual([96, 27]);
});

it("random gaps to two periods keep current clients", async () => {
  const { rotations, refused } = await twoYears(gapsOf(2, 2));
  expect(refused.filter((text) => text.startsWith("current"))).toEqual([]);
  expect(rotations).toBeGreaterThan(15);
});

it("monthly runs with a miss each year break no client", async () => {
  const { refused } = await twoYears(Array.from({ length: 40 }, (_, index) => (index % 12 === 6 ? 2 : 1)));
  expect(refused).toEqual([]);
});
