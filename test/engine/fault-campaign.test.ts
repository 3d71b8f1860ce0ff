import { openCampaign } from "../chaos/support/engine-campaign";
import type { Hits } from "../chaos/support/wire";
import { assertBuilt, assertEngine } from "./support/built";
import { DYNAMIC, NATIVE } from "./support/programs";

assertBuilt();
assertEngine();

/** Small programs with a killed plugin, a killed CLI and a second Ctrl-C between their runs. */
const SEEDS = [
  [DYNAMIC, [737, 1260, 793, 886]],
  [NATIVE, [737, 1260, 793, 2224]],
] as const;

describe.each(SEEDS)(
  "with %s, when the plugin or the CLI is killed at a request, or Ctrl-C comes twice",
  (front, seeds) => {
    const hits: Hits = new Map();

    // At the same time, because they mostly wait.
    it.concurrent.each(seeds)("loses nothing and makes nothing twice (seed %i)", async (seed) => {
      const campaign = await openCampaign(front);
      expect(await campaign.run(seed, hits)).toBeUndefined();
    });

    it("each fault has happened", () => {
      expect([...hits.keys()]).toEqual(
        expect.arrayContaining([
          "Ctrl-C twice, after its effect",
          "the CLI is killed, before it arrives",
          "the plugin is killed, after its effect",
          "the plugin is killed, before it arrives",
        ]),
      );
    });
  },
);
