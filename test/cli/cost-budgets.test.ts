import { dynamicToken, nativeToken } from "../../src/engine/urn";
import { BUDGET_ADVICE } from "../../src/resources/cost-summary-budget";
import { forEachTest } from "../support/suite";
import { errorOf, previewFlags, previewJson, step, urnOf, type Step } from "./cost-previews";
import { documentOf } from "./cost-schema";
import { PulumiProject, runCli, type CliResult } from "./support";

const project = forEachTest(() => new PulumiProject());

const cost = (flags: readonly string[] = [], environment = {}): Promise<CliResult> =>
  runCli(["cost", ...flags], { environment: { ...project.environment, ...environment }, cwd: project.folder });
const read = (stdin: string, flags: readonly string[] = []): Promise<CliResult> =>
  runCli(["cost", "--preview", "-", ...flags], { stdin });

const LINK = step("replace", "link", { before: "78.125", after: "312.5" });
const ONE = previewJson([LINK]);

describe("a budget in a preview file", () => {
  const type = "CostSummary";
  const over = step("create", "link", { after: "312.5" });
  const summary = (enforce: string): Step => {
    const budget = { monthlyTotal: "100", perResource: "80", enforce };
    const after = { budget, resources: [{ urn: urnOf("link"), monthlyTotal: "312.50" }] };
    return step("update", "sum", { type, before: { resources: [{ urn: urnOf("gone"), monthlyTotal: "5" }] }, after });
  };
  const others = [step("create", "not-counted", { after: "1000" }), step("delete", "gone", { before: "5" })];
  const steps = (enforce: string): string => previewJson([over, ...others, summary(enforce)]);
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
    const total = { source: "CostSummary sum", limit: "monthlyTotal", enforce: "mandatory", allowed: "100.00" };
    const resources = [{ urn: urnOf("link"), name: "link", amount: "312.50" }];
    const perResource = { limit: "perResource", exceededBy: "232.50" };
    const overBudget = [{ ...total, amount: "312.50", exceededBy: "212.50", resources }, perResource];
    expect(documentOf(result).stacks[0]).toMatchObject({ stack: "dev", overBudget });
  });

  it("exits with 5 only if nothing but the budget failed", async () => {
    const words = `error: … resource 'sum' has a problem: budget: ${TOTAL}. ${BUDGET_ADVICE}`;
    const failed = (...diagnostics: object[]): string => previewJson([over], { diagnostics });
    const error = errorOf(words, urnOf("sum", { type }));
    const { code, stdout, stderr } = await read(failed(error, errorOf("error: preview failed")));
    expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
    expect(stderr).toContain(TOTAL);
    expect(stderr).toMatch(/There is no report.* run `cloudinfra cost` without --preview\.\n$/);
    expect(await read(failed(error, errorOf("error: boom", urnOf("link"))))).toMatchObject({ code: 1 });
  });

  it.each(["[secret]", { monthlyTotal: "[secret]", enforce: "advisory" }])(
    "names the hidden budget %j",
    async (budget) => {
      const hidden = step("same", "sum", { type, after: { budget, resources: [] } });
      const { code, stdout } = await read(previewJson([over, hidden]));
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
    ["--fail-over-total 312.5", 0],
    ["--fail-over-total 312.49", 5],
    ["--fail-over-increase 234.375", 0],
    ["--fail-over-increase 234.374", 5],
    ["--fail-over-total 0 --fail-over-increase 1000", 5],
  ])("compares exact amounts with %s: %d", async (flags, code) => {
    const result = await read(ONE, flags.split(" "));
    expect(result.code).toBe(code);
    expect(result.stdout).toContain("$312.50");
    expect(/^over budget: .*ConnectConnection link/m.test(result.stdout)).toBe(code === 5);
    expect(result.stderr.includes("over budget: dev: ")).toBe(code === 5);
  });

  it("shows an exceeded budget once on a terminal", async () => {
    const argv = ["cost", ...previewFlags(project.folder, [ONE]), "--fail-over-total", "0"];
    const { code, stdout, stderr } = await runCli(argv, { cwd: project.folder, isTTY: true });
    expect([code, stderr]).toEqual([5, ""]);
    expect(stdout).toContain("over budget: ");
  });

  it("compares the sum of several stacks", async () => {
    const files = [...previewFlags(project.folder, [ONE, ONE.replaceAll(":dev::", ":prod::")]), "--fail-over-total"];
    const over = await cost([...files, "624"]);
    expect(over.code).toBe(5);
    expect(over.stderr).toContain("over budget: all stacks together: ");
    expect(over.stdout).toMatch(/all stacks(.|\n)*over budget: the total would be/);
    const inJson = await cost([...files, "624", "--format", "json"]);
    expect(inJson.stderr).toContain(
      "over budget: all stacks together: the total would be $625.00/mo, $1.00/mo over the budget of $624.00/mo: ",
    );
    const overBudget = [{ source: "--fail-over-total", limit: "monthlyTotal", exceededBy: "1.00" }];
    expect(documentOf(inJson)).toMatchObject({ stacks: [{ overBudget: [] }, { overBudget: [] }], overBudget });
    expect((await cost([...files, "625"])).code).toBe(0);
  });
});

describe("a budget inside the program", () => {
  const summary = urnOf("sum", { type: "CostSummary" });
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
    const { code, stdout, stderr } = await cost();
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
    expect(project.commands.filter((command) => !command.startsWith("stack "))).toHaveLength(count);
  });

  it("exits with Pulumi's code after another failure", async () => {
    preview(255, errorOf("error: boom", urnOf("link")));
    expect(await cost()).toMatchObject({ code: 255, stdout: "" });
  });
});
