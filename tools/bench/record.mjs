// Measures everything, and puts it into the documentation: `npm run bench -- record [landing-zone start compare
// slow-api]`. It takes half an hour, on a machine that should do nothing else. With names, only those are measured
// anew.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../setup/paths.mjs";

const BENCH = fileURLToPath(new URL("bench.mjs", import.meta.url));
/**
 * The recorded benches, with options that keep them short: the fewest runs that give a useful median, or one run if it
 * takes minutes.
 */
const RECORDED = {
  "landing-zone": ["landing-zone", "--runs", "3"],
  start: ["start", "--runs", "3", "--imports", "9"],
  compare: ["compare", "--runs", "3,3,1", "--plain-up-to", "100"],
  "slow-api": ["compare", "--resources", "100", "--runs", "2", "--latency", "200ms"],
};
const NAMES = Object.keys(RECORDED);

const given = process.argv.slice(2);
if (given.some((name) => !NAMES.includes(name))) {
  console.error(`usage: npm run bench -- record [${NAMES.join("] [")}]`);
  process.exit(2);
}
for (const name of given.length === 0 ? NAMES : given) {
  console.error(`\n${name}`);
  bench(...RECORDED[name], "--json", join(ROOT, "docs", "performance", `${name}.json`));
}
bench("docs");

/** Ends this process if the bench fails. */
function bench(...args) {
  const { status } = spawnSync(process.execPath, [BENCH, ...args], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
