import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import type { z } from "zod";
import { parseJson } from "../text/json";
import { CommandFailure } from "./command-failure";
import { fileFault, type CliIo } from "./io";

export interface Input {
  readonly text: string;
  readonly source: string;
}

/** The text of a file, or of standard input for `-`. Rejects with CommandFailure. */
export async function readInput(file: string, { cwd, stdin }: CliIo): Promise<Input> {
  if (file === "-") return { text: stdin ? await textOf(stdin()) : "", source: "Standard input" };
  try {
    return { text: await readFile(resolve(cwd, file), "utf8"), source: file };
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${fileFault(error, "file")}.`);
  }
}

/** Parses the JSON that a command has printed. Throws CommandFailure for any other text. */
export function documentIn<T>({ text, source }: Input, shape: z.ZodType<T>, noun: string, printedBy: string): T {
  const advice = `A ${noun} is what \`${printedBy}\` prints.`;
  const json = parseJson(text);
  if (json === undefined) throw new CommandFailure(`${source} is not JSON. ${advice}`);
  const read = shape.safeParse(json);
  if (read.success) return read.data;
  throw new CommandFailure(`${source} holds no ${noun}. ${advice}`);
}

/** Asks the user to type `yes`. Rejects with CommandFailure and the advice if there is no terminal. */
export async function confirmed(question: string, advice: string, { stdin: open, stderr }: CliIo): Promise<boolean> {
  const stdin = open?.();
  if (stdin?.isTTY !== true) {
    throw new CommandFailure(`There is no terminal to ask for a confirmation. Nothing was deleted. ${advice}`);
  }
  stderr.write(`${question} Type yes: `);
  let typed = "";
  for await (const part of stdin) {
    typed += typeof part === "string" ? part : Buffer.from(part).toString("utf8");
    if (typed.includes("\n")) break;
  }
  return typed.trim() === "yes";
}
