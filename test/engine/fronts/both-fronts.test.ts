import { FRONTS } from "../support/programs";
import { Session } from "../support/session";
import { play } from "./play";
import { scenarios } from "./scenarios";
import { Stage } from "./stage";
import { differencesOf } from "./transcript";

afterAll(() => Session.closeAll());

describe.each(scenarios)("both fronts: $title", ({ steps, options }) => {
  let stages: readonly Stage[] = [];

  beforeAll(async () => {
    stages = await Promise.all(FRONTS.map((front) => Stage.open(front, options)));
  });
  afterAll(() => Promise.all(stages.map((stage) => stage.close())));

  it.each(steps)("when $when, people, state and API see the same", async (step) => {
    const [dynamic, native] = await Promise.all(stages.map((stage) => play(stage, step)));
    expect(differencesOf(dynamic!, native!)).toEqual(step.differs?.lines ?? {});
  });
});
