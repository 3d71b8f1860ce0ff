import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dieOf, handSignalsThrough, Interrupted, SetupError } from "./child.mjs";

/** Whether the module with this URL is what node was started with, and not imported. */
export function isMain(url) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
}

/**
 * Runs a command's `main(args)`, whose result is the exit code (none: 0). Signals go through to what it starts; an
 * error that is meant for people is shown as its message, any other with its stack.
 */
export async function runMain(main) {
  handSignalsThrough();
  try {
    process.exitCode = (await main(process.argv.slice(2))) ?? 0;
  } catch (error) {
    if (error instanceof Interrupted) return dieOf(error.signal);
    console.error(error instanceof SetupError ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
