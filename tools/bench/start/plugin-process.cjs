// Prints `{ loadMs, firstCheckMs, nextCheckMs }`: how long the engine's plugin takes to load the provider, to check a first
// resource, which loads what is left, and to check a second one. Both checks ask the simulator for a quote, so that their difference is
// the loading. Pulumi's own part of the plugin is loaded before the clock starts.
process.argv[2] = "127.0.0.1:9"; // an engine's address: nobody listens there
const print = console.log;
console.log = () => {}; // it prints its port

async function measure() {
  require("@pulumi/pulumi/cmd/dynamic-provider");
  await new Promise((resolve) => setTimeout(resolve, 100)); // until its server listens
  const [provider, loadMs] = await timed(() => require("pulumi-cloudinfra/provider").v1("FirewallRule"));
  await provider.configure({ config: { get: () => undefined } });
  const [, firstCheckMs] = await timed(() => provider.check({}, inputs(process.env.BENCH_VPC_ID)));
  const [, nextCheckMs] = await timed(() => provider.check({}, inputs("00000000-0000-4000-8000-00000000000a")));
  print(JSON.stringify({ loadMs, firstCheckMs, nextCheckMs }));
  process.exit();
}

/** Another VPC is another price: it is asked for. */
function inputs(vpcId) {
  return {
    vpcId,
    protocol: "tcp",
    sourceAddress: "0.0.0.0/0",
    destinationAddress: "10.0.0.0/25",
    destinationPorts: ["443"],
    __urn: `urn:pulumi:dev::bench::pulumi-nodejs:dynamic/cloudinfra:FirewallRule::${vpcId}`,
    __dryRun: true,
  };
}

async function timed(work) {
  const startedAt = performance.now();
  const result = await work();
  return [result, performance.now() - startedAt];
}

void measure();
