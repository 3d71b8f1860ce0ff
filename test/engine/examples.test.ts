import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { languageHost } from "../../tools/sdk/python-environment.cjs";
import { ROOT } from "../docs/support/markdown";
import { examples } from "../examples/support/examples";
import { assertBuilt, assertEngine } from "./support/built";
import { fastStart } from "./support/fast-start";
import { folderForSuite } from "../support/suite";

assertBuilt();
assertEngine();

/** The folder for the examples' stacks. */
const folder = folderForSuite("examples");

interface ExampleResult {
  readonly code: number;
  readonly output: string;
}

/** Runs what `npm run example` runs once everything is installed and built, with a folder for its stack. */
function runExample(name = "", ownFolder = folder): Promise<ExampleResult> {
  const args = [join(ROOT, "tools", "example", "example.mjs"), name];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { maxBuffer: 1 << 24, env: { ...process.env, ...fastStart, TMPDIR: ownFolder } },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
      },
    );
  });
}

const EXPECTED = [
  // If the example moves the API's clock, the provider correctly warns that this machine's differs.
  /warning: this machine's clock is .*/g,
  // The engine's own warning, about the script that runs policy packs.
  /warning: using pulumi-analyzer-policy-nodelegacy from .*/g,
  // The engine's own warning, about a missing language host.
  /warning: using pulumi-language-(yaml|python|go) from .*/g,
  // A budget names what it does not count: the API cannot quote the pools of a cluster that does not exist yet.
  /warning: budget: the cost of NksNodePool .* is unknown, so the budget does not count it.*/g,
];

/** The errors that an example shows on purpose. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  "cost-policy": /error: preview failed/g,
  "handing-over": /error: (update failed|PUT .* the secret store answered 503)/g,
};

const hosted = examples().filter((name) => {
  const [, runtime = ""] =
    /^runtime: (.*)$/m.exec(readFileSync(join(ROOT, "examples", name, "Pulumi.yaml"), "utf8")) ?? [];
  if (languageHost(runtime) !== undefined) return true;
  console.warn(`pulumi-language-${runtime} is not on PATH: the example ${name} is left out`);
  return false;
});

it.concurrent.each(hosted)("the example %s runs from its preview to its deletion", async (name) => {
  const ownFolder = join(folder, name);
  mkdirSync(ownFolder);
  const { code, output } = await runExample(name, ownFolder);
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output).toMatch(
    /\$ pulumi preview[^]*\$ pulumi up[^]*✔[^]*\$ pulumi destroy[^]*✔ (nothing is )?left at the API/,
  );
  // Connections have a cost. Resources without a cost have no line.
  const [, preview = ""] = output.split(/\$ pulumi (?:preview|up)/);
  expect(preview.includes("/mo")).toBe(preview.includes("ConnectConnection"));
  const unexpected = [...EXPECTED, REFUSED[name] ?? ""].reduce<string>(
    (text, line) => text.replaceAll(line, ""),
    output,
  );
  expect(unexpected).not.toMatch(/error:|warning:/i);
  expect(readdirSync(ownFolder).filter((name) => name.startsWith("cloudinfra-"))).toEqual([]);
});

it.each(["", "no-such-example"])("lists the examples if the name is '%s'", async (name) => {
  const { code, output } = await runExample(name);
  expect(code).toBe(2);
  for (const name of examples()) expect(output).toContain(name);
});
