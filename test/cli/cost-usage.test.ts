import { tmpdir } from "node:os";
import { join } from "node:path";
import { withProgress } from "../../src/cli/cost/progress";
import { LOCAL_TYPES } from "../../src/cli/cost/preview-changes";
import { localKinds } from "../../src/resources/registry";
import { VirtualClock } from "../support/virtual-clock";
import { Sandbox } from "../tools/sandbox";
import { previewJson, step } from "./cost-previews";
import { outputSchema } from "./cost-schema";
import { PulumiProject, runCli, type CliResult } from "./support";
import { forEachTest } from "../support/suite";

const failure = (message: string): CliResult => ({ code: 1, stdout: "", stderr: `error: ${message}\n` });

describe("wrong usage", () => {
  it.each([
    [["dev"], "error: too many arguments for 'cost'"],
    [["--format", "xml"], "Allowed choices are table, markdown, json, html"],
    [["--fail-over-total", "much"], 'It must be an amount in dollars such as "250" or "99.50".'],
    [["--fail-over-increase", "-1"], 'It must be an amount in dollars such as "250" or "99.50".'],
    [["--fail-over-total", "1e3"], 'It must be an amount in dollars such as "250" or "99.50".'],
    [
      ["--preview", "-", "--stack", "dev"],
      "error: option '--preview <file>' cannot be used with option '-s, --stack <name>'",
    ],
    [["--preview", "-", "--destroy"], "cannot be used with option '--destroy'"],
    [["--preview", "-", "--requote"], "cannot be used with option '--requote'"],
    [["--preview", "-", "--target", "x"], "cannot be used with option '--target <urn>'"],
    [["--requote", "--destroy"], "cannot be used with option"],
    [["--preview", "-", "--", "--refresh"], "error: flags after -- go to pulumi, but --preview does not run pulumi"],
  ])("when given %j, it ends with 2 and says so", async (flags, message) => {
    const { code, stdout, stderr } = await runCli(["cost", ...flags]);

    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });

  it("when asked for help, it tells its exit codes", async () => {
    const { code, stdout } = await runCli(["cost", "--help"]);

    expect(code).toBe(0);
    expect(stdout).toContain(
      "0 fine, 1 error, 2 wrong usage, 5 over a budget or not as approved. If the preview fails: Pulumi's own code.",
    );
  });
});

describe("what can be missing", () => {
  const project = forEachTest(() => new PulumiProject());

  it("when there is no pulumi, it says so", async () => {
    const { code, stdout, stderr } = await runCli(["cost"], { environment: { PATH: "" }, cwd: project.folder });

    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^error: pulumi is not on PATH\. Install it, or give the output of a preview with --preview\.$/m,
    );
  });

  it("refuses other output of Pulumi, without showing it", async () => {
    project.preview("canary");

    const { code, stdout, stderr } = await runCli(["cost"], { environment: project.environment, cwd: project.folder });

    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("error: The output of pulumi is not JSON. A preview is what ");
    expect(stderr).not.toContain("canary");
  });

  it.each([
    ["canary", "Standard input is not JSON."],
    ["", "Standard input is not JSON."],
    ["null", "Standard input holds no preview."],
    ["[]", "Standard input holds no preview."],
    ['{"version": 3, "deployment": {"resources": []}}', "Standard input holds no preview."],
    ['{"steps": [{"op": "create"}], "changeSummary": {}}', "Standard input holds no preview."],
  ])("refuses standard input %j", async (stdin, message) => {
    expect(await runCli(["cost", "--preview", "-"], { stdin })).toEqual(
      failure(`${message} A preview is what \`pulumi preview --json --show-sames\` prints.`),
    );
  });

  it("when there is no such file, it says so", async () => {
    expect(await runCli(["cost", "--preview", "missing.json"], { cwd: tmpdir() })).toEqual(
      failure("missing.json cannot be read: there is no such file."),
    );
  });
});

describe("the kinds that cost something", () => {
  it("leaves out only kinds without an object", () => {
    expect([...LOCAL_TYPES].sort()).toEqual(localKinds.map(({ type }) => type).sort());
  });
});

describe("the published schema", () => {
  it("refuses a report with wrong, missing or additional members", async () => {
    const stdin = previewJson([step("create", "link", { after: "5" })]);
    const { stdout } = await runCli(["cost", "--preview", "-", "--format", "json"], { stdin });
    const report = JSON.parse(stdout) as Record<string, unknown>;

    expect(outputSchema.safeParse(report).success).toBe(true);
    const total = report["total"] as Record<string, unknown>;
    expect(outputSchema.safeParse([report, report]).success).toBe(false);
    expect(outputSchema.safeParse({ ...report, total: { ...total, before: 0 } }).success).toBe(false);
    expect(outputSchema.safeParse({ ...report, total: { ...total, delta: undefined } }).success).toBe(false);
    expect(outputSchema.safeParse({ ...report, stacks: undefined }).success).toBe(false);
    expect(outputSchema.safeParse({ ...report, more: "1" }).success).toBe(false);
  });
});

describe("the page", () => {
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

describe("colours", () => {
  const stdin = previewJson([
    step("update", "dearer", { before: "1", after: "2" }),
    step("update", "cheaper", { before: "5", after: "4" }),
    step("update", "equal", { before: "5", after: "5" }),
  ]);
  const table = async (run: object): Promise<string> =>
    (await runCli(["cost", "--preview", "-"], { stdin, ...run })).stdout;

  it("colours dearer red and cheaper green", async () => {
    const stdout = await table({ isTTY: true });

    expect(stdout).toContain("\u001b[31m+$1.00\u001b[39m");
    expect(stdout).toContain("\u001b[32m-$1.00\u001b[39m");
    expect(stdout.split("\u001b")).toHaveLength(5);
  });

  it.each([
    ["it is no terminal", { isTTY: false }],
    ["colours are declined", { isTTY: true, environment: { NO_COLOR: "1" } }],
  ])("when %s, there are none", async (_, run) => {
    expect(await table(run)).not.toContain("\u001b");
  });
});

describe("progress", () => {
  /** A clock on which the work is done after so many seconds of waiting for it. */
  class Waited extends VirtualClock {
    end: (made: string) => void = () => undefined;
    readonly work = new Promise<string>((resolve) => (this.end = resolve));

    constructor(private readonly seconds: number) {
      super();
    }

    override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
      await super.sleep(ms, signal);
      if (this.slept.length < this.seconds) return;
      this.end("made");
      await new Promise((_, reject) => signal?.addEventListener("abort", reject));
    }
  }
  const written = async (isTTY: boolean, environment = {}): Promise<string> => {
    const clock = new Waited(3);
    let text = "";
    if (!isTTY || "CI" in environment) clock.end("made");
    const stderr = { isTTY, write: (part: string) => (text += part) };
    expect(await withProgress("previewing…", { stderr, environment, clock }, () => clock.work)).toBe("made");
    return text;
  };

  it("counts the seconds in one line, then clears it", async () => {
    const clear = "\r\u001b[2K";
    expect(await written(true)).toBe([0, 1, 2].map((seconds) => `${clear}previewing… ${seconds}s`).join("") + clear);
  });

  it.each([
    ["no terminal", false, {}],
    ["a terminal of a CI run", true, { CI: "true" }],
  ])("on %s, prints one line at the start", async (_, isTTY, environment) => {
    expect(await written(isTTY, environment)).toBe("previewing…\n");
  });
});
