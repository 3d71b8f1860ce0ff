import { readdirSync } from "node:fs";
import os from "node:os";
import { errorOf, previewJson, step, urnOf } from "./cost-previews";
import { PulumiProject, runCli, type CliResult } from "./support";
import { forEachTest } from "../support/suite";

const project = forEachTest(() => new PulumiProject());

const cost = (flags: readonly string[], environment = {}): Promise<CliResult> =>
  runCli(["cost", ...flags], { environment: { ...project.environment, ...environment }, cwd: project.folder });

/** The commands without the questions for a stack's name. */
const previews = (): readonly string[] => project.commands.filter((command) => !command.startsWith("stack "));

const LINK = step("replace", "link", { before: "78.125", after: "312.5" });
const ONE = previewJson([LINK]);
/** Pulumi's preview of the destruction of a stack without resources. */
const EMPTY = JSON.stringify({ duration: 188700 });

describe("with Pulumi", () => {
  it.each<[what: string, flags: readonly string[], op: string, row: RegExp, progress: string, command: string]>([
    [
      "the selected stack",
      [],
      "replace",
      /^\+- ConnectConnection link +\$78\.13 +\$312\.50 +\+\$234\.38$/m,
      "the selected stack",
      "preview --json --show-sames --non-interactive",
    ],
    [
      "a destroy with --destroy",
      ["--destroy", "--stack", "dev"],
      "delete",
      /^- +ConnectConnection link +\$78\.13 +- +-\$78\.13$/m,
      "the destruction of the stack dev",
      "destroy --preview-only --json --non-interactive --stack dev",
    ],
  ])("previews %s, and says so", async (_case, flags, op, row, progress, command) => {
    project.preview(previewJson([step(op, "link", { before: "78.125", ...(op === "replace" && { after: "312.5" }) })]));
    const { code, stdout, stderr } = await cost(flags);
    expect([code, stderr]).toEqual([0, `previewing ${progress}…\n`]);
    expect(stdout).toMatch(row);
    expect(previews()).toEqual([command]);
  });

  it("passes stacks, targets and flags on to Pulumi", async () => {
    project.preview(ONE);

    const flags = "--stack a/test/dev --stack b/test/dev --target urn:x -- --refresh --stack-x";
    const { stdout } = await cost(flags.split(" "));

    expect(stdout.match(/^partial: /gm)).toHaveLength(2);
    expect(previews()).toEqual([
      "preview --json --show-sames --non-interactive --stack a/test/dev --target urn:x --refresh --stack-x",
      "preview --json --show-sames --non-interactive --stack b/test/dev --target urn:x --refresh --stack-x",
    ]);
  });

  it.each([
    ...["--target x", "--target=x", "-t x", "-tx", "--target-replace x", "--exclude=x", "-x x"].map((flag) => [
      flag,
      true,
    ]),
    ["--target-dependents", false],
  ] as [string, boolean][])("a report with %s is partial: %s", async (flags, isPartial) => {
    project.preview(ONE);
    expect(/^partial: /m.test((await cost(["--", ...flags.split(" ")])).stdout)).toBe(isPartial);
  });

  it("a report with a target in a variable is partial", async () => {
    project.preview(ONE);
    expect((await cost([], { PULUMI_OPTION_TARGET: urnOf("link") })).stdout).toMatch(/^partial: /m);
  });

  it.each([
    ["the selected stack", [], { project: "test", stack: "dev" }],
    [
      "its name in an organization",
      ["--stack", "acme/prod"],
      { pulumiOrganization: "acme", project: "test", stack: "prod" },
    ],
    [
      "its complete name",
      ["--stack", "acme/shop/prod"],
      { pulumiOrganization: "acme", project: "shop", stack: "prod" },
    ],
    [
      "its name in a backend without organizations",
      ["--stack", "organization/shop/prod"],
      { pulumiOrganization: undefined, project: "shop", stack: "prod" },
    ],
  ])("names an empty stack, given %s", async (_given, flags, name) => {
    project.preview(EMPTY);

    const { code, stdout } = await cost(["--destroy", "--format", "json", ...flags]);

    expect(code).toBe(0);
    const [stack] = (JSON.parse(stdout) as { readonly stacks: readonly object[] }).stacks;
    expect({ pulumiOrganization: undefined, ...stack }).toMatchObject({ ...name, after: "0.00", resources: [] });
  });

  it.each([
    ["of an organization", "acme/test/dev", { pulumiOrganization: "acme", project: "test", stack: "dev" }],
    ["without a project", "dev", { project: "test", stack: "dev" }],
  ])("asks Pulumi for the name of a stack %s", async (_which, name, parts) => {
    for (const flags of [[], ["--stack", "dev"]]) {
      project.preview(ONE, { name });
      const { stdout } = await cost(["--format", "json", ...flags]);
      const [stack] = (JSON.parse(stdout) as { readonly stacks: readonly object[] }).stacks;
      expect({ pulumiOrganization: undefined, ...stack }).toMatchObject(parts);
    }
    expect(project.commands).toContain("stack --show-name --fully-qualify-stack-names --non-interactive --stack dev");
  });

  it("refuses a stack that is given twice", async () => {
    project.preview(ONE);

    for (const flags of ["--stack dev --stack organization/test/dev", "--stack dev --stack dev"]) {
      const { code, stdout, stderr } = await cost(flags.split(" "));
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(
        /^error: the preview of the stack .*dev is a second one of test\/dev, which would count twice/m,
      );
    }
  });

  it("reports a stack if Pulumi does not say its organization", async () => {
    project.preview(ONE, { nameFault: "the backend is away" });
    const { code, stdout } = await cost(["--format", "json", "--stack", "dev"]);
    const [stack] = (JSON.parse(stdout) as { readonly stacks: readonly object[] }).stacks;
    expect([code, stack]).toEqual([0, expect.objectContaining({ project: "test", stack: "dev" })]);
    expect(stack).not.toHaveProperty("pulumiOrganization");
  });

  it("names the organizations of stacks, if they are given", async () => {
    project.preview(ONE);

    const { stdout } = await cost(["--stack", "acme/dev", "--stack", "other/test/dev"]);

    expect(stdout).toMatch(/^acme\/test\/dev\b/m);
    expect(stdout).toMatch(/^other\/test\/dev\b/m);
  });

  it("reads the plugin's notes, and removes them", async () => {
    const note = JSON.stringify({
      note: "organization",
      provider: "default",
      bill: { monthlyCost: "100.5", balance: "1000", runwayMonths: "9.95" },
    });
    project.preview(ONE, { script: `printf '%s\\n' '${note}' > "$CLOUDINFRA_RUN_NOTES"` });
    const left = (): readonly string[] =>
      readdirSync(os.tmpdir()).filter((name) => name.startsWith("cloudinfra-cost-"));
    const before = left();

    const inJson = await cost(["--format", "json"]);
    expect(JSON.parse(inJson.stdout)).toMatchObject({
      stacks: [{ organization: { before: "100.50", after: "334.875" } }],
    });
    expect((await cost([])).stdout).toContain("the organization, estimated: $100.50/mo now → $334.88/mo");
    expect(left()).toEqual(before);
  });

  it("fails if a note of the plugin is missing, or cut off", async () => {
    for (const loss of ['/bin/rm "$CLOUDINFRA_RUN_NOTES"', `printf '{"note"' >> "$CLOUDINFRA_RUN_NOTES"`]) {
      project.preview(ONE, { script: loss });
      const { code, stdout, stderr } = await cost([]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain("could not write its notes for this report to");
    }
  });

  it("names a temporary folder that cannot be used", async () => {
    jest.spyOn(os, "tmpdir").mockReturnValue("/nonexistent");
    const { code, stderr } = await cost([]);
    jest.restoreAllMocks();
    expect(code).toBe(1);
    expect(stderr).toBe(
      "error: The temporary folder /nonexistent cannot be used: there is no folder /nonexistent. " +
        "Name a folder that you may write to in TMPDIR.\n",
    );
  });

  it.each([
    [["--requote"], "true"],
    [[], "unset"],
  ])("sets CLOUDINFRA_REQUOTE for %j to %s", async (flags, value) => {
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
  const WORDS = [
    "ConnectConnection link:",
    "  error: bandwidthMbps: must be one of 50, 200",
    "error: the program ended",
    "    at index.js:1",
    "",
  ].join("\n");

  it("exits with Pulumi's code and message, without a report", async () => {
    project.preview(failing, { code: 255 });

    expect(await cost(["--stack", "dev"])).toEqual({
      code: 255,
      stdout: "",
      stderr: `previewing the stack dev…\nerror: the preview of the stack dev failed:\n${WORDS}`,
    });
  });

  it("shows why a refresh without a summary has failed", async () => {
    const { diagnostics } = JSON.parse(failing) as { diagnostics: unknown };
    project.preview(JSON.stringify({ steps: [], diagnostics, duration: 1 }), { code: 255 });

    expect((await cost(["--stack", "dev"])).stderr).toContain(WORDS);
  });

  it("exits with 1 if a preview file shows a failure", async () => {
    expect(await runCli(["cost", "--preview", "-"], { stdin: failing })).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: the preview in standard input failed:\n${WORDS}`,
    });
  });

  it.each<[string, readonly string[], () => unknown, number, string]>([
    [
      "if Pulumi has begun no preview",
      ["--stack", "prod"],
      () => project.preview("canary", { code: 6, stderr: "error: no stack named prod found" }),
      6,
      "error: the preview of the stack prod failed:\nerror: no stack named prod found\n",
    ],
    [
      "without a project",
      [],
      () =>
        project.preview("", {
          code: 1,
          stderr: "error: no Pulumi.yaml project file found (searching upwards from /a)",
        }),
      1,
      "error: There is no Pulumi project in <folder> or above it. Run this in the project's folder, or name it with --cwd.\n",
    ],
    [
      "for a misspelled stack",
      ["--stack", "prod"],
      () => project.hasOnly(["production", "prd", "canary"]),
      255,
      "error: no stack named prod found. The closest are prd, production, canary\n",
    ],
    [
      "if Pulumi is killed",
      [],
      () => project.preview("", { script: "kill -KILL $$" }),
      137,
      "failed: pulumi ended with exit code 137, and gave no reason.\n",
    ],
    [
      "for other output, without showing it",
      [],
      () => project.preview("canary"),
      1,
      "error: The output of pulumi is not JSON. A preview is what ",
    ],
    [
      "without pulumi on PATH",
      [],
      () => undefined,
      1,
      "error: pulumi is not on PATH. Install it, or give the output of a preview with --preview.\n",
    ],
  ])("exits with an error and a reason %s", async (_when, flags, arrange, status, message) => {
    arrange();
    const { code, stdout, stderr } = await cost(flags);
    expect([code, stdout]).toEqual([status, ""]);
    expect(stderr).toContain(message.replace("<folder>", project.folder));
  });

  it("previews no second stack after a failure", async () => {
    project.preview("", { code: 3 });

    expect((await cost(["--stack", "a", "--stack", "b"])).code).toBe(3);
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

describe("a budget inside the program", () => {
  const summary = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/cloudinfra:CostSummary::sum";
  const reason = "the total would be $312.50/mo";
  const amounts = { allowed: "100.00", amount: "312.50", exceededBy: "212.50", resources: [] };
  const breach = { source: "CostSummary sum", limit: "monthlyTotal", enforce: "mandatory", ...amounts, reason };
  const note = JSON.stringify({ note: "overBudget", urn: summary, breaches: [breach] });
  const script = `printf '%s\\n' '${note}' > "$CLOUDINFRA_RUN_NOTES"`;
  const preview = (code: number, ...diagnostics: object[]): unknown =>
    project.preview(previewJson([LINK], { diagnostics }), { code, script });

  it.each<[string, number, object[]]>([
    ["the preview succeeded", 0, []],
    ["only the budget failed it", 255, [errorOf("error: over budget", summary), errorOf("error: preview failed")]],
  ])("reports and exits with 5 over the budget if %s", async (_if, pulumiCode, diagnostics) => {
    preview(pulumiCode, ...diagnostics);
    const { code, stdout, stderr } = await cost([]);
    expect(code).toBe(5);
    expect(stdout).toContain("+$");
    expect(stdout).toContain("over budget: the total would be $312.50/mo (CostSummary sum)\n");
    expect(stderr).toContain("over budget: dev: the total would be $312.50/mo (CostSummary sum)\n");
  });

  it.each([
    [{}, 2],
    [{ PULUMI_OPTION_TARGET: urnOf("link") }, 1],
  ])("previews without the budget, unless a variable has targets: %j", async (environment, count) => {
    preview(255, errorOf("error: over budget", summary));
    await cost([], environment);
    expect(previews()).toHaveLength(count);
  });

  it("exits with Pulumi's code after another failure", async () => {
    preview(255, errorOf("error: boom", urnOf("link")));
    expect(await cost([])).toMatchObject({ code: 255, stdout: "" });
  });
});
