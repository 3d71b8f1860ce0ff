import { Sandbox } from "./sandbox";
import { forEachTest } from "../support/suite";

const sandbox = forEachTest(() => new Sandbox());

/** The output of a step with one phase on such a stream. */
async function written(stream: object, env: object): Promise<string> {
  const { stdout, stderr } = await sandbox.evaluate(
    'import { startStep } from "@/setup/progress.mjs";',
    `let text = "";
    const stream = { ...${JSON.stringify(stream)}, write: (part) => { text += part; } };
    const step = startStep("engine", { stream, env: ${JSON.stringify(env)} });
    step.note("the official release cannot be downloaded: nothing came for 8 s");
    step.phase("compiling", 90_000, 30_000);
    step.done("built");
    console.log(JSON.stringify(text));`,
  );
  expect(stderr).toBe("");
  return JSON.parse(stdout) as string;
}

const NOTE = "engine    the official release cannot be downloaded: nothing came for 8 s\n";
const PLAIN = `${NOTE}engine    compiling (about 2 min)\nengine    built (0 s)\n`;

describe("the progress of a step", () => {
  it("prints plain lines if the output is no terminal", async () => {
    expect(await written({ columns: 20 }, {})).toBe(PLAIN);
  });

  it("prints plain lines in CI", async () => {
    expect(await written({ isTTY: true, columns: 20 }, { CI: "true" })).toBe(PLAIN);
  });

  it("rewrites its line on a terminal, green at last", async () => {
    const text = await written({ isTTY: true, columns: 80 }, {});
    expect(text.match(/\n/g)).toHaveLength(2);
    expect(text).toContain("\r\u001b[2Kengine    compiling: 0 s, about 2 min left");
    expect(text).toContain("\u001b[32mbuilt");
  });

  it("has no colour if NO_COLOR is set", async () => {
    const text = await written({ isTTY: true, columns: 80 }, { NO_COLOR: "1" });
    expect(text).toContain("\u001b[2Kengine    built (0 s)\n");
  });

  it("wraps no line on a narrow terminal", async () => {
    const text = await written({ isTTY: true, columns: 20 }, { NO_COLOR: "1" });
    expect(text).toContain("\u001b[2Kengine    compiling\r");
    const wider = await written({ isTTY: true, columns: 40 }, { NO_COLOR: "1" });
    expect(wider).toContain(
      "engine    the official release cannot\n          be downloaded: nothing came\n          for 8 s\n",
    );
  });
});

describe("the time that is left", () => {
  it.each([
    ["by what such a step takes", { elapsedMs: 10_000, expectedMs: 25_000 }, 15_000],
    ["by what is done, once a tenth is", { elapsedMs: 30_000, expectedMs: 60_000, fraction: 0.25 }, 90_000],
    ["with what comes after", { elapsedMs: 10_000, expectedMs: 25_000, laterMs: 60_000 }, 75_000],
    ["and never grows", { elapsedMs: 30_000, expectedMs: 60_000, fraction: 0.25, atMostMs: 40_000 }, 40_000],
    ["and not at all for a step that is late", { elapsedMs: 100_000, expectedMs: 25_000 }, 0],
  ])("estimates the remaining time %s", async (_what, given, left) => {
    const { stdout } = await sandbox.evaluate(
      'import { msLeft } from "@/setup/progress.mjs";',
      `console.log(msLeft(${JSON.stringify(given)}));`,
    );
    expect(Number(stdout)).toBe(left);
  });
});
