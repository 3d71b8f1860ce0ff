import type { Command } from "commander";
import type { RunCommand } from "../../src/cli/command-flags";
import { commandLine } from "../../src/cli/main";
import { systemClock } from "../../src/time/clock";
import { runCli } from "./support";

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

it.each(namesOf(parser(jest.fn())))("the help of %s ends with examples that it accepts", async (name) => {
  const { stdout } = await runCli([...name.split(" "), "--help"], { columns: 200 });
  const lines = /\nExamples:\n((?: {2}.+\n){1,3})$/.exec(stdout)?.[1]?.trimEnd().split("\n") ?? [];

  expect(lines).not.toEqual([]);
  for (const line of lines) {
    const words = /cloudinfra ([^|)]*)/.exec(line)?.[1]?.trim() ?? "";
    expect(`${words} `.startsWith(`${name} `)).toBe(true);
    const run = jest.fn(() => Promise.resolve());
    await parser(run).parseAsync(words.split(" "), { from: "user" });
    expect(run).toHaveBeenCalledTimes(1);
  }
});

it.each(namesOf(parser(jest.fn())))("the help of %s breaks no example, and has exit codes", async (name) => {
  const help = async (columns: number): Promise<string> =>
    (await runCli([...name.split(" "), "--help"], { columns })).stdout;
  const examplesIn = (text: string): string | undefined => text.split("\nExamples:\n")[1];
  expect(examplesIn(await help(30))).toBe(examplesIn(await help(200)));
  expect(await help(200)).toMatch(/^Exit codes?: /m);
});
