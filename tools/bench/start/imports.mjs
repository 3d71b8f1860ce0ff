import { medians } from "../median.mjs";
import { runNode } from "./node-process.mjs";

const MODULES = { alone: ["@pulumi/pulumi"], withPackage: ["@pulumi/pulumi", "pulumi-cloudinfra"] };
const CPU = "const { user, system } = process.cpuUsage(); console.log(JSON.stringify((user + system) / 1000))";

/**
 * What a process takes that requires Pulumi's SDK, and one that requires this package as well: `{ alone, withPackage }`, each
 * `{ wallMs, cpuMs }`, medians of so many processes in turn.
 */
export async function measureImports(times) {
  const seen = { alone: [], withPackage: [] };
  for (let i = 0; i < times; i += 1) {
    for (const [name, modules] of Object.entries(MODULES)) {
      const requires = modules.map((module) => `require(${JSON.stringify(module)});`).join(" ");
      const { wallMs, answer: cpuMs } = await runNode(["-e", `${requires} ${CPU}; process.exit()`]);
      seen[name].push({ wallMs, cpuMs });
    }
  }
  return { alone: medians(seen.alone), withPackage: medians(seen.withPackage) };
}
