import { execFile } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import type { YamlProgram } from "../../tools/pulumi/stack.cjs";
import { blocksOf, markedText, ROOT } from "../docs/support/markdown";
import { succeeded } from "./support/output";
import { folderForSuite } from "../support/suite";
import { program } from "./support/programs";
import { Session } from "./support/session";
import { describeYaml } from "./support/yaml";

// The programs of the guides, as they are printed there.

const run = promisify(execFile);

describe("docs/testing.md", () => {
  const folder = folderForSuite("testing");

  it("the tests of docs/testing.md pass without an engine", async () => {
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    for (const file of ["infra.js", "infra.test.js"]) {
      writeFileSync(join(folder, file), markedText("docs/testing.md", `file: testing/${file}`));
    }
    // Without the variables that jest sets for its children: node --test would take them as its own.
    const env = { PATH: process.env["PATH"], HOME: folder };
    const [command = "", ...args] = markedText("docs/testing.md", "run: testing").trim().split(" ");
    const { stdout } = await run(command, [...args, "--test-reporter=tap"], { cwd: folder, env });
    expect(stdout).toMatch(/^# pass 3$/m);
    expect(stdout).toMatch(/^# fail 0$/m);
  });
});

describe("docs/automation.md", () => {
  it("the program of docs/automation.md runs a stack's life", async () => {
    const { stack, api } = await Session.start(program());
    const file = "deploy.js";
    writeFileSync(join(stack.folder, file), markedText("docs/automation.md", `file: automation/${file}`));
    const { url, apiKey, projectId } = api.simulator;
    const env: NodeJS.ProcessEnv = { ...stack.env, API_KEY: apiKey, API_URL: url, PROJECT_ID: projectId };
    for (const name of Object.keys(env).filter((each) => each.startsWith("CLOUDINFRA_")))
      Reflect.deleteProperty(env, name);
    const { result, requests } = await api.during(() => run("node", [file], { cwd: stack.folder, env }));
    expect(result.stdout).toBe("costs $312.50 a month\na preview changes nothing: true\n");
    expect(requests.filter((line) => line.startsWith("POST") && !line.endsWith("/cost"))).toHaveLength(2);
    const { connections, firewallRules } = await api.held();
    expect([connections, firewallRules]).toEqual([[], []]);
  });
});

describeYaml("docs/native.md", () => {
  it("updates the YAML program of docs/native.md with and without prices", async () => {
    const [guide] = blocksOf("docs/native.md").filter(({ language }) => language === "yaml");
    const { resources, outputs } = parse(guide!.text) as YamlProgram;
    const session = await Session.start({ resources, ...(outputs && { outputs }) });
    session.configure("cloudinfra:costQuotes", "false");
    succeeded(await session.up());
    expect(session.outputs()).not.toHaveProperty("cost.monthlyTotal");
    session.configure("cloudinfra:costQuotes", "true");
    succeeded(await session.refresh());
    succeeded(await session.up());
    expect(session.outputs()).toHaveProperty("cost.monthlyTotal", "7.30");
  });
});
