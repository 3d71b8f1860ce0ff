import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../docs/support/markdown";
import { counts, failed, partsOf, rowOf, succeeded } from "./support/output";
import { basicsOf, declare, DYNAMIC, names, NATIVE, oneOfEach, programOf, type Front } from "./support/programs";
import { Session } from "./support/session";
import { describeYaml, yaml } from "./support/yaml";
import { forSuite } from "../support/suite";

describe("a TypeScript stack that moves by its import", () => {
  const rotating = `new cloudinfra.RotatingApiKey("ci", { permissions: [{ resourceType: "vm", permission: "edit" }], period: "30d" });`;
  const summary = `const sum = new cloudinfra.CostSummary("sum");
    module.exports = { before: sum.before, after: sum.after, delta: sum.delta };`;
  const all = [oneOfEach(), rotating, summary].join("\n");
  const session = forSuite(() => Session.startUp(programOf(DYNAMIC, all)));
  // The stack, the summary, and the pair: a component, a schedule and two keys.
  const count = names.length + 2 + 4;
  const ids = (): unknown => Object.fromEntries(session.kept().map(({ urn, id }) => [urn.split("::").at(-1), id]));
  const secret = (): unknown => session.shownOutputsOf("deployer")["key"];
  /** Only the summary's value changes, because it contains URNs, which contain types. */
  const expectNoChange = (preview: string): void => {
    expect(counts(preview)).toEqual(["~ 1 to update", `${count - 1} unchanged`]);
    expect(rowOf(preview, "sum")).toMatch(/CostSummary sum update/);
  };
  const expectKeptCosts = (after: unknown): void =>
    expect(session.outputs()).toEqual({ before: after, after, delta: "0.00" });

  it("moves to the first-class provider without a change", async () => {
    const [before, key] = [ids(), secret()];
    const { after } = session.outputs();

    session.stack.write(programOf(NATIVE, all));
    const { result, requests } = await session.api.during(() => session.stack.preview());
    expectNoChange(succeeded(result));
    expect(requests).toEqual(["GET regions"]); // for the API's time: the rotation plans by it
    succeeded(await session.up());
    expect(session.kept().filter(({ type }) => !type.startsWith("cloudinfra:index:"))).toEqual([]);
    expect([ids(), secret()]).toEqual([before, key]);
    expect(Number(after)).toBeGreaterThan(0);
    expectKeptCosts(after);
  });

  it("moves back to the dynamic provider without a change", async () => {
    const [before, key] = [ids(), secret()];
    const { after } = session.outputs();
    session.stack.write(programOf(DYNAMIC, all));
    expectNoChange(partsOf(succeeded(await session.stack.up())).preview);
    expect([ids(), secret()]).toEqual([before, key]);
    expectKeptCosts(after);
    succeeded(await session.destroy());
    expect(await session.api.heldIds()).toEqual([]);
  });
});

describeYaml("a stack of the dynamic provider that a YAML program takes over", () => {
  it("moves a YAML program without aliases", async () => {
    const [data, ci] = [basicsOf("Volume"), basicsOf("ApiKey")];
    const session = await Session.startUp(programOf(DYNAMIC, declare("Volume", "data") + declare("ApiKey", "ci")));
    session.stack.write({ resources: { data: yaml("Volume", data), ci: yaml("ApiKey", ci) } });
    expect(counts(succeeded(await session.stack.preview()))).toEqual(["3 unchanged"]);
  });
});

it("refreshes by its program after a failed move to the dynamic provider", async () => {
  const program = (front: Front, size: number): string => programOf(front, declare("Volume", "data", { size }));
  const session = await Session.startUp(program(NATIVE, 20));
  session.stack.write(program(DYNAMIC, 30));
  await session.api.fault({ method: "PATCH", path: "/volumes/", status: 400 });
  failed(await session.up());
  succeeded(await session.refresh(["--run-program"]));
});

it("says what to write if Pulumi.yaml lacks the plugin", async () => {
  const program = programOf(NATIVE, declare("Vpc", "net"), declare("Volume", "data"));
  const session = await Session.start(program);
  session.stack.write(program, { saysPlugins: false });
  const env = { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" };
  const output = failed(await session.stack.pulumi(["preview", "--non-interactive"], { env }));
  // On the row, and under Diagnostics.
  expect(output.split(/was not found\. Say in \S*Pulumi\.yaml where it is:/)).toHaveLength(3);
  expect(output).toContain("path: node_modules/pulumi-cloudinfra/plugin");
  expect(output).toContain("npx cloudinfra plugin install");
});

it("the native entry gives an ES module every name", () => {
  const script = `console.log(Object.keys(await import("pulumi-cloudinfra/native")).join())`;
  const names = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(names.split(",")).toEqual(expect.arrayContaining(["Vpc", "getVpcOutput", "CostSummary", "Provider"]));
});

it("the plugin loads no compiler and no package installer", () => {
  const script = `require(${JSON.stringify(join(ROOT, "dist/native/server.js"))});
    const packages = Object.keys(require.cache).map((file) => /node_modules.((@[^/]+.)?[^/]+)/.exec(file)?.[1]);
    process.stderr.write([...new Set(packages)].join("\\n"), () => process.exit(0));`;
  const { stderr } = spawnSync(process.execPath, ["-e", script], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
  const loaded = stderr.split("\n");
  expect(loaded).toContain("@pulumi/pulumi");
  for (const heavy of ["typescript", "@npmcli/arborist", "glob"]) expect(loaded).not.toContain(heavy);
});
