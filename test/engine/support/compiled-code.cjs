// Node loads this first in each process that the engine starts (NODE_OPTIONS, see fast-start.ts). It keeps compiled code for the next run,
// for each kind of process in a folder of its own: Pulumi's SDK sets a flag of V8 while it is loaded, in a program before most of its
// modules, in the plugin of dynamic providers after them. V8 takes no code that was compiled under other flags, so in one folder
// (NODE_COMPILE_CACHE) each process would compile six hundred modules anew, and write them over the other's.
const { enableCompileCache } = require("node:module");
const { basename, dirname, join } = require("node:path");

const script = process.argv[1];
const folder = join(__dirname, "..", "..", "..", "node_modules", ".cache", "pulumi-cloudinfra", "compiled-code");
if (script !== undefined) enableCompileCache(join(folder, basename(dirname(script))));
