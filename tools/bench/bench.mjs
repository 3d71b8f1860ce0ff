// `npm run bench [-- <name>] [options]` runs a bench of this folder, by default `compare`.
import { BENCHES } from "../help.mjs";

const [given] = process.argv.slice(2);
const isNamed = given !== undefined && !given.startsWith("-");
const name = isNamed ? given : "compare";
if (Object.hasOwn(BENCHES, name)) {
  // Each bench reads the remaining options.
  if (isNamed) process.argv.splice(2, 1);
  await import(`./${name}.mjs`);
} else {
  console.error(`usage: npm run bench -- [${Object.keys(BENCHES).join("|")}] [options]`);
  process.exitCode = 2;
}
