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

/** Matches a plain argument, or an option that selects tests. */
const SELECTS = /^([^-]|-[to]$|--(test|runTests|findRelated|select|ignoreProjects|only|changed|lastCommit))/;

/** True if the arguments of `npm test` select no tests. If they do, they select among all tests. */
export function isQuick(args) {
  return !args.some((arg) => SELECTS.test(arg));
}

/**
 * Runs jest with these arguments: the quick tests, or all if the arguments or `all` say so. Shows jest's output, then a
 * last line on stdout: `N passed, N failed[, N skipped]`. The exit code is jest's, but never 0 if no test ran.
 */
export async function runJest(args, env, { all = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "cloudinfra-test-"));
  const file = join(folder, "counts.json");
  try {
    // Last, because jest's list options take the plain arguments after them.
    const reporters = ["--reporters=default", `--reporters=${REPORTER}`];
    const quick = !all && isQuick(args);
    const selection = quick ? { CLOUDINFRA_QUICK_TESTS: "true" } : leftOut(args, env);
    // Property tests draw many examples only among all tests.
    const draws = all ? { CLOUDINFRA_MANY_DRAWS: "true" } : {};
    const jestEnv = { ...env, ...selection, ...draws, CLOUDINFRA_TEST_COUNTS: file };
    const code = await runOnNode24([JEST, ...args, ...reporters], jestEnv);
    if (code === 0 && args.some((arg) => RUNS_NO_TESTS.includes(arg))) return 0;
    if (quick) console.error("\nThese were the quick tests. `npm run test:all` runs all of them.");
    return close(code, existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Without a browser, all other tests run, and a line says what was skipped. If browser tests are requested, they run,
 * and fail without a browser.
 */
function leftOut(args, env) {
  if (args.some((arg) => arg.includes("browser")) || findBrowser(env)) return {};
  console.error(`test/browser is left out. ${HOW_TO_GET_ONE}\n`);
  return { CLOUDINFRA_WITHOUT_BROWSER: "true" };
}

/** Prints the closing line, and returns the exit code. A run that ended before it could count is a failure. */
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
 * Runs the life of every kind, with both providers, on the oldest and the newest engine. Skips an engine that cannot be
 * had. The exit code is that of the first failed run, or 1 if there was no engine at all.
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
