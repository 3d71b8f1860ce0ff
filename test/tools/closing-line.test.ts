import { type ProcessResult, Sandbox } from "./sandbox";
import { forEachTest } from "../support/suite";

const sandbox = forEachTest(() => new Sandbox());

/** Runs jest, by the tools, over these test files. */
function runJest(files: Record<string, string>, args: string[] = []): Promise<ProcessResult> {
  for (const [name, text] of Object.entries(files)) sandbox.write(`suite/${name}`, text);
  const config = JSON.stringify({ rootDir: sandbox.folder("suite"), testMatch: ["<rootDir>/*.js"] });
  return sandbox.evaluate(
    'import { runJest } from "@/jest/run-jest.mjs";',
    `return runJest(${JSON.stringify([...args, "--config", config, "--no-cache"])}, process.env);`,
  );
}

const lastLine = ({ stdout }: ProcessResult) => /(?:^|\n)([^\n]*)\n$/.exec(stdout)?.[1];
const PASSES = 'test("passes", () => {});';

describe("the closing line of npm test", () => {
  it("the closing line counts passed tests, with exit code 0", async () => {
    const ended = await runJest({ "a.js": PASSES, "b.js": PASSES });
    expect({ code: ended.code, line: lastLine(ended) }).toEqual({ code: 0, line: "2 passed, 0 failed" });
    expect(ended.stderr).toContain("Tests:       2 passed, 2 total");
  });

  it("counts failed, skipped and unloadable tests last", async () => {
    const ended = await runJest({
      "a.js": `${PASSES} test("fails", () => { throw new Error("no"); }); test.skip("later", () => {}); test.todo("more");`,
      "b.js": 'require("./is-not-there"); test("never runs", () => {});',
      "c.js": 'test("says something", () => { process.stdout.write("without an end of line"); });',
    });
    expect(ended.code).toBe(1);
    expect(lastLine(ended)).toBe("2 passed, 2 failed, 2 skipped");
  });

  it.each([
    ["there is no test", {}, "0 passed, 0 failed"],
    ["every test is skipped", { "a.js": 'test.skip("later", () => {});' }, "0 passed, 0 failed, 1 skipped"],
  ])("exits with an error if %s", async (_case, files, line) => {
    const ended = await runJest(files, ["--passWithNoTests"]);
    expect({ code: ended.code, line: lastLine(ended) }).toEqual({ code: 1, line });
    expect(ended.stderr).toContain("No test was executed.");
  });
});
