import type { Command } from "commander";
import type { RunCommand } from "../../src/cli/command-flags";
import { commandLine } from "../../src/cli/main";
import { systemClock } from "../../src/time/clock";
import { expectToFit, WIDTHS } from "../support/narrow-text";
import { runCli, type CliRun } from "./support";

const silent = { write: () => undefined };
const parser = (run: RunCommand): Command =>
  commandLine({ stdout: silent, stderr: silent, environment: {}, cwd: ".", clock: systemClock }, run);

/** `cost`, `cost comment`, `cost comment github`, … */
function namesOf(parent: Command, prefix = ""): readonly string[] {
  return parent
    .createHelp()
    .visibleCommands(parent)
    .filter((command) => command.name() !== "help")
    .flatMap((command) => [`${prefix}${command.name()}`, ...namesOf(command, `${prefix}${command.name()} `)]);
}

const COMMANDS = namesOf(parser(jest.fn()));
const help = async (name: string, run: CliRun = {}): Promise<string> =>
  (await runCli([...name.split(" ").filter(Boolean), "--help"], run)).stdout;

it.each(["", ...COMMANDS])("the help of %j has exit codes, short lines, no quotes", async (name) => {
  const shown = await help(name);
  expect(shown).toMatch(/^Exit codes?: /m);
  const [before = ""] = shown.split("\nExamples:\n");
  expect(before.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(shown).not.toMatch(/(choices|default): +"/);
});

it.each(WIDTHS)("breaks no word of a help before its examples at %d columns", async (columns) => {
  for (const name of ["", ...COMMANDS]) {
    const shown = async (run: CliRun): Promise<string> => (await help(name, run)).replace(/^Examples:$[^]*/m, "");
    expectToFit(await shown({ columns }), await shown({ columns: 200 }), columns);
  }
});

it.each(COMMANDS)("the help of %s ends with examples that it accepts", async (name) => {
  const shown = await help(name, { columns: 200 });
  const lines = /\nExamples:\n((?: {2}.+\n){1,3})$/.exec(shown)?.[1]?.trimEnd().split("\n") ?? [];
  expect(lines).not.toEqual([]);
  for (const line of lines) {
    const words = /cloudinfra ([^|)]*)/.exec(line)?.[1]?.trim() ?? "";
    expect(`${words} `.startsWith(`${name} `)).toBe(true);
    const run = jest.fn(() => Promise.resolve());
    await parser(run).parseAsync(words.split(" "), { from: "user" });
    expect(run).toHaveBeenCalledTimes(1);
  }
});

it.each(COMMANDS)("the help of %s breaks no example", async (name) => {
  const examples = async (columns: number): Promise<unknown> =>
    (await help(name, { columns })).split("\nExamples:\n")[1];
  expect(await examples(30)).toBe(await examples(200));
});

const DUE =
  "0 fine, 1 error, 2 wrong usage, 7 with --check: some keys are due or expired, or a replaced key can be deleted, 9 with --check";

it.each([
  ["cost", "5 over a budget or not as approved, or Pulumi's own"],
  ["rotate", DUE],
])("the help of %s tells its exit codes", async (name, codes) => {
  expect((await help(name)).replace(/\s+/g, " ")).toContain(codes);
});
