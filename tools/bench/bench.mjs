// `npm run bench [-- <name>] [options]` runs a bench of this folder, by default `compare`.
import { setTimeout } from "node:timers/promises";
import { BENCHES } from "../help.mjs";
import { dieOf } from "../setup/child.mjs";

const SIGNAL_DELAY_MS = 100;

// Ctrl-C also signals the children of a bench. They end, so the bench fails and cleans up.
let stoppedBy;
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => (stoppedBy ??= signal));

const [given] = process.argv.slice(2);
const isNamed = given !== undefined && !given.startsWith("-");
const name = isNamed ? given : "compare";
if (Object.hasOwn(BENCHES, name)) {
  // Each bench reads the remaining options.
  if (isNamed) process.argv.splice(2, 1);
  try {
    await import(`./${name}.mjs`);
  } catch (error) {
    // A bench may see its child end before its own signal arrives.
    await setTimeout(SIGNAL_DELAY_MS);
    if (stoppedBy === undefined) throw error;
    dieOf(stoppedBy);
  }
} else {
  console.error(`usage: npm run bench -- [${Object.keys(BENCHES).join("|")}] [options]`);
  process.exitCode = 2;
}
