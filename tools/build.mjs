#!/usr/bin/env node
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runQuietly, SetupError } from "./setup/child.mjs";
import { isMain, runMain } from "./setup/main.mjs";
import { ROOT } from "./setup/paths.mjs";
import { inStep } from "./setup/progress.mjs";

const EXPECTED_MS = 8_000;

/** Compiles src/ into dist/, unless dist/ is exactly what was built from these sources. */
export async function build(step, root = ROOT) {
  const [src, dist] = [join(root, "src"), join(root, "dist")];
  const cache = join(root, "node_modules", ".cache", "pulumi-cloudinfra");
  const [stamp, notes] = [join(cache, "build.sha256"), join(cache, "build.tsbuildinfo")];

  const sources = filesIn(src).filter((file) => file.endsWith(".ts"));
  const outputs = sources.flatMap((file) => [".js", ".d.ts"].map((ending) => file.replace(/\.ts$/, ending)));
  const hash = hashOf([...sources.map((file) => join("src", file)), "tsconfig.json", "package.json"], root);
  const [source, output] = existsSync(stamp) ? readFileSync(stamp, "utf8").split("\n") : [];
  const isIntact = hashOf(filesIn(dist), dist) === output;
  if (isIntact && source === hash) return step.done("up to date");

  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  if (!existsSync(tsc)) throw new SetupError("The npm packages are not installed: run `npm install` first.");
  step.phase("compiling", EXPECTED_MS);
  rmSync(stamp, { force: true });
  removeStale(dist, new Set(outputs));
  // The compiler writes only what has changed since its last run. It must not rely on that if something else has
  // changed the outputs.
  if (!isIntact) rmSync(notes, { force: true });
  const options = ["-p", "tsconfig.json", "--incremental", "--tsBuildInfoFile", notes, "--pretty", "false"];
  const { code, tail } = await runQuietly(process.execPath, [tsc, ...options], { cwd: root });
  mkdirSync(cache, { recursive: true });
  // After an error, dist/ is not up to date, but only the compiler has changed it.
  writeFileSync(stamp, `${code === 0 ? hash : ""}\n${hashOf(filesIn(dist), dist)}`);
  if (code !== 0) throw new SetupError(`${tail}\n\nThe TypeScript sources do not compile; above is what tsc said.`);
  step.done("compiled");
}

/** Deletes outputs whose sources no longer exist. They would still be loaded and packed. */
function removeStale(dist, outputs) {
  for (const file of filesIn(dist)) if (!outputs.has(file)) rmSync(join(dist, file), { force: true });
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true });
  return names.filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile()).sort();
}

function hashOf(files, root) {
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  return hash.digest("hex");
}

if (isMain(import.meta.url)) runMain(() => inStep("build", (step) => build(step)));
