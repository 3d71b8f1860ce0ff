#!/usr/bin/env node
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runQuietly } from "./setup/child.mjs";
import { isMain, runMain } from "./setup/main.mjs";
import { ROOT } from "./setup/paths.mjs";
import { inStep } from "./setup/progress.mjs";
import { SetupError } from "./setup/setup-error.mjs";

const EXPECTED_MS = 8_000;
const SRC = join(ROOT, "src");
const DIST = join(ROOT, "dist");
const CACHE = join(ROOT, "node_modules", ".cache", "pulumi-cloudinfra");
const STAMP = join(CACHE, "build.sha256");
const INCREMENTAL = join(CACHE, "build.tsbuildinfo");

/** Compiles src/ into dist/, unless what is there was made from the very same sources. */
export async function build(step) {
  const sources = filesIn(SRC).filter((file) => file.endsWith(".ts"));
  const outputs = sources.flatMap((file) => [".js", ".d.ts"].map((ending) => file.replace(/\.ts$/, ending)));
  const inputs = [...sources.map((file) => join(SRC, file)), join(ROOT, "tsconfig.json"), join(ROOT, "package.json")];
  const hash = hashOf(inputs);
  const complete = outputs.every((file) => existsSync(join(DIST, file)));
  if (complete && existsSync(STAMP) && readFileSync(STAMP, "utf8") === hash) return step.done("up to date");

  step.phase("compiling", EXPECTED_MS);
  rmSync(STAMP, { force: true });
  removeStale(new Set(outputs));
  // The compiler writes only what has changed since its notes: without outputs they would make it write nothing.
  if (!complete) rmSync(INCREMENTAL, { force: true });
  const { code, tail } = await runQuietly(process.execPath, compilerArguments(), { cwd: ROOT });
  if (code !== 0) throw new SetupError(`${tail}\n\nThe TypeScript sources do not compile; above is what tsc said.`);
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, hash);
  step.done("compiled");
}

function compilerArguments() {
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  return [tsc, "-p", "tsconfig.json", "--incremental", "--tsBuildInfoFile", INCREMENTAL, "--pretty", "false"];
}

/** What sources that are gone have left in dist would still be loaded, and packed. */
function removeStale(outputs) {
  for (const file of filesIn(DIST)) if (!outputs.has(file)) rmSync(join(DIST, file));
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true });
  return names.filter((name) => statSync(join(folder, name)).isFile()).sort();
}

function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

if (isMain(import.meta.url)) runMain(() => inStep("build", build));
