import { withProgress } from "../../src/cli/io";
import { VirtualClock } from "../support/virtual-clock";

const CLEAR = "\r\u001b[2K";

/** A clock that runs the work after this many seconds of waiting. */
class Waited extends VirtualClock {
  end: () => void = () => undefined;
  readonly work = new Promise<void>((resolve) => (this.end = resolve));

  constructor(private readonly seconds: number) {
    super();
  }

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await super.sleep(ms, signal);
    if (this.slept.length < this.seconds) return;
    this.end();
    await new Promise((_, reject) => signal?.addEventListener("abort", reject));
  }
}

/** The output during work that takes three seconds. */
async function written(isTTY: boolean, environment: object, outcome: () => unknown = () => "made"): Promise<string> {
  const clock = new Waited(isTTY && !("CI" in environment) ? 3 : 0);
  if (!isTTY || "CI" in environment) clock.end();
  let text = "";
  const stderr = { isTTY, write: (part: string) => (text += part) };
  const work = withProgress("previewing…", { stderr, environment: { ...environment }, clock }, () =>
    clock.work.then(outcome),
  );
  await expect(work.catch(() => "failed")).resolves.toMatch(/made|failed/);
  return text;
}

it.each([
  ["succeeds", () => "made"],
  ["fails", () => Promise.reject(new Error("no"))],
])("counts seconds in one line, cleared if the work %s", async (_, outcome) => {
  const lines = [0, 1, 2].map((seconds) => `${CLEAR}previewing… ${seconds}s`);
  expect(await written(true, {}, outcome)).toBe(lines.join("") + CLEAR);
});

it.each([
  ["no terminal", false, {}],
  ["a terminal of a CI run", true, { CI: "true" }],
])("progress on %s is one line at the start", async (_, isTTY, environment) => {
  expect(await written(isTTY, environment)).toBe("previewing…\n");
});
