// Pulumi's SDK loads these with everything else, which is half of its loading time. It needs them only to put a JavaScript function into a
// state: they are loaded when that uses them.
const Module = require("node:module");

const LATE = ["@npmcli/arborist", "typescript"];

const load = Module._load;
Module._load = (request, ...others) => {
  if (!LATE.includes(request)) return load(request, ...others);
  // As an ES module, it is passed on as it is, and not copied.
  return new Proxy({}, { get: (_, name) => name === "__esModule" || load(request, ...others)[name] });
};
