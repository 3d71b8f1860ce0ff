// `npm run bench [-- <name>] [options]`: the benches of this folder; without a name it is `compare`.
const BENCHES = ["compare", "start", "quotes", "profile", "load", "simulator", "report", "docs", "record"];

// At Ctrl-C what a bench has started gets the signal too, and ends; that ends the bench, and what is open is closed on the way.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => {});

const [given] = process.argv.slice(2);
const isNamed = given !== undefined && !given.startsWith("-");
const name = isNamed ? given : "compare";
if (BENCHES.includes(name)) {
  // Each reads the options that are left.
  if (isNamed) process.argv.splice(2, 1);
  await import(`./${name}.mjs`);
} else {
  console.error(`usage: npm run bench -- [${BENCHES.join("|")}] [options]`);
  process.exitCode = 2;
}
