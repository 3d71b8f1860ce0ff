import { readdirSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { errorOf, previewJson, step, urnOf } from "./cost-previews";
import { documentOf } from "./cost-schema";
import { PulumiProject, runCli, type CliResult } from "./support";
import { forEachTest } from "../support/suite";

const project = forEachTest(() => new PulumiProject());

const cost = (line: string, environment = {}): Promise<CliResult> =>
  runCli(["cost", ...line.split(" ").filter(Boolean)], {
    environment: { ...project.environment, ...environment },
    cwd: project.folder,
  });
/** The first stack of the report, with its organization even if that is undefined. */
const stackIn = async (line: string): Promise<object> => {
  const result = await cost(`--format json ${line}`);
  expect(result.code).toBe(0);
  const { stacks } = documentOf(result);
  return { pulumiOrganization: undefined, ...stacks[0] };
};

/** The commands without the questions for a stack's name. */
const previews = (): readonly string[] => project.commands.filter((command) => !command.startsWith("stack "));

const LINK = step("replace", "link", { before: "78.125", after: "312.5" });
const ONE = previewJson([LINK]);
/** Pulumi's preview of the destruction of a stack without resources. */
const EMPTY = JSON.stringify({ duration: 188700 });

describe("with Pulumi", () => {
  it("previews the selected stack, and says so", async () => {
    project.preview(ONE);
    const { code, stdout, stderr } = await cost("");
    expect([code, stderr]).toEqual([0, "previewing the selected stack…\n"]);
    expect(stdout).toMatch(/^\+- ConnectConnection link +\$78\.13 +\$312\.50 +\+\$234\.38$/m);
    expect(previews()).toEqual(["preview --json --show-sames --non-interactive"]);
  });

  it("previews a destroy with --destroy, and says so", async () => {
    project.preview(previewJson([step("delete", "link", { before: "78.125" })]));
    const { code, stdout, stderr } = await cost("--destroy --stack dev");
    expect([code, stderr]).toEqual([0, "previewing the destruction of the stack dev…\n"]);
    expect(stdout).toMatch(/^- +ConnectConnection link +\$78\.13 +- +-\$78\.13$/m);
    expect(previews()).toEqual(["destroy --preview-only --json --non-interactive --stack dev"]);
  });

  it("passes stacks, targets and flags on to Pulumi", async () => {
    project.preview(ONE);
    const { stdout } = await cost("--stack a/test/dev --stack b/test/dev --target urn:x -- --refresh --stack-x");
    expect(stdout.match(/^partial: /gm)).toHaveLength(2);
    expect(previews()).toEqual([
      "preview --json --show-sames --non-interactive --stack a/test/dev --target urn:x --refresh --stack-x",
      "preview --json --show-sames --non-interactive --stack b/test/dev --target urn:x --refresh --stack-x",
    ]);
  });

  it.each(["--target x", "--target=x", "-t x", "-tx", "--target-replace x", "--exclude=x", "-x x"])(
    "a report with %s is partial",
    async (flags) => {
      project.preview(ONE);
      expect((await cost(`-- ${flags}`)).stdout).toMatch(/^partial: /m);
    },
  );

  it("a report with a target in a variable is partial", async () => {
    project.preview(ONE);
    expect((await cost("", { PULUMI_OPTION_TARGET: urnOf("link") })).stdout).toMatch(/^partial: /m);
  });

  it("a report with --target-dependents alone is complete", async () => {
    project.preview(ONE);
    expect((await cost("-- --target-dependents")).stdout).not.toMatch(/^partial: /m);
  });

  it.each([
    ["the selected stack", "", { pulumiOrganization: undefined, project: "test", stack: "dev" }],
    ["its name in an organization", "acme/prod", { pulumiOrganization: "acme", project: "test", stack: "prod" }],
    ["its complete name", "acme/shop/prod", { pulumiOrganization: "acme", project: "shop", stack: "prod" }],
    ["its name without organizations", "organization/shop/prod", { pulumiOrganization: undefined, project: "shop" }],
  ])("names an empty stack, given %s", async (_given, stack, name) => {
    project.preview(EMPTY);
    expect(await stackIn(`--destroy ${stack && `--stack ${stack}`}`)).toMatchObject({
      ...name,
      after: "0.00",
      resources: [],
    });
  });

  it.each([
    ["of an organization", "acme/test/dev", "acme"],
    ["without a project", "dev", undefined],
  ])("asks Pulumi for the name of a stack %s", async (_which, name, pulumiOrganization) => {
    project.preview(ONE, { name });
    for (const flags of ["", "--stack dev"])
      expect(await stackIn(flags)).toMatchObject({ pulumiOrganization, project: "test", stack: "dev" });
    expect(project.commands).toContain("stack --show-name --fully-qualify-stack-names --non-interactive --stack dev");
  });

  it("refuses a stack that is given twice", async () => {
    project.preview(ONE);
    for (const flags of ["--stack dev --stack organization/test/dev", "--stack dev --stack dev"]) {
      const { code, stdout, stderr } = await cost(flags);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^error: the preview of the stack .*dev is a second one of test\/dev, which would count/m);
    }
  });

  it("reports a stack if Pulumi does not say its organization", async () => {
    project.preview(ONE, { nameFault: "the backend is away" });
    expect(await stackIn("--stack dev")).toMatchObject({
      pulumiOrganization: undefined,
      project: "test",
      stack: "dev",
    });
  });

  it("names the organizations of stacks, if they are given", async () => {
    project.preview(ONE);
    const { stdout } = await cost("--stack acme/dev --stack other/test/dev");
    expect(stdout).toMatch(/^acme\/test\/dev\b/m);
    expect(stdout).toMatch(/^other\/test\/dev\b/m);
  });

  it("reads the plugin's notes, and removes them", async () => {
    const bill = { monthlyCost: "100.5", balance: "1000", runwayMonths: "9.95" };
    const note = JSON.stringify({ note: "organization", provider: "default", bill });
    project.preview(ONE, { script: `printf '%s\\n' '${note}' > "$CLOUDINFRA_RUN_NOTES"` });
    // Other processes have reports in the usual folder.
    jest.spyOn(os, "tmpdir").mockReturnValue(project.folder);
    expect(await stackIn("")).toMatchObject({ organization: { before: "100.50", after: "334.875" } });
    expect((await cost("")).stdout).toContain("the organization, estimated: $100.50/mo now → $334.88/mo");
    jest.restoreAllMocks();
    expect(readdirSync(project.folder).filter((name) => name.startsWith("cloudinfra-cost-"))).toEqual([]);
  });

  it("fails if a note of the plugin is missing, or cut off", async () => {
    for (const loss of ['/bin/rm "$CLOUDINFRA_RUN_NOTES"', `printf '{"note"' >> "$CLOUDINFRA_RUN_NOTES"`]) {
      project.preview(ONE, { script: loss });
      const { code, stdout, stderr } = await cost("");
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain("could not write its notes for this report to");
    }
  });

  it("names a temporary folder that cannot be used", async () => {
    const missing = join(project.folder, "missing");
    jest.spyOn(os, "tmpdir").mockReturnValue(missing);
    const { code, stderr } = await cost("");
    jest.restoreAllMocks();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `error: The temporary folder ${missing} cannot be used: there is no folder ${missing}. ` +
        "Name a folder that you may write to in TMPDIR.\n",
    );
  });

  it.each([
    ["--requote", "true"],
    ["", "unset"],
  ])("with the flags %j, CLOUDINFRA_REQUOTE is %s", async (flags, value) => {
    const tell = 'printf \'%s %s\' "${CLOUDINFRA_REQUOTE:-unset}" "$PULUMI_ENABLE_STREAMING_JSON_PREVIEW" > told';
    project.preview(ONE, { script: `cd '${project.folder}' && ${tell}` });
    await cost(flags, { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" });
    expect(project.read("told")).toBe(`${value} false`);
  });
});

describe("a preview that fails", () => {
  const failing = previewJson([step("same", "link", { before: "5", after: "5" })], {
    diagnostics: [
      { message: "warning: by the way", severity: "warning" },
      errorOf("error: \u001b[31mbandwidthMbps: must be one of 50, 200\u001b[0m\n", urnOf("link")),
      errorOf("error: the program ended\n    at index.js:1\n"),
    ],
  });
  const WORDS = `ConnectConnection link:
  error: bandwidthMbps: must be one of 50, 200
error: the program ended
    at index.js:1
`;

  it("exits with Pulumi's code and message, without a report", async () => {
    project.preview(failing, { code: 255 });
    const stderr = `previewing the stack dev…\nerror: the preview of the stack dev failed:\n${WORDS}`;
    expect(await cost("--stack dev")).toEqual({ code: 255, stdout: "", stderr });
  });

  it("shows why a refresh without a summary has failed", async () => {
    const { diagnostics } = JSON.parse(failing) as { diagnostics: unknown };
    project.preview(JSON.stringify({ steps: [], diagnostics, duration: 1 }), { code: 255 });
    expect((await cost("--stack dev")).stderr).toContain(WORDS);
  });

  it("exits with 1 if a preview file shows a failure", async () => {
    const stderr = `error: the preview in standard input failed:\n${WORDS}`;
    expect(await runCli(["cost", "--preview", "-"], { stdin: failing })).toEqual({ code: 1, stdout: "", stderr });
  });

  const NO_STACK = "error: no stack named prod found";
  const NO_PROJECT = "error: no Pulumi.yaml project file found (searching upwards from /a)";
  const ADVICE = "above it. Run this in the project's folder, or name it with --cwd.\n";
  const NO_PULUMI = "error: pulumi is not on PATH. Install it, or give the output of a preview with --preview.\n";
  const failed = (stderr: string, code: number) => () => project.preview("secret text", { code, stderr });
  const misspelled = (): unknown => project.hasOnly(["production", "prd", "canary"]);
  const printed = (): unknown => project.preview("secret text");
  const killed = (): unknown => project.preview("secret text", { script: "kill -KILL $$" });

  it.each<[string, arrange: () => unknown, code: number, message: string]>([
    ["if Pulumi has begun no preview", failed(NO_STACK, 6), 6, `the preview of the stack prod failed:\n${NO_STACK}\n`],
    ["without a project", failed(NO_PROJECT, 1), 1, `error: There is no Pulumi project in <folder> or ${ADVICE}`],
    ["for a misspelled stack", misspelled, 255, `${NO_STACK}. The closest are prd, production, canary\n`],
    ["if Pulumi is killed", killed, 137, "failed: pulumi ended with exit code 137, and gave no reason.\n"],
    ["for other output", printed, 1, "error: The output of pulumi is not JSON. A preview is what "],
    ["without pulumi on PATH", () => undefined, 1, NO_PULUMI],
  ])("exits with an error and a reason %s", async (_when, arrange, status, message) => {
    arrange();
    const { code, stdout, stderr } = await cost("--stack prod");
    expect([code, stdout]).toEqual([status, ""]);
    expect(stderr).toContain(message.replace("<folder>", project.folder));
    expect(stderr).not.toContain("secret text");
  });

  it("previews no second stack after a failure", async () => {
    project.preview("", { code: 3 });
    expect((await cost("--stack a --stack b")).code).toBe(3);
    expect(previews()).toHaveLength(1);
  });

  it("ends Pulumi at a signal", async () => {
    project.preview("", {
      script: "trap 'exit 7' TERM; : > \"$0.running\"; n=0; while [ $n -lt 1000000 ]; do n=$((n+1)); done",
    });
    const stop = new AbortController();
    const ended = runCli(["cost"], { environment: project.environment, cwd: project.folder, signal: stop.signal });
    await project.created("pulumi.running");
    stop.abort();
    expect((await ended).code).toBe(7);
  });
});
