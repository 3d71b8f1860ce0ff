// `npm run bench [-- <name>] [options]`: the benches of this folder; without a name it is `compare`.
import { setTimeout } from "node:timers/promises";
import { BENCHES } from "../help.mjs";
import { dieOf } from "../setup/child.mjs";

const SIGNAL_DELAY_MS = 100;

// At Ctrl-C, the children of a bench get the signal too. They end, so the bench fails and closes what is open.
let stoppedBy;
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => (stoppedBy ??= signal));

const [given] = process.argv.slice(2);
const isNamed = given !== undefined && !given.startsWith("-");
const name = isNamed ? given : "compare";
if (Object.hasOwn(BENCHES, name)) {
  // Each reads the options that are left.
  if (isNamed) process.argv.splice(2, 1);
  try {
    await import(`./${name}.mjs`);
  } catch (error) {
    // A child may be seen to end before the bench gets the signal that has ended it.
    await setTimeout(SIGNAL_DELAY_MS);
    if (stoppedBy === undefined) throw error;
    dieOf(stoppedBy);
  }
} else {
  console.error(`usage: npm run bench -- [${Object.keys(BENCHES).join("|")}] [options]`);
  process.exitCode = 2;
}
