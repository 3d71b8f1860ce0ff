import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript";
import { ROOT } from "../../setup/paths.mjs";
import { medians } from "../summary.mjs";

const require = createRequire(import.meta.url);
const { environmentFor, Stack } = require("../../pulumi/stack.cjs");
const { startSimulator } = require("../../../dist/simulator/index.js");
const WITHOUT_TYPESCRIPT = join(ROOT, "tools", "pulumi", "without-typescript.cjs");
const QUICKSTART = join(ROOT, "examples", "quickstart");

/**
 * The ways to set up a project. `prepare` turns the quickstart's folder into one, with this file as its program.
 * `isOff`: Pulumi.yaml switches Pulumi's own TypeScript off.
 */
export const SET_UPS = [
  { name: "TypeScript, as Pulumi runs it by default", program: "index.ts", isOff: false, prepare: () => {} },
  { name: "TypeScript, `noCheck` in tsconfig.json", program: "index.ts", isOff: false, prepare: dropTypeCheck },
  {
    name: "TypeScript, `typescript: false`: Node strips the types",
    program: "index.ts",
    isOff: true,
    prepare: () => {},
  },
  { name: "compiled to dist/index.js", program: "dist/index.js", isOff: false, prepare: compile },
  { name: "compiled to dist/index.js, `typescript: false`", program: "dist/index.js", isOff: true, prepare: compile },
  { name: "JavaScript, index.js, `typescript: false`", program: "index.js", isOff: true, prepare: compile },
];

/**
 * Previews the quickstart in each set-up, in turn: `[{ name, changedMs, sameMs, cachedMs }]`, medians of this number of
 * runs: after a change of the program, without one, and without one with a compile cache. One round comes before, and
 * fills the caches.
 */
export async function measureSetUps(runs) {
  const simulator = await startSimulator();
  const projects = [];
  try {
    for (const setUp of SET_UPS) projects.push({ ...setUp, stack: await project(setUp, simulator), rounds: [] });
    const total = (runs + 1) * projects.length;
    for (let i = 0; i < total; i += 1) {
      const { stack, program, rounds } = projects[i % projects.length];
      appendFileSync(join(stack.folder, program), `// ${i}\n`);
      const changedMs = await preview(stack);
      const sameMs = await preview(stack);
      rounds.push({ changedMs, sameMs, cachedMs: await preview(stack, join(stack.folder, "compile-cache")) });
    }
    return projects.map(({ name, rounds }) => ({ name, ...medians(rounds.slice(1)) }));
  } finally {
    for (const { stack } of projects) stack.remove();
    await simulator.close();
  }
}

async function project({ prepare, program, isOff }, simulator) {
  const stack = new Stack({
    program: { folder: QUICKSTART, entries: ["Pulumi.yaml", "package.json", "tsconfig.json", "index.ts"] },
    env: environmentFor(simulator),
  });
  prepare(stack.folder, program);
  if (isOff) {
    switchTypeScriptOff(stack.folder);
    stack.env.NODE_OPTIONS = `--require ${JSON.stringify(WITHOUT_TYPESCRIPT)}`;
  }
  const inAMonth = new Date(Date.now() + 30 * 864e5).toISOString();
  return stack.init({ expiresAt: inAMonth });
}

async function preview(stack, compileCache) {
  const startedAt = performance.now();
  const env = compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache };
  const { code, output } = await stack.pulumi(["preview", "--non-interactive"], { env });
  if (code !== 0) throw new Error(`pulumi preview failed\n${output}`);
  return performance.now() - startedAt;
}

function dropTypeCheck(folder) {
  change(folder, "tsconfig.json", (text) => text.replace('"strict"', '"noCheck": true,\n    "strict"'));
}

function switchTypeScriptOff(folder) {
  const runtime = "runtime:\n  name: nodejs\n  options:\n    typescript: false";
  change(folder, "Pulumi.yaml", (text) => text.replace("runtime: nodejs", runtime));
}

/** Writes this file from index.ts, and makes it the program. */
function compile(folder, program) {
  const source = join(folder, "index.ts");
  const { outputText } = ts.transpileModule(readFileSync(source, "utf8"), {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.CommonJS },
  });
  mkdirSync(dirname(join(folder, program)), { recursive: true });
  writeFileSync(join(folder, program), outputText);
  rmSync(source);
  change(folder, "package.json", (text) => text.replace('"index.ts"', JSON.stringify(program)));
}

function change(folder, file, edit) {
  const path = join(folder, file);
  const before = readFileSync(path, "utf8");
  const after = edit(before);
  if (after === before)
    throw new Error(`examples/quickstart/${file} does not have the contents that the bench expects`);
  writeFileSync(`${path}.new`, after);
  renameSync(`${path}.new`, path);
}
