// Prints `{ beforeMs, duringMs }`: how long the engine's plugin takes to load the modules of this package, and what
// they need: before its first check, and during it. Pulumi's own part of the plugin is loaded before. The check asks
// the simulator for a quote.
const Module = require("node:module");

process.argv[2] = "127.0.0.1:9"; // an engine's address: nobody listens there
const print = console.log;
console.log = () => {}; // it prints its port

let loadingMs = 0;
let depth = 0;
const { load } = Module.prototype;
/** The time of a module includes that of the modules that it requires. */
Module.prototype.load = function (file) {
  const startedAt = performance.now();
  depth += 1;
  try {
    load.call(this, file);
  } finally {
    depth -= 1;
    if (depth === 0) loadingMs += performance.now() - startedAt;
  }
};

async function measure() {
  require("@pulumi/pulumi/cmd/dynamic-provider");
  await new Promise((resolve) => setTimeout(resolve, 100)); // until its server listens
  loadingMs = 0;
  const provider = require("pulumi-cloudinfra/provider").v1("FirewallRule");
  const beforeMs = loadingMs;
  await provider.configure({ config: { get: () => undefined } });
  await provider.check({}, inputs(process.env.BENCH_VPC_ID));
  print(JSON.stringify({ beforeMs, duringMs: loadingMs - beforeMs }));
  process.exit();
}

function inputs(vpcId) {
  return {
    vpcId,
    protocol: "tcp",
    sourceAddress: "0.0.0.0/0",
    destinationAddress: "10.0.0.0/25",
    destinationPorts: ["443"],
    __program: {
      isPreview: true,
      urn: `urn:pulumi:dev::bench::pulumi-nodejs:dynamic/cloudinfra:FirewallRule::${vpcId}`,
    },
  };
}

void measure();
