import { openCampaign } from "../chaos/support/engine-campaign";
import type { Campaign } from "../chaos/support/violation";
import type { Hits } from "../chaos/support/wire";
import { assertBuilt, assertEngine } from "./support/built";

jest.setTimeout(300_000);
assertBuilt();
assertEngine();

/** Small programs, and between them both victims on both sides of a request's effect. */
const SEEDS = [12, 83, 88, 107];

describe("when the plugin or the CLI is killed at a request, and a person goes on from there", () => {
  const hits: Hits = new Map();
  let campaign: Campaign;
  beforeAll(async () => {
    campaign = await openCampaign();
  });
  afterAll(() => campaign.close());

  it.each(SEEDS)("nothing is lost, nothing is there twice, nobody else's is touched (seed %i)", async (seed) => {
    expect((await campaign.run(seed, hits))?.text).toBeUndefined();
  });

  it("each has been killed before and after a request's effect", () => {
    expect([...hits.keys()].sort()).toEqual([
      "the CLI killed after its effect",
      "the CLI killed before it arrives",
      "the plugin killed after its effect",
      "the plugin killed before it arrives",
    ]);
  });
});
