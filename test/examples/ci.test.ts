import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "../cli/support";
import { ROOT } from "../docs/support/markdown";

const FOLDER = join(ROOT, "examples");
const reports = globSync("ci/*.yml", { cwd: FOLDER });
/** test/engine runs the workflow and the scripts of these. */
const schedules = globSync("*/schedule/*.{yml,sh}", { cwd: FOLDER });

/** The commands of this package in a workflow or a script, with a value for each expression. */
function commandsIn(file: string): string[][] {
  const text = readFileSync(join(FOLDER, file), "utf8");
  return Array.from(text.matchAll(/npx cloudinfra (.*?)(?= [>|]|$)/gm), ([, command = ""]) =>
    command.replaceAll(/\$\{\{.*?\}\}/g, "12").split(" "),
  );
}

it.each([...reports, ...schedules].flatMap((file) => commandsIn(file).map((argv): [string, string[]] => [file, argv])))(
  "uses known commands and flags in %s (call %#)",
  async (_file, argv) => {
    // Without Pulumi and a token, only the parsing of the command line can be tested.
    const { code, stderr } = await runCli(argv, { cwd: join(FOLDER, "quickstart"), environment: { PATH: "/nowhere" } });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/pulumi is not on PATH|Which (repository|project)\?/) as string,
    });
  },
);

describe.each(reports)("the workflow %s", (file) => {
  it("has an HTML report, a report for reviewers and a limit", () => {
    const commands = commandsIn(file).map((argv) => argv.join(" "));
    expect(commands).toContainEqual(expect.stringContaining("--format html"));
    expect(commands).toContainEqual(expect.stringMatching(/comment (github|gitlab)/));
    expect(commands).toContainEqual(expect.stringContaining("--fail-over-increase"));
  });
});
