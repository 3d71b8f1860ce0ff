import { FRONTS, programOf } from "../support/programs";
import type { Scenario, Step } from "./scenario";
import { inOneWording } from "./screen";
import { Stage } from "./stage";
import { differencesOf, transcriptOf, type Transcript } from "./transcript";

/** Declares the tests of a scenario: both providers play each step, and show the same. */
export function testInBothFronts({ title, steps, options }: Scenario): void {
  describe(`${title}: both providers show the same in rows, state and API`, () => {
    let stages: readonly Stage[] = [];

    beforeAll(async () => {
      stages = await Promise.all(FRONTS.map((front) => Stage.open(front, options)));
    });

    it.each(steps)("$title", async (step) => {
      const [dynamic, native] = await Promise.all(stages.map((stage) => play(stage, step)));
      expect(differencesOf(dynamic!, native!)).toEqual(step.differs?.lines ?? {});
    });
  });
}

/** Plays a step with one provider. Throws if the step ends or prints otherwise than it declares. */
async function play(stage: Stage, step: Step): Promise<Transcript> {
  const { program, first, run, fails, isCut, shows } = step;
  const { front, session, proxy } = stage;
  await first?.(stage);
  if (program !== undefined)
    session.stack.write(programOf(front, ...(typeof program === "function" ? program(stage) : program)));
  const before = proxy.requests.length;
  const { code, output: printed } = await run(session);
  const output = inOneWording(printed);
  if ((code !== 0) !== (fails ?? isCut ?? false))
    throw new Error(`with ${front}, it ended with code ${String(code)}:\n${output}`);
  const requests = proxy.requests.slice(before);
  await shows?.({ stage, session, output, requests: requests.map(({ method, path }) => `${method} ${path}`) });
  return transcriptOf(session, isCut ? "" : output, requests);
}
