import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeTestBed, openCampaign, openTestBed, trySeed } from "./support/campaign";
import type { Campaign, TestBed } from "./support/test-bed";
import { sabotages } from "./support/sabotage";
import type { Hits } from "./support/wire";

const SEEDS = join(__dirname, "golden", "seeds.json");

/** Faults that must have happened at least once. */
const KINDS = [
  "404 that is not the API's",
  "Ctrl-C twice before the engine saved",
  "a part is changed by somebody else",
  "another name of stack or provider",
  "credential revoked",
  "damaged journal",
  "delivered twice",
  "delivered twice, then no quota",
  "dropped after the effect",
  "dropped before the effect",
  "dropped, and delivered later",
  "failed operation",
  "failed operation that vanishes",
  "killed after the effect",
  "killed before sending",
  "killed before the engine saved",
  "local clock jumps",
  "no answer in time",
  "operation that never ends",
  "operation that vanishes",
  "service's clock jumps",
  "slow answer",
  "somebody else creates the same",
  "status",
  "status after the effect",
  "truncated body",
];

describe("a short fault campaign", () => {
  // From this seed on, each kind of fault comes soon. `npm run chaos` runs more.
  const [FIRST_SEED, SCHEDULES, MAX_SCHEDULES] = [440, 70, 500];
  const hits: Hits = new Map();
  let campaign: Campaign;
  beforeAll(async () => {
    campaign = await openCampaign();
  });
  afterAll(() => campaign.close());

  it("runs lose nothing and make nothing twice under every fault", async () => {
    const violations: string[] = [];
    const isEnough = (seed: number): boolean =>
      seed >= FIRST_SEED + (hits.size < KINDS.length ? MAX_SCHEDULES : SCHEDULES);
    for (let seed = FIRST_SEED; !isEnough(seed) && violations.length < 3; seed += 1) {
      const violation = await campaign.run(seed, hits);
      if (violation !== undefined) violations.push(violation);
    }
    expect(violations.join("\n\n")).toBe("");
  });

  it("every kind of fault has happened", () => {
    expect([...hits.keys()].sort()).toEqual(KINDS);
  });
});

describe("the campaign notices", () => {
  const [MAX_SCHEDULES, MOST_MS] = [2000, 3_600_000];
  /** A schedule that shows each mistake. A new kind shifts them, and the search for others takes longer. */
  const seeds = JSON.parse(readFileSync(SEEDS, "utf8")) as Record<string, number>;
  let testBed: TestBed;
  beforeAll(async () => {
    testBed = await openTestBed();
  });
  afterAll(async () => {
    const text = `${JSON.stringify(seeds, Object.keys(sabotages), 2)}\n`;
    if (process.env["UPDATE_GOLDEN"] === "true") writeFileSync(SEEDS, text);
    else if (text !== readFileSync(SEEDS, "utf8"))
      console.warn("Other seeds show the mistakes now: UPDATE_GOLDEN=true npm test -- test/chaos");
    await closeTestBed(testBed);
  });

  it.each(Object.entries(sabotages))(
    "the campaign notices when %s",
    async (mistake, sabotage) => {
      for (const seed of [seeds[mistake] ?? 1, ...Array.from({ length: MAX_SCHEDULES }, (_, nth) => nth + 1)]) {
        const violations = await trySeed({ ...testBed, sabotage }, seed);
        // Some mistakes first have milder consequences.
        if (!sabotage.expected.test(violations.join("\n"))) continue;
        seeds[mistake] = seed;
        return;
      }
      throw new Error(`${MAX_SCHEDULES} schedules went by`);
    },
    MOST_MS,
  );
});
