import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dieOf, handSignalsThrough, Interrupted, SetupError } from "./child.mjs";

/** True if node was started with the module at this URL, and did not only import it. */
export function isMain(url) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
}

/**
 * Runs a command's `main(args)`, which returns the exit code (none: 0). Passes signals on to its children. Shows only
 * the message of an error for people, and any other error with its stack.
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
