import { FRONTS } from "../support/programs";
import { play } from "./play";
import type { Scenario } from "./scenario";
import { Stage } from "./stage";
import { differencesOf } from "./transcript";

/** Declares the tests of a scenario: both providers play each step, and show the same. */
export function testInBothFronts({ title, steps, options }: Scenario): void {
  describe(`both fronts: ${title}`, () => {
    let stages: readonly Stage[] = [];

    beforeAll(async () => {
      stages = await Promise.all(FRONTS.map((front) => Stage.open(front, options)));
    });

    it.each(steps)("when $when, people, state and API see the same", async (step) => {
      const [dynamic, native] = await Promise.all(stages.map((stage) => play(stage, step)));
      expect(differencesOf(dynamic!, native!)).toEqual(step.differs?.lines ?? {});
    });
  });
}
