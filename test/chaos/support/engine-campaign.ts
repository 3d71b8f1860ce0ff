import fc from "fast-check";
import type { Front } from "../../engine/support/programs";
import { engineScheduleInWords, engineSchedules } from "./engine-schedule";
import { EngineRun } from "./engine-run";
import { violationsOf } from "./invariants";
import { type Campaign, violationText } from "./test-bed";

/** A campaign with the real engine. Its schedules are small and a run takes seconds, so violations are not shrunk. */
export function openCampaign(front: Front = "pulumi-cloudinfra"): Promise<Campaign> {
  return Promise.resolve({
    run: async (seed, hits) => {
      const [schedule] = fc.sample(engineSchedules, { seed, numRuns: 1 });
      if (!schedule) throw new Error("fast-check has drawn nothing");
      const run = await EngineRun.start(schedule, front);
      try {
        const found = await violationsOf(await run.play(hits));
        if (found.length === 0) return undefined;
        const flags = front === "pulumi-cloudinfra" ? "--engine " : "--engine --native ";
        return violationText({ seed, found, words: engineScheduleInWords(schedule), flags });
      } finally {
        await run.close();
      }
    },
    close: () => Promise.resolve(),
  });
}
