import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dynamicToken, nativeToken } from "../../src/engine/urn";
import { costInput, errorOf, previewJson, step, urnOf } from "./cost-previews";
import { BUDGET_ADVICE } from "../../src/resources/cost-budget";
import { documentOf, type ShownReport } from "./cost-schema";
import { PulumiProject, runCli, type CliResult } from "./support";
import { forEachTest } from "../support/suite";
import { LOCAL_TYPES } from "../../src/cli/cost/preview-report";
import { localKinds } from "../../src/resources/registry";
import { Sandbox } from "../tools/sandbox";

const project = forEachTest(() => new PulumiProject());

const cost = (flags: readonly string[]): Promise<CliResult> =>
  runCli(["cost", ...flags], { environment: project.environment, cwd: project.folder });
const read = (stdin: string, flags: readonly string[] = []): Promise<CliResult> =>
  runCli(["cost", "--preview", "-", ...flags], { stdin });
const json = async (steps: readonly Record<string, unknown>[], more = {}): Promise<ShownReport> => {
  const result = await read(previewJson(steps, more), ["--format", "json"]);
  expect(result.code).toBe(0);
  return documentOf(result).stacks[0]!;
};

const ONE = previewJson([step("replace", "link", { before: "78.125", after: "312.5" })]);

describe("a report in JSON", () => {
  it("the JSON has everything that the schema promises", async () => {
    expect(await json([step("replace", "link", { before: "78.125", after: "312.50" })])).toEqual({
      project: "test",
      stack: "dev",
      before: "78.125",
      after: "312.50",
      delta: "234.375",
      percent: "+300%",
      atLeast: false,
      unknown: 0,
      overBudget: [],
      notes: [],
      resources: [
        {
          urn: urnOf("link"),
          type: "ConnectConnection",
          name: "link",
          operation: "replace",
          status: "priced",
          before: "78.125",
          after: "312.50",
          delta: "234.375",
          usageDimensions: [
            {
              dimension: "mbps",
              displayName: "Bandwidth (Mbps)",
              before: { quantity: 50, unitPrice: "1.5625", monthlyAmount: "78.125" },
              after: { quantity: 50, unitPrice: "1.5625", monthlyAmount: "312.50" },
              delta: "234.375",
            },
          ],
        },
      ],
    });
  });

  it.each([
    ["create", { after: "5" }, { operation: "create", before: "0.00", after: "5.00", delta: "5.00" }],
    ["update", { before: "5", after: "7" }, { operation: "update", before: "5.00", after: "7.00", delta: "2.00" }],
    ["delete", { before: "5" }, { operation: "delete", before: "5.00", after: "0.00", delta: "-5.00" }],
    ["same", { before: "5", after: "5" }, { operation: "same", before: "5.00", after: "5.00", delta: "0.00" }],
    // --requote
    ["same", { before: "5", after: "6" }, { operation: "same", before: "5.00", after: "6.00", delta: "1.00" }],
    // --refresh, and nothing planned
    ["refresh", { before: "5", after: "6" }, { operation: "same", before: "5.00", after: "6.00", delta: "1.00" }],
    ["refresh", { before: "5" }, { operation: "delete", before: "5.00", after: "0.00", delta: "-5.00" }],
    // the object exists before or after the run
    [
      "create",
      { after: { cost: costInput("5"), adopt: "an-id" } },
      { operation: "create", before: "5.00", delta: "0.00" },
    ],
    ["import", { after: "5" }, { operation: "create", before: "5.00", delta: "0.00" }],
    [
      "delete",
      { before: "5", state: { retainOnDelete: true } },
      { operation: "delete", before: "5.00", after: "5.00", delta: "0.00" },
    ],
  ])("reports the Pulumi step %s of %j as %j", async (op, parts, expected) => {
    expect((await json([step(op, "link", parts)])).resources).toMatchObject([{ status: "priced", ...expected }]);
  });

  it("counts no cost before for a replaced object already deleted", async () => {
    const gone = { cost: { ...costInput("0.00"), usageDimensions: [] } };
    const after = { cost: costInput("7"), __costBefore: gone };

    const { resources, notes } = await json([step("replace", "link", { before: "5", after })]);

    expect(resources).toMatchObject([{ operation: "replace", before: "0.00", after: "7.00", delta: "7.00" }]);
    expect(notes).toEqual([]);
  });

  it("counts the last step after a refresh", async () => {
    const found = step("refresh", "link", { before: "5", after: "6" });

    expect((await json([found, step("update", "link", { before: "6", after: "8" })])).resources).toMatchObject([
      { operation: "update", before: "6.00", after: "8.00" },
    ]);
  });

  it("omits a resource that is neither declared nor existing", async () => {
    const gone = step("refresh", "gone", { before: "5", after: "5" });

    expect(await json([gone, step("same", "link", { before: "6", after: "6" })])).toMatchObject({
      before: "6.00",
      resources: [{ name: "link" }],
    });
  });

  it.each([
    ["retained", { before: "5", after: "7", state: { retainOnDelete: true } }, "5.00", "12.00", "7.00"],
    [
      "kept by the provider",
      { before: "5", after: "7", state: { outputs: { __retainOnDelete: true } } },
      "5.00",
      "12.00",
      "7.00",
    ],
    [
      "replaced by an adopted one",
      { before: "5", after: { cost: costInput("7"), adopt: "x" } },
      "12.00",
      "7.00",
      "-5.00",
    ],
  ])("counts both objects while the old one is %s", async (_how, parts, before, after, delta) => {
    expect(await json([step("replace", "link", parts)])).toMatchObject({ before, after, delta });
  });

  it.each([
    ["a resource that is read", step("read", "link", { after: "5" })],
    ["a resource that was read before", step("same", "link", { before: "5", after: "5", state: { external: true } })],
    ["a step of a replacement", step("create-replacement", "link", { before: "5", after: "7" })],
    ["the other step of it", step("delete-replaced", "link", { before: "5" })],
    ["a schedule", step("create", "plan", { type: "RotationSchedule", after: {} })],
    ["a summary", step("create", "sum", { type: "CostSummary", after: {} })],
    ["another package", { op: "create", urn: "urn:pulumi:dev::test::x:y:Z::z", newState: { type: "x:y:Z" } }],
  ])("leaves out %s", async (_, other) => {
    expect((await json([other])).resources).toEqual([]);
  });

  it.each([
    [
      "its parent is not known yet",
      "unknown",
      "vpcId is not known yet",
      { __unpriced: { status: "unknown", reason: "vpcId is not known yet" } },
    ],
    [
      "no quote is offered",
      "notOffered",
      "no quote offered for this kind of resource",
      { __unpriced: { status: "notOffered" } },
    ],
    ["nothing has quoted it", "unknown", "it was never quoted", {}],
    ["it is secret", "unknown", "its value in the preview is not a quote", { cost: "[secret]" }],
    ["it is in another currency", "unknown", "it is quoted in EUR", { cost: { ...costInput("5"), currency: "EUR" } }],
    [
      "it has an exponent",
      "unknown",
      "its value in the preview is not a quote",
      { cost: { ...costInput("5"), monthlyTotal: "5e3" } },
    ],
    [
      "it has too many digits",
      "unknown",
      "its value in the preview is not a quote: a number has more than 40 digits",
      { cost: { ...costInput("5"), monthlyTotal: "9".repeat(200_000) } },
    ],
  ])("says why there is no cost: %s", async (_case, status, reason, after) => {
    const {
      resources,
      before,
      after: total,
      atLeast,
    } = await json([step("create", "link", { after }), step("create", "other", { after: "3" })]);

    const shown = resources.find(({ name }) => name === "link");
    expect(shown).toMatchObject({ status, reason, before: "0.00", after: null, delta: null });
    expect([before, total, atLeast]).toEqual(["0.00", "3.00", status === "unknown"]);
  });

  it.each([
    ["the outputs, which an update in part has changed", "9"],
    ["the outputs, if the inputs have none", {}],
  ])("takes the cost before from %s", async (_where, before) => {
    const changes = step("update", "link", { before, after: "9" });
    const cost = { ...costInput("5"), pricedAt: "2026-01-01T00:00:00Z" };
    Object.assign(changes["oldState"] as object, { outputs: { cost } });
    expect((await json([changes])).resources).toMatchObject([{ before: "5.00", after: "9.00", delta: "4.00" }]);
  });

  it("counts both a resource and its old object pending deletion", async () => {
    expect(
      await json([step("delete", "link", { before: "5" }), step("delete", "link", { before: "7" })]),
    ).toMatchObject({
      before: "12.00",
      after: "0.00",
    });
  });

  it("marks a preview of some resources as partial", async () => {
    const skipped = { op: "same", urn: urnOf("new"), oldState: {}, newState: {} };
    const state = { urn: urnOf("new"), custom: true, type: "pulumi-nodejs:dynamic/cloudinfra:ConnectConnection" };

    const report = await json([
      { ...skipped, oldState: state, newState: state },
      step("create", "link", { after: "5" }),
    ]);

    expect(report).toMatchObject({ partial: true, after: "5.00", resources: [{ name: "link" }] });
  });
});

describe("warnings beside the report", () => {
  it("warns of a quote that does not add up", async () => {
    const odd = { cost: { ...costInput("5"), monthlyTotal: "6" } };
    const preview = previewJson([step("create", "link", { after: odd })]);
    const warning =
      "warning: ConnectConnection link: the quote after does not add up: its dimensions come to $5.00/mo, its total is $6.00/mo\n";

    const inJson = await read(preview, ["--format", "json"]);
    expect(documentOf(inJson).stacks[0]).toMatchObject({ notes: [warning.trim()] });
    const inTable = await read(preview);
    expect(inTable.stdout).toContain(warning);
    expect(inTable.stderr).toBe("");
  });

  it("says so if unchanged resources were left out", async () => {
    const { stdout } = await read(
      previewJson([step("create", "link", { after: "5" })], { changeSummary: { create: 1, same: 3 } }),
    );

    expect(stdout).toContain(
      "3 unchanged resources are not in the totals, because the preview was made without --show-sames",
    );
  });

  it("names adopted and retained objects", async () => {
    const { stdout } = await read(
      previewJson([
        step("create", "old", { after: { cost: costInput("5"), adopt: "x" } }),
        step("delete", "let-go", { before: "7", state: { retainOnDelete: true } }),
      ]),
    );

    expect(stdout).toMatch(/^\+ +ConnectConnection old +\$5\.00 +\$5\.00 +\+\$0\.00$/m);
    expect(stdout).toMatch(/^- +ConnectConnection let-go +\$7\.00 +\$7\.00 +\+\$0\.00$/m);
    expect(stdout).toContain("adopted, so its present cost counts as before: ConnectConnection old\n");
    expect(stdout).toContain("kept at the API (retainOnDelete), so it still costs money: ConnectConnection let-go\n");
  });
});

describe("several previews", () => {
  it("names the projects of several stacks, and runs nothing", async () => {
    project.preview("");
    writeFileSync(join(project.folder, "a.json"), previewJson([step("create", "a", { after: "1", project: "web" })]));
    writeFileSync(join(project.folder, "b.json"), previewJson([step("create", "b", { after: "1", project: "net" })]));

    const { stdout } = await cost(["--preview", "a.json", "--preview", "b.json"]);

    expect(stdout.match(/^\S+\/dev$/gm)).toEqual(["web/dev", "net/dev"]);
    expect(stdout).toMatch(/^ +total +\$0\.00 +\$2\.00 +\+\$2\.00$/m);
    expect(project.hasRun).toBe(false);
  });
});

it("refuses a preview file that does not name its stack", async () => {
  const { code, stderr } = await runCli(["cost", "--preview", "-"], { stdin: JSON.stringify({ duration: 5 }) });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^error: the preview in .* does not name its stack.*--stack/),
  ]);
});

describe("a budget in a preview file", () => {
  const summary = (enforce: string): Record<string, unknown> =>
    step("update", "sum", {
      type: "CostSummary",
      before: { resources: [{ urn: urnOf("gone"), monthlyTotal: "5" }] },
      after: {
        budget: { monthlyTotal: "100", perResource: "80", enforce },
        resources: [{ urn: urnOf("link"), monthlyTotal: "312.50" }],
      },
    });
  const steps = (enforce: string): string =>
    previewJson([
      step("create", "link", { after: "312.5" }),
      step("create", "not-counted", { after: "1000" }),
      step("delete", "gone", { before: "5" }),
      summary(enforce),
    ]);
  const TOTAL =
    "the total would be $312.50/mo, $212.50/mo over the budget of $100.00/mo: + ConnectConnection link $312.50/mo";

  it("applies a budget to resources of the first-class provider", async () => {
    const dynamic = steps("mandatory");

    expect(await read(dynamic.replaceAll(dynamicToken(""), nativeToken("")))).toEqual(await read(dynamic));
  });

  it("the JSON has the exceeded limits with their resources", async () => {
    const result = await read(steps("mandatory"), ["--format", "json"]);

    expect(result.code).toBe(5);
    expect(result.stderr).toContain(`over budget: dev: ${TOTAL} (CostSummary sum)\n`);
    expect(documentOf(result).stacks[0]).toMatchObject({
      stack: "dev",
      overBudget: [
        {
          source: "CostSummary sum",
          limit: "monthlyTotal",
          enforce: "mandatory",
          allowed: "100.00",
          amount: "312.50",
          exceededBy: "212.50",
          resources: [{ urn: urnOf("link"), name: "link", amount: "312.50" }],
        },
        { limit: "perResource", exceededBy: "232.50" },
      ],
    });
  });

  it("exits with 5 only if nothing but the budget failed", async () => {
    const words = `error: … resource 'sum' has a problem: budget: ${TOTAL}. ${BUDGET_ADVICE}`;
    const failed = (...diagnostics: object[]): string =>
      previewJson([step("create", "link", { after: "312.5" })], { diagnostics });
    const error = errorOf(words, urnOf("sum", { type: "CostSummary" }));

    const { code, stdout, stderr } = await read(failed(error, errorOf("error: preview failed")));

    expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
    expect(stderr).toContain(TOTAL);
    expect(stderr).toMatch(/There is no report.* run `cloudinfra cost` without --preview\.\n$/);
    expect(await read(failed(error, errorOf("error: boom", urnOf("link"))))).toMatchObject({ code: 1 });
  });

  it.each([["[secret]"], [{ monthlyTotal: "[secret]", enforce: "advisory" }]])(
    "names the hidden budget %j",
    async (budget) => {
      const hidden = step("same", "sum", { type: "CostSummary", after: { budget, resources: [] } });
      const { code, stdout } = await read(previewJson([step("create", "link", { after: "312.5" }), hidden]));

      expect(code).toBe(0);
      expect(stdout).toContain("the budget of CostSummary sum was not checked, because the preview does not show it");
    },
  );

  it("exits with 0 over an advisory budget", async () => {
    const { code, stdout } = await read(steps("advisory"));

    expect(code).toBe(0);
    expect(stdout).toContain(`over budget: ${TOTAL} (CostSummary sum, advisory)`);
  });
});

describe("the budgets of the flags", () => {
  it.each([
    [["--fail-over-total", "312.5"], 0],
    [["--fail-over-total", "312.49"], 5],
    [["--fail-over-increase", "234.375"], 0],
    [["--fail-over-increase", "234.374"], 5],
    [["--fail-over-total", "0", "--fail-over-increase", "1000"], 5],
  ])("compares exact amounts with the budgets %j: %d", async (flags, code) => {
    const result = await read(ONE, flags);

    expect(result.code).toBe(code);
    expect(result.stdout).toContain("$312.50");
    expect(/^over budget: .*ConnectConnection link/m.test(result.stdout)).toBe(code === 5);
    expect(result.stderr.includes("over budget: dev: ")).toBe(code === 5);
  });

  it("shows an exceeded budget once on a terminal", async () => {
    writeFileSync(join(project.folder, "a.json"), ONE);
    const argv = ["cost", "--preview", "a.json", "--fail-over-total", "0"];
    const result = await runCli(argv, { cwd: project.folder, isTTY: true });
    expect([result.code, result.stderr]).toEqual([5, ""]);
    expect(result.stdout).toContain("over budget: ");
  });

  it("compares the sum of several stacks", async () => {
    writeFileSync(join(project.folder, "a.json"), ONE);
    writeFileSync(join(project.folder, "b.json"), ONE.replaceAll(":dev::", ":prod::"));
    const files = ["--preview", "a.json", "--preview", "b.json"];

    const over = await cost([...files, "--fail-over-total", "624"]);
    expect(over.code).toBe(5);
    expect(over.stderr).toContain("over budget: all stacks together: ");
    expect(over.stdout).toMatch(/all stacks(.|\n)*over budget: the total would be/);
    const inJson = await cost([...files, "--fail-over-total", "624", "--format", "json"]);
    expect(inJson.stderr).toContain(
      "over budget: all stacks together: the total would be $625.00/mo, $1.00/mo over the budget of $624.00/mo: ",
    );
    expect(JSON.parse(inJson.stdout)).toMatchObject({
      stacks: [{ overBudget: [] }, { overBudget: [] }],
      overBudget: [{ source: "--fail-over-total", limit: "monthlyTotal", exceededBy: "1.00" }],
    });
    expect((await cost([...files, "--fail-over-total", "625"])).code).toBe(0);
  });
});

describe("the kinds that cost something", () => {
  it("leaves out exactly the kinds without an API object", () => {
    expect([...LOCAL_TYPES].sort()).toEqual(localKinds.map(({ type }) => type).sort());
  });
});

describe("the HTML page", () => {
  it("shows the commit of CI or of the repository", async () => {
    const stdin = previewJson([step("create", "link", { after: "5" })]);
    const page = (run: object): Promise<CliResult> =>
      runCli(["cost", "--preview", "-", "--format", "html"], { stdin, ...run });
    const sandbox = new Sandbox();
    sandbox.script(join(sandbox.bin, "git"), '[ "$*" = "rev-parse --verify HEAD" ] && echo fedcba9876543210');
    const repository = { cwd: sandbox.root, environment: { PATH: sandbox.bin } };

    expect((await page({ environment: { CI_COMMIT_SHA: "0123456789abcdef" } })).stdout).toContain(
      "commit 0123456789ab",
    );
    expect((await page(repository)).stdout).toContain("commit fedcba987654");
    sandbox.remove();
    expect(await page({ environment: { PATH: "/nowhere" } })).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining("commit") as string,
    });
  });
});
