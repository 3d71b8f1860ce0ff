import { closeTestBed, openCampaign, openTestBed, trySeed } from "./support/campaign";
import type { Campaign, TestBed } from "./support/test-bed";
import { rulesBroken } from "./support/rule-sabotage";
import { sabotages } from "./support/sabotage";
import type { Hits } from "./support/wire";

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
  // A new kind shifts the schedules of all seeds. Then search for each mistake from seed 1 on.
  const [MAX_SCHEDULES, MOST_MS] = [2000, 3_600_000];
  let testBed: TestBed;
  beforeAll(async () => {
    testBed = await openTestBed();
  });
  /** The seeds that no longer show their mistake, with those that do. */
  const stale: string[] = [];
  afterAll(async () => {
    if (stale.length > 0) console.warn(`Write these seeds:\n${stale.join("\n")}`);
    await closeTestBed(testBed);
  });

  it.each(Object.entries(sabotages))(
    "the campaign notices when %s",
    async (mistake, sabotage) => {
      // Some mistakes first have milder consequences.
      const isShownBy = async (seed: number): Promise<boolean> =>
        sabotage.expected.test((await trySeed({ ...testBed, sabotage }, seed)).join("\n"));
      if (await isShownBy(sabotage.seed)) return;
      for (let seed = 1; seed <= MAX_SCHEDULES; seed += 1) {
        if (!(await isShownBy(seed))) continue;
        const file = mistake in rulesBroken ? "rule-sabotage" : "sabotage";
        stale.push(`test/chaos/support/${file}.ts, ${mistake}: seed: ${seed} instead of ${sabotage.seed}`);
        return;
      }
      throw new Error(`${MAX_SCHEDULES} schedules went by`);
    },
    MOST_MS,
  );
});
