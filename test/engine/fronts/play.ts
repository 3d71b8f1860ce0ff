import { programOf } from "../support/programs";
import type { Step } from "./scenario";
import type { Stage } from "./stage";
import { inOneWording } from "./screen";
import { transcriptOf, type Transcript } from "./transcript";

/** Plays a step with one provider. Throws if the step ends or prints otherwise than it declares. */
export async function play(stage: Stage, step: Step): Promise<Transcript> {
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
