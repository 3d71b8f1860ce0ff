// Node loads this first in the processes of a program whose Pulumi.yaml says `typescript: false`. It does what the
// language hosts of releases do. That of this clone's engine is older, does not read the option, and loads the compiler
// in each run.
const { existsSync, readFileSync } = require("node:fs");

const PROJECT = "Pulumi.yaml";
const isProgram = /cmd\/run\/index\.js$/.test(process.argv[1] ?? "");
if (isProgram && existsSync(PROJECT) && /"?typescript"?: false/.test(readFileSync(PROJECT, "utf8")))
  process.env.PULUMI_NODEJS_TYPESCRIPT = "false";
