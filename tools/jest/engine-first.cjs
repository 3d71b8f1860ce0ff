const { readFileSync } = require("node:fs");
const { resolve } = require("node:path");
const { default: Sequencer } = require("@jest/test-sequencer");

/**
 * Suites with the real engine take up to minutes, all others seconds. If those with the engine come first, the longest
 * before all, the workers end together. A new clone has no times yet, so the suites with the most text come first,
 * counted with the test files that they import.
 */
module.exports = class EngineFirst extends Sequencer {
  sort(tests) {
    const isEngine = ({ context }) => Number(context.config.displayName?.name === "engine");
    const sizes = new Map(tests.map(({ path, context }) => [path, sizeWithImports(path, context.hasteFS)]));
    const length = ({ path, duration }) => duration ?? sizes.get(path);
    return super.sort(tests).sort((one, other) => isEngine(other) - isEngine(one) || length(other) - length(one));
  }
};

function sizeWithImports(path, files, seen = new Set()) {
  if (seen.has(path) || !path.includes("/test/") || !files.exists(path)) return 0;
  seen.add(path);
  const imports = [...readFileSync(path, "utf8").matchAll(/ from "(\.[^"]+)";$/gm)].map(([, name]) => name);
  const paths = imports.flatMap((name) => [".ts", "/index.ts"].map((end) => resolve(path, "..", `${name}${end}`)));
  return paths.reduce((sum, each) => sum + sizeWithImports(each, files, seen), files.getSize(path));
}
