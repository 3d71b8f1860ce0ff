import { join } from "node:path";
import { dynamicToken } from "../../src/engine/urn";
import {
  costInput,
  previewFlags,
  previewJson,
  step,
  urnOf,
  type Inputs,
  type Step,
  type StepParts,
} from "./cost-previews";
import { documentOf, type ShownReport } from "./cost-schema";
import { PulumiProject, runCli, type CliResult, type CliRun } from "./support";
import { forEachTest } from "../support/suite";
import { LOCAL_TYPES } from "../../src/cli/cost/preview-report";
import { localKinds } from "../../src/resources/registry";
import { Sandbox } from "../tools/sandbox";

const project = forEachTest(() => new PulumiProject());

const cost = (flags: readonly string[]): Promise<CliResult> =>
  runCli(["cost", ...flags], { environment: project.environment, cwd: project.folder });
const read = (stdin: string, flags: readonly string[] = []): Promise<CliResult> =>
  runCli(["cost", "--preview", "-", ...flags], { stdin });
const json = async (steps: readonly Step[]): Promise<ShownReport> => {
  const result = await read(previewJson(steps), ["--format", "json"]);
  expect(result.code).toBe(0);
  return documentOf(result).stacks[0]!;
};
const link = (op: string, parts: StepParts): Step => step(op, "link", parts);
const ONE = previewJson([link("replace", { before: "78.125", after: "312.5" })]);

describe("a report in JSON", () => {
  it("the JSON has everything that the schema promises", async () => {
    const sums = { before: "78.125", after: "312.50", delta: "234.375" };
    const side = { quantity: 50, unitPrice: "1.5625" };
    const dimension = {
      ...{ dimension: "mbps", displayName: "Bandwidth (Mbps)", delta: sums.delta },
      ...{ before: { ...side, monthlyAmount: sums.before }, after: { ...side, monthlyAmount: sums.after } },
    };
    const resource = {
      urn: urnOf("link"),
      type: "ConnectConnection",
      name: "link",
      operation: "replace",
      status: "priced",
    };
    expect(await json([link("replace", { before: "78.125", after: "312.50" })])).toEqual({
      ...{ project: "test", stack: "dev", ...sums, percent: "+300%", atLeast: false, unknown: 0 },
      ...{ overBudget: [], notes: [], resources: [{ ...resource, ...sums, usageDimensions: [dimension] }] },
    });
  });

  const change = { before: "5", after: "7" };
  const adopting = { cost: costInput("7"), adopt: "an-id" };
  const afterDeletion = { cost: costInput("7"), __costBefore: { cost: { ...costInput("0.00"), usageDimensions: [] } } };
  const kept = { retainOnDelete: true };
  const keptByUs = { outputs: { __retainOnDelete: true } };
  const replacing = (state: object, after: Inputs | string = "7"): Step =>
    link("replace", { before: "5", after, state: { ...state } });
  const updating = (before: Inputs | string): Step =>
    link("update", { before, after: "9", state: { outputs: { cost: costInput("5") } } });
  const [gone, alsoGone, same] = [
    link("delete", { before: "5" }),
    link("delete", { before: "7" }),
    link("same", change),
  ];
  const found = link("refresh", { before: "5", after: "6" });
  const foreign = { op: "create", urn: "urn:pulumi:dev::test::x:y:Z::z", newState: { type: "x:y:Z" } };

  it.each<[what: string, rows: string, ...steps: Step[]]>([
    ["a creation", "create 0.00 → 5.00", link("create", { after: "5" })],
    ["an update", "update 5.00 → 7.00", link("update", change)],
    ["a deletion", "delete 5.00 → 0.00", gone],
    ["what stays", "same 5.00 → 5.00", link("same", { before: "5", after: "5" })],
    ["a price that --requote has changed", "same 5.00 → 7.00", same],
    ["what a refresh has changed", "same 5.00 → 6.00", found],
    ["what a refresh does not find", "delete 5.00 → 0.00", link("refresh", { before: "5" })],
    ["an update after a refresh", "update 6.00 → 8.00", found, link("update", { before: "6", after: "8" })],
    ["an adopted object as existing", "create 7.00 → 7.00", link("create", { after: adopting })],
    ["an imported object as existing", "create 5.00 → 5.00", link("import", { after: "5" })],
    ["a retained object as staying", "delete 5.00 → 5.00", link("delete", { before: "5", state: kept })],
    ["no cost before if the old object is deleted", "replace 0.00 → 7.00", replacing({}, afterDeletion)],
    ["no retained object that is already deleted", "replace 0.00 → 7.00", replacing(kept, afterDeletion)],
    ["both objects if the old one is retained", "create 0.00 → 7.00, delete 5.00 → 5.00", replacing(kept)],
    ["both objects if the provider keeps the old one", "create 0.00 → 7.00, delete 5.00 → 5.00", replacing(keptByUs)],
    ["both objects if the new one is adopted", "delete 5.00 → 0.00, create 7.00 → 7.00", replacing({}, adopting)],
    ["a resource and its old object pending deletion", "delete 7.00 → 0.00, delete 5.00 → 0.00", gone, alsoGone],
    ["nothing that only the refresh shows", "same 5.00 → 7.00", step("refresh", "gone", change), same],
    ["the outputs, which an update in part has changed", "update 5.00 → 9.00", updating("9")],
    ["the outputs, if the inputs have none", "update 5.00 → 9.00", updating({})],
    ["no resource that is read", "", link("read", { after: "5" })],
    ["no resource that was read before", "", link("same", { ...change, state: { external: true } })],
    ["no step of a replacement", "", link("create-replacement", change)],
    ["no other step of it", "", link("delete-replaced", { before: "5" })],
    ["no schedule", "", step("create", "plan", { type: "RotationSchedule", after: {} })],
    ["no resource of another package", "", foreign],
  ])("counts %s", async (_what, rows, ...steps) => {
    const { resources, notes } = await json(steps);
    expect(resources.map(({ operation, before, after }) => `${operation} ${before} → ${after}`).join(", ")).toBe(rows);
    for (const { status, before, after, delta } of resources)
      expect([status, Number(delta)]).toEqual(["priced", Number(after) - Number(before)]);
    expect(notes.filter((note) => note.startsWith("warning"))).toEqual([]);
  });

  it("leaves out exactly the kinds without an API object", () => {
    expect([...LOCAL_TYPES].sort()).toEqual(localKinds.map(({ type }) => type).sort());
  });

  const NOT_OFFERED = "no quote offered for this kind of resource";
  const NO_QUOTE = "its value in the preview is not a quote";
  const quoteOf = (changes: object): Inputs => ({ cost: { ...costInput("5"), ...changes } });
  const long = quoteOf({ monthlyTotal: "9".repeat(200_000) });
  const waiting = "vpcId is not known yet";

  it.each<[what: string, status: string, reason: string, after: Inputs]>([
    ["its parent is not known yet", "unknown", waiting, { __unpriced: { status: "unknown", reason: waiting } }],
    ["no quote is offered", "notOffered", NOT_OFFERED, { __unpriced: { status: "notOffered" } }],
    ["nothing has quoted it", "unknown", "it was never quoted", {}],
    ["it is secret", "unknown", NO_QUOTE, { cost: "[secret]" }],
    ["it is in another currency", "unknown", "it is quoted in EUR", quoteOf({ currency: "EUR" })],
    ["it has an exponent", "unknown", NO_QUOTE, quoteOf({ monthlyTotal: "5e3" })],
    ["it has too many digits", "unknown", `${NO_QUOTE}: a number has more than 40 digits`, long],
  ])("says why there is no cost: %s", async (_case, status, reason, after) => {
    const { resources, ...report } = await json([link("create", { after }), step("create", "other", { after: "3" })]);
    const shown = resources.find(({ name }) => name === "link");
    expect(shown).toMatchObject({ status, reason, before: "0.00", after: null, delta: null });
    expect(report).toMatchObject({ before: "0.00", after: "3.00", atLeast: status === "unknown" });
  });

  it("marks a preview of some resources as partial", async () => {
    const state = { urn: urnOf("new"), custom: true, type: dynamicToken("ConnectConnection") };
    const skipped = { op: "same", urn: urnOf("new"), oldState: state, newState: state };
    const report = await json([skipped, link("create", { after: "5" })]);
    expect(report).toMatchObject({ partial: true, after: "5.00", resources: [{ name: "link" }] });
  });
});

describe("warnings beside the report", () => {
  it("warns of a quote that does not add up", async () => {
    const odd = link("create", { after: { cost: { ...costInput("5"), monthlyTotal: "6" } } });
    const warning =
      "warning: ConnectConnection link: the quote after does not add up: its dimensions come to $5.00/mo, its total is $6.00/mo";
    expect(await json([odd])).toMatchObject({ notes: [warning] });
    const { stdout, stderr } = await read(previewJson([odd]));
    expect([stdout, stderr]).toEqual([expect.stringContaining(`${warning}\n`), ""]);
  });

  it("says so if unchanged resources were left out", async () => {
    const changeSummary = { create: 1, same: 3 };
    const { stdout } = await read(previewJson([link("create", { after: "5" })], { changeSummary }));
    const missing = "3 unchanged resources are not in the totals";
    expect(stdout).toContain(`${missing}, because the preview was made without --show-sames`);
  });

  it("names adopted and retained objects", async () => {
    const adopted = step("create", "old", { after: { cost: costInput("5"), adopt: "x" } });
    const retained = step("delete", "let-go", { before: "7", state: { retainOnDelete: true } });
    const { stdout } = await read(previewJson([adopted, retained]));
    expect(stdout).toMatch(/^\+ +ConnectConnection old +\$5\.00 +\$5\.00 +\+\$0\.00$/m);
    expect(stdout).toMatch(/^- +ConnectConnection let-go +\$7\.00 +\$7\.00 +\+\$0\.00$/m);
    expect(stdout).toContain("adopted, so its present cost counts as before: ConnectConnection old\n");
    expect(stdout).toContain("kept at the API (retainOnDelete), so it still costs money: ConnectConnection let-go\n");
  });
});

it("names the projects of several stacks, and runs nothing", async () => {
  project.preview("");
  const { stdout } = await cost(
    previewFlags(
      project.folder,
      ["web", "net"].map((name) => previewJson([step("create", name, { after: "1", project: name })])),
    ),
  );
  expect(stdout.match(/^\S+\/dev$/gm)).toEqual(["web/dev", "net/dev"]);
  expect(stdout).toMatch(/^ +total +\$0\.00 +\$2\.00 +\+\$2\.00$/m);
  expect(project.hasRun).toBe(false);
});

it("refuses a preview file that does not name its stack", async () => {
  const { code, stderr } = await read(JSON.stringify({ duration: 5 }));
  expect(stderr).toMatch(/^error: the preview in .* does not name its stack.*--stack/);
  expect(code).toBe(1);
});

it("shows the commit of CI or of the repository in HTML", async () => {
  const page = (run: CliRun): Promise<CliResult> =>
    runCli(["cost", "--preview", "-", "--format", "html"], { stdin: ONE, ...run });
  const sandbox = new Sandbox();
  sandbox.script(join(sandbox.bin, "git"), '[ "$*" = "rev-parse --verify HEAD" ] && echo fedcba9876543210');
  const inCi = await page({ environment: { CI_COMMIT_SHA: "0123456789abcdef" } });
  const inRepository = await page({ cwd: sandbox.root, environment: { PATH: sandbox.bin } });
  sandbox.remove();
  const elsewhere = await page({ environment: { PATH: "/nowhere" } });
  expect(inCi.stdout).toContain("commit 0123456789ab");
  expect(inRepository.stdout).toContain("commit fedcba987654");
  expect([elsewhere.code, elsewhere.stdout]).toEqual([0, expect.not.stringContaining("commit")]);
});
