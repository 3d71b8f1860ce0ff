// Measures everything, and puts it into the documentation: `npm run bench -- record [landing-zone start compare slow-api]`.
// It takes half an hour, on a machine that should do nothing else. With names, only those are measured anew.
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";
import { start } from "../setup/child.mjs";

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
const unknown = given.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`usage: npm run bench -- record [${NAMES.join("] [")}]`);
  process.exitCode = 2;
} else {
  process.exitCode = await record(given.length === 0 ? NAMES : given);
}

/** Resolves with 0, or with the exit code of the first bench that fails. */
async function record(names) {
  for (const name of names) {
    const file = join(ROOT, "docs", "performance", `${name}.json`);
    process.stderr.write(`\n${name}\n`);
    const code = await bench([...RECORDED[name], "--json", file]);
    if (code !== 0) return code;
  }
  return bench(["docs"]);
}

async function bench(args) {
  const { code } = await start(process.execPath, [BENCH, ...args], { stdio: "inherit", cwd: ROOT });
  return code ?? 1;
}
