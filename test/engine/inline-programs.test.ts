import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { basicsOf, program } from "./support/programs";
import { Session } from "./support/session";

// Three stacks in one process, at the same time, each with its own program. `second` has a copy of the package.
const script = program(
  `const { LocalWorkspace } = require("@pulumi/pulumi/automation");`,
  `const ARGS = ${JSON.stringify(basicsOf("ConnectConnection"))};`,
  `const loaded = Object.keys(require.cache).filter((file) => file.includes("/dist/"));`,
  `const before = new Map(loaded.map((file) => [file, require.cache[file]]));`,
  `for (const file of loaded) delete require.cache[file];`,
  `const copy = require("pulumi-cloudinfra");`,
  `if (copy.CostSummary === cloudinfra.CostSummary) throw new Error("the copy is none");`,
  `const link = (pack, name, bandwidthMbps) => new pack.ConnectConnection(name, { ...ARGS, bandwidthMbps });`,
  `const programs = {
    one: () => ({ after: new cloudinfra.CostSummary("cost", { resources: [link(cloudinfra, "a", 50)] }).after }),
    two: async () => {
      const a = link(cloudinfra, "a", 50);
      await new Promise((done) => setTimeout(done, 50));
      return { after: new cloudinfra.CostSummary("cost", { resources: [a, link(cloudinfra, "b", 50)] }).after };
    },
    mixed: () => ({ after: new copy.CostSummary("cost", { resources: [link(cloudinfra, "a", 50), link(copy, "b", 200)] }).after }),
  };`,
  `const run = async ([stackName, program]) => {
    const stack = await LocalWorkspace.createOrSelectStack({ projectName: "test", stackName, program: async () => program() }, { workDir: __dirname });
    const first = await stack.up();
    const second = await stack.up();
    return [stackName, [first, second].map(({ outputs }) => outputs.after.value)];
  };`,
  `Promise.all(Object.entries(programs).map(run)).then((found) => console.log(JSON.stringify(Object.fromEntries(found))));`,
);

it("summaries of inline programs count their own resources", async () => {
  const { stack, api } = await Session.start(program());
  writeFileSync(join(stack.folder, "inline.js"), script);
  const { stdout } = await promisify(execFile)("node", ["inline.js"], { cwd: stack.folder, env: stack.env });
  expect(JSON.parse(stdout.split("\n").at(-2)!)).toEqual({
    one: ["78.125", "78.125"],
    two: ["156.25", "156.25"],
    mixed: ["390.625", "390.625"],
  });
  expect((await api.held()).connections).toHaveLength(5);
});

it("requires a list of resources in an inline program", async () => {
  const { stack } = await Session.start(program());
  const text = program(
    `const { LocalWorkspace } = require("@pulumi/pulumi/automation");`,
    `const program = async () => void new cloudinfra.CostSummary("cost");`,
    `LocalWorkspace.createOrSelectStack({ projectName: "test", stackName: "four", program }, { workDir: __dirname })
      .then((stack) => stack.preview()).then(() => console.log("went through"), (error) => console.log(String(error)));`,
  );
  writeFileSync(join(stack.folder, "inline.js"), text);
  const { stdout } = await promisify(execFile)("node", ["inline.js"], { cwd: stack.folder, env: stack.env });
  expect(stdout).toContain('CostSummary "cost" does not say what to count.');
  expect(stdout).toContain("{ resources: [link, rule] }");
});
