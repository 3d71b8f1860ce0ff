import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "../cli/support";
import { ROOT } from "../docs/support/markdown";

const FOLDER = join(ROOT, "examples", "ci");
const files = readdirSync(FOLDER).filter((name) => name.endsWith(".yml"));

/** The command lines of this package in a workflow, with a value in place of each of its expressions. */
function commandsIn(file: string): string[][] {
  const text = readFileSync(join(FOLDER, file), "utf8");
  return Array.from(text.matchAll(/npx cloudinfra (.*?)(?= [>|]|$)/gm), ([, command = ""]) =>
    command.replaceAll(/\$\{\{.*?\}\}/g, "12").split(" "),
  );
}

describe.each(files)("the workflow %s", (file) => {
  it.each(commandsIn(file).map((argv): [string, string[]] => [argv.join(" "), argv]))(
    "exists, with known flags: %s",
    async (_, argv) => {
      // As there is no Pulumi and no token here, it can do no more than understand what it is told.
      const { code, stderr } = await runCli(argv, { cwd: tmpdir(), environment: { PATH: "/nowhere" } });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/pulumi is not on PATH|Which repository\?/) as string,
      });
    },
  );

  it("has a report page, one for reviewers, and a limit", () => {
    const commands = commandsIn(file).map((argv) => argv.join(" "));
    expect(commands).toContainEqual(expect.stringContaining("--format html"));
    expect(commands).toContainEqual(expect.stringMatching(/comment github|--format markdown/));
    expect(commands).toContainEqual(expect.stringContaining("--fail-over-increase"));
  });
});
