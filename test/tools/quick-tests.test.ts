import { join } from "node:path";
import { languageHost } from "../../tools/sdk/python-environment.cjs";
import { ROOT } from "../docs/support/markdown";
import { Sandbox } from "./sandbox";
import { forEachTest } from "../support/suite";

const sandbox = forEachTest(() => new Sandbox());

/** The test files, from the root of the checkout, that the command would run with these arguments. */
async function testsOf(args: readonly string[], options: { readonly all?: true } = {}): Promise<readonly string[]> {
  const listed = [...args, "--listTests", `--config=${join(ROOT, "jest.config.js")}`];
  const { stdout } = await sandbox.evaluate(
    'import { runJest } from "@/jest/run-jest.mjs";',
    `return runJest(${JSON.stringify(listed)}, { ...process.env, CHROME_PATH: process.execPath }, ${JSON.stringify(options)});`,
  );
  return stdout
    .trim()
    .split("\n")
    .map((file) => file.slice(ROOT.length + 1));
}

describe("the tests that npm test runs", () => {
  it("runs all units and one life of each kind", async () => {
    const [all, quick] = await Promise.all([testsOf([], { all: true }), testsOf(["--verbose"])]);
    expect(all.filter((file) => !/^test\/(engine|browser|chaos)\//.test(file)).length).toBeGreaterThan(200);
    expect([...quick].sort()).toEqual(
      all
        .filter((file) => file === "test/engine/fronts/life.test.ts" || !/^test\/(engine|browser|chaos)\//.test(file))
        .sort(),
    );
  });

  it.each([
    [["test/engine/load"], ["test/engine/load.test.ts"]],
    [["--testPathPatterns=chaos/camp"], ["test/chaos/campaign.test.ts"]],
  ])("selects among all tests with %j", async (args, files) => {
    expect(await testsOf(args)).toEqual(files);
  });
});

describe("the language hosts for a command", () => {
  it.each([
    ["test", [], []],
    ["test", ["test/lifecycle", "./test/api/pages.test.ts"], []],
    ["test", ["test/engine/sdk"], ["yaml", "python", "go"]],
    ["test", ["-t", "refresh"], ["yaml", "python", "go"]],
    ["test:all", [], ["yaml", "python", "go"]],
    ["example", ["quickstart"], ["nodejs"]],
    ["example", ["python"], ["python"]],
    ["example", ["no-such-example"], []],
    ["demo", [], []],
  ])("selects the language hosts of %s %j: %j", async (name, args, languages) => {
    const call = `languagesOf(${JSON.stringify(name)}, ${JSON.stringify(args)})`;
    expect(await sandbox.value('import { languagesOf } from "@/commands.mjs";', call)).toEqual(languages);
  });

  it("takes the Python host with Pulumi's SDK", () => {
    const [release, own] = ["release", "own"].map((name) => sandbox.folder(name)) as [string, string];
    for (const folder of [release, own]) sandbox.script(join(folder, "pulumi-language-python"), "");
    expect(languageHost("python", `${release}:${own}`)).toBeUndefined();
    sandbox.folder("own/venv");
    expect(languageHost("python", `${release}:${own}`)).toBe(own);
  });
});
