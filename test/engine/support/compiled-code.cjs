// Node loads this first in each process that the engine starts (NODE_OPTIONS, see fast-start.ts). Programs and plugins
// keep their compiled code for the next run, each in its own folder, which NODE_COMPILE_CACHE cannot give them.
// Pulumi's SDK sets a flag of V8 while it is loaded: a program has it for most modules, a plugin of dynamic providers
// has not. V8 rejects code that was compiled under other flags. In one folder, each process would compile six hundred
// modules anew and overwrite those of the other.
const { enableCompileCache } = require("node:module");
const { basename, dirname, join } = require("node:path");

require("../../../tools/pulumi/without-typescript.cjs");
require("./late-modules.cjs");

const KINDS = ["run", "dynamic-provider", "plugin"];

const kind = basename(dirname(process.argv[1] ?? ""));
const folder = join(__dirname, "..", "..", "..", "node_modules", ".cache", "pulumi-cloudinfra", "compiled-code");
if (KINDS.includes(kind)) enableCompileCache?.(join(folder, kind));
