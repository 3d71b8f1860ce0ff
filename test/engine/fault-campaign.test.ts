import { openCampaign } from "../chaos/support/engine-campaign";
import type { Campaign } from "../chaos/support/violation";
import type { Hits } from "../chaos/support/wire";
import { assertBuilt, assertEngine } from "./support/built";
import { FRONTS } from "./support/programs";

jest.setTimeout(300_000);
assertBuilt();
assertEngine();

/** Small programs, and between them a killed plugin, a killed CLI and a second Ctrl-C. */
const SEEDS = [737, 1260, 2120, 3118, 886, 2224];

describe("with each front, when the plugin or the CLI is killed at a request, or Ctrl-C comes twice, and a person goes on from there", () => {
  const hits: readonly Hits[] = FRONTS.map(() => new Map());
  let campaigns: readonly Campaign[] = [];
  beforeAll(async () => {
    campaigns = await Promise.all(FRONTS.map((front) => openCampaign(front)));
  });
  afterAll(() => Promise.all(campaigns.map((campaign) => campaign.close())));

  it.each(SEEDS)("nothing is lost, nothing is there twice, nobody else's is touched (seed %i)", async (seed) => {
    // At the same time, as the schedules wait more than they compute.
    const violations = await Promise.all(campaigns.map((campaign, nth) => campaign.run(seed, hits[nth]!)));
    expect(violations.map((violation) => violation?.text)).toEqual(FRONTS.map(() => undefined));
  });

  it.each(FRONTS.map((front, nth) => [front, nth] as const))("with %s, each has happened", (_front, nth) => {
    expect([...hits[nth]!.keys()]).toEqual(
      expect.arrayContaining([
        "Ctrl-C twice, after its effect",
        "the CLI is killed, before it arrives",
        "the plugin is killed, after its effect",
        "the plugin is killed, before it arrives",
      ]),
    );
  });
});
