// Of what Pulumi's SDK loads in each process, few programs need this. Without it, a run takes a third less processor
// time.
const Module = require("node:module");

/** Loaded at their first use. All but the last put JavaScript functions into a state. */
const LATE = ["@npmcli/arborist", "normalize-package-data", "typescript", "./automation"];

/** Never loaded: source maps for the stack trace that the SDK takes of each resource, and what sends traces. */
const isUnused = (request, parent) =>
  request === "source-map-support/register" ||
  (/^@opentelemetry\/(?!api$)/.test(request) && parent.filename.endsWith("/cmd/run/tracing.js"));

const load = Module._load;
Module._load = (request, parent, isMain) => {
  if (isUnused(request, parent)) return {};
  const loaded = () => load(request, parent, isMain);
  // V8's debugger would tell the SDK of each script, to name those of which a function cannot be put into a state.
  if (request.endsWith("/closure/v8Hooks")) return { ...loaded(), isInitializedAsync: () => Promise.resolve() };
  if (!LATE.includes(request)) return loaded();
  // As an ES module, it is passed on as it is, and not copied.
  const get = (_, name) => name === "__esModule" || (loaded()[name] ?? (name === "default" ? loaded() : undefined));
  return new Proxy({}, { get });
};
