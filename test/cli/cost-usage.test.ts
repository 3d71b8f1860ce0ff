import { join } from "node:path";
import { LOCAL_TYPES } from "../../src/cli/cost/preview-changes";
import { localKinds } from "../../src/resources/registry";
import { Sandbox } from "../tools/sandbox";
import { previewJson, step } from "./cost-previews";
import { PulumiProject, runCli, type CliResult } from "./support";
import { forEachTest } from "../support/suite";

describe("missing parts", () => {
  const project = forEachTest(() => new PulumiProject());

  it("cost says that pulumi is not on PATH", async () => {
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
});

describe("the kinds that cost something", () => {
  it("leaves out only kinds without an object", () => {
    expect([...LOCAL_TYPES].sort()).toEqual(localKinds.map(({ type }) => type).sort());
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
