import { CommandFailure } from "./command-failure";
import type { CliIo } from "./io";

/** Asks the user to type `yes`. Rejects with CommandFailure without a terminal, because then nobody can answer. */
export async function confirmed(question: string, { stdin: open, stderr }: CliIo): Promise<boolean> {
  const stdin = open?.();
  if (stdin?.isTTY !== true) {
    throw new CommandFailure(
      "There is no terminal to ask for a confirmation. Nothing was deleted. Confirm with --yes.",
    );
  }
  stderr.write(`${question} Type yes: `);
  let typed = "";
  for await (const part of stdin) {
    typed += typeof part === "string" ? part : Buffer.from(part).toString("utf8");
    if (typed.includes("\n")) break;
  }
  return typed.trim() === "yes";
}
