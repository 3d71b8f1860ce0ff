// An imaginary later version of the package: a firewall rule has one more field, and its protocol `tcp` was once called
// `stream`. Node loads this first in each process that the engine starts (NODE_OPTIONS).
const Module = require("node:module");
const { join } = require("node:path");

const file = join(__dirname, "..", "..", "..", "dist", "resources", "firewall-rule.js");
const edits = [
  ["inputs: {", "inputs: { logged: (0, field_1.flag)({ default: false, omitsDefault: true }),"],
  ['udp: "UDP.",\n}', 'udp: "UDP.",\n}, { stream: "tcp" }'],
];

const { _compile: compile } = Module.prototype;
Module.prototype._compile = function (code, path, ...others) {
  return compile.call(this, path === file ? edits.reduce(edited, code) : code, path, ...others);
};

function edited(code, [present, later]) {
  if (!code.includes(present))
    throw new Error(`${file} no longer has ${present}: say in later-version.cjs what stands there now`);
  return code.replace(present, later);
}
