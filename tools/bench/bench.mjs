// `npm run bench [-- <name>] [options]`: the benches of this folder; without a name it is `compare`.
import { BENCHES } from "../help.mjs";
import { dieOf } from "../setup/child.mjs";

// At Ctrl-C what a bench has started gets the signal too, and ends; that ends the bench, and what is open is closed on the way.
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
    if (stoppedBy === undefined) throw error;
    dieOf(stoppedBy);
  }
} else {
  console.error(`usage: npm run bench -- [${Object.keys(BENCHES).join("|")}] [options]`);
  process.exitCode = 2;
}
