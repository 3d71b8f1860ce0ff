// How a run fares against an API that limits the rate:
// `npm run bench -- load [--resources 500] [--rate-limit 20] [--operation-time 100ms]`.
import { count, readOptions } from "./command-line.mjs";
import { rules } from "./declared.mjs";
import { MeasuredStack } from "./measured-stack.mjs";
import { total } from "./requests.mjs";

const options = readOptions({ resources: "500", "rate-limit": "20", "operation-time": "100ms" });
const resources = count("resources", options.resources);
const simulator = { rateLimit: options["rate-limit"], operationTime: options["operation-time"] };

const stack = await MeasuredStack.start("package", { simulator });
try {
  stack.declare(rules(resources, stack.simulator));
  for (const command of ["up", "destroy"]) {
    process.stderr.write(`${command} of ${resources} firewall rules at ${options["rate-limit"]} requests a second\n`);
    const { wallMs, calls, refused, peakBytes } = await stack.run(command, ["--parallel", String(resources)]);
    const measured = {
      command,
      seconds: Math.round(wallMs / 1000),
      requests: calls,
      refused,
      refusedPercent: Math.round((1000 * refused) / total(calls)) / 10,
      peakMegabytes: peakBytes === null ? null : Math.round(peakBytes / 1e6),
      rulesAtTheApi: (await stack.held()).firewallRules.length,
    };
    console.log(JSON.stringify(measured, null, 2));
  }
} finally {
  await stack.close();
}
