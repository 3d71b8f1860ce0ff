#!/usr/bin/env node
// Even an old Node must be able to read this file and node-version.mjs, to say that it is too old.
import { nodeProblem } from "./setup/node-version.mjs";

const problem = nodeProblem();
if (problem) {
  console.error(problem);
  process.exitCode = 1;
} else {
  Promise.all([import("./setup/main.mjs"), import("./commands.mjs")]).then(([{ runMain }, { main }]) => runMain(main));
}
