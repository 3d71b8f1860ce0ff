import { join } from "node:path";
import { LOCAL_TYPES } from "../../src/cli/cost/preview-report";
import { localKinds } from "../../src/resources/registry";
import { Sandbox } from "../tools/sandbox";
import { previewJson, step } from "./cost-previews";
import { runCli, type CliResult } from "./support";

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
