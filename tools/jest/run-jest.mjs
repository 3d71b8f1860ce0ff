import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { otherEngineStep } from "../engine/engine.mjs";
import { NEWEST_PULUMI, OLDEST_PULUMI } from "../engine/versions.mjs";
import { runOnNode24 } from "../setup/node-24.mjs";
import { PACKAGE_BIN, ROOT, withPath } from "../setup/paths.mjs";
import { inStep } from "../setup/progress.mjs";

const { findBrowser, HOW_TO_GET_ONE } = createRequire(import.meta.url)("../browser/find-browser.cjs");

const JEST = join(ROOT, "node_modules", "jest", "bin", "jest.js");
const REPORTER = fileURLToPath(new URL("closing-line-reporter.cjs", import.meta.url));
const RUNS_NO_TESTS = ["--help", "-h", "--version", "-v", "--listTests", "--showConfig", "--clearCache"];

/** A word, or an option that selects tests. */
const SELECTS = /^([^-]|-[to]$|--(test|runTests|findRelated|select|ignoreProjects|only|changed|lastCommit))/;

/** Whether the arguments of `npm test` leave the selection to it. If they select tests, they select among all. */
export function isQuick(args) {
  return !args.some((arg) => SELECTS.test(arg));
}

/**
 * Runs jest with the arguments handed through, over the quick tests, or over all if the arguments or `all` say so. Its own
 * output stands as it is, and the last line on stdout is `N passed, N failed[, N skipped]`. The exit code is jest's, but never 0 if no test
 * was executed.
 */
export async function runJest(args, env, { all = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "cloudinfra-test-"));
  const file = join(folder, "counts.json");
  try {
    // Last, because jest's list options swallow the plain words that follow them.
    const reporters = ["--reporters=default", `--reporters=${REPORTER}`];
    const quick = !all && isQuick(args);
    const selection = quick ? { CLOUDINFRA_QUICK_TESTS: "true" } : leftOut(args, env);
    const jestEnv = { ...env, ...selection, CLOUDINFRA_TEST_COUNTS: file };
    const code = await runOnNode24([JEST, ...args, ...reporters], jestEnv);
    if (code === 0 && args.some((arg) => RUNS_NO_TESTS.includes(arg))) return 0;
    if (quick) console.error("\nThese were the quick tests. `npm run test:all` runs all of them.");
    return close(code, existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A contributor without a browser can run all the other tests, and is told what was left out. Where those are asked for, they
 * run, and fail for the lack of it.
 */
function leftOut(args, env) {
  if (args.some((arg) => arg.includes("browser")) || findBrowser(env)) return {};
  console.error(`test/browser is left out. ${HOW_TO_GET_ONE}\n`);
  return { CLOUDINFRA_WITHOUT_BROWSER: "true" };
}

/** Prints the closing line and gives the exit code. A run that ended before it could count is itself the failure. */
function close(code, counts = { passed: 0, failed: 1, skipped: 0 }) {
  const { passed, failed, skipped } = counts;
  const nothingRun = passed + failed === 0;
  if (nothingRun) console.error("No test was executed.");
  if (code !== 0 && failed === 0) console.error(`jest ended with code ${code}, although no test failed.`);
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return code !== 0 ? code : nothingRun || failed > 0 ? 1 : 0;
}

const LIFE = "test/engine/fronts/life.test.ts";

/**
 * Runs the life of every kind, with both providers, on the oldest and on the newest engine. An engine that is not to be had is left out. The
 * exit code is that of the first run that failed, and 1 if there was no engine at all.
 */
export async function testEngines(args, env, { engineOf = engineInStep, run = runJest } = {}) {
  const codes = [];
  for (const version of [OLDEST_PULUMI, NEWEST_PULUMI]) {
    const engine = await engineOf(version);
    if (engine) codes.push(await run([LIFE, ...args], withPath([PACKAGE_BIN, engine.binDir], env)));
  }
  return codes.find((code) => code !== 0) ?? (codes.length > 0 ? 0 : 1);
}

function engineInStep(version) {
  return inStep("engine", (step) => otherEngineStep(version, step));
}
