import { join } from "node:path";
import { ROOT } from "../docs/support/markdown";
import { type Ended, Sandbox } from "./sandbox";
import { forEachTest } from "../support/suite";

const sandbox = forEachTest(() => new Sandbox());

/** What `npm test` would run with these arguments. */
function listTests(...words: string[]): Promise<Ended> {
  const args = [...words, "--listTests", "--config", join(ROOT, "jest.config.js")];
  return sandbox.evaluate(
    'import { runJest } from "@/jest/run-jest.mjs";',
    `return runJest(${JSON.stringify(args)}, process.env);`,
  );
}

describe("npm test and the tests that need a browser", () => {
  it("leaves browser tests out without one, and says so", async () => {
    const { code, stdout, stderr } = await listTests();
    expect(code).toBe(0);
    expect(stdout).not.toContain("test/browser/");
    expect(stdout).toContain("test/engine/");
    expect(stderr).toMatch(/^test\/browser is left out\. .*apt-get install chromium.*CHROME_PATH/);
  });

  it("runs browser tests if one is on PATH", async () => {
    sandbox.script(join(sandbox.bin, "chromium"), "exit 0");
    const { stdout, stderr } = await listTests();
    expect(stdout).toContain("test/browser/cost-html.test.ts");
    expect(stderr).toBe("");
  });

  it("runs browser tests without one if requested", async () => {
    expect((await listTests("test/browser")).stdout).toContain("test/browser/cost-html.test.ts");
  });
});

describe("finding a browser", () => {
  const find = (env: Record<string, string>): Promise<Ended> =>
    sandbox.run([join(ROOT, "tools/browser/find-browser.cjs")], env);

  it("finds a browser by CHROME_PATH first", async () => {
    sandbox.script(join(sandbox.bin, "chromium"), "exit 0");
    const mine = sandbox.script(join(sandbox.root, "mine"), "exit 0");
    expect(await find({ CHROME_PATH: mine })).toMatchObject({ code: 0, stdout: `${mine}\n` });
  });

  it("finds no browser at a wrong CHROME_PATH", async () => {
    sandbox.script(join(sandbox.bin, "chromium"), "exit 0");
    const ended = await find({ CHROME_PATH: join(sandbox.root, "none") });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toContain("set CHROME_PATH");
  });
});
