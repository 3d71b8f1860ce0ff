import { execFile } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../docs/support/markdown";
import { GithubStandIn } from "../support/github-stand-in";
import { succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let session: Session;
let github: GithubStandIn;

const link = (bandwidthMbps: number): string => program(declare("ConnectConnection", "link", { bandwidthMbps }));

beforeAll(async () => {
  github = await new GithubStandIn().start();
  session = await Session.start(link(50));
  succeeded(await session.up());
});
afterAll(async () => {
  await github.close();
});

/** Runs the command line in the stack's folder, as a workflow does. Not synchronous: the stand-ins answer from this process. */
function cloudinfra(...args: string[]): Promise<Ended> {
  const { folder, env } = session.stack;
  const options = { cwd: folder, env: { ...env, ...github.environment }, maxBuffer: 1 << 24 };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(ROOT, "bin", "cloudinfra.js"), ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe("a pull request through its life", () => {
  it("when a change makes the stack dearer, a comment says by how much, and the stack stays as it was", async () => {
    session.stack.write(link(200));
    const { code, stdout } = await cloudinfra("cost", "comment", "github", "--pr", "12");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^dev: comment created: https:\/\/\S+\n$/) as string,
    });
    expect(github.comments).toHaveLength(1);
    expect(github.comments[0]?.body).toMatch(
      /^<!-- pulumi-cloudinfra cost: test\/dev -->\n\n### Monthly cost of `dev`: \+\$234\.38, \+300% \(\$78\.13 → \$312\.50\)\n/,
    );
    expect(github.comments[0]?.body).toContain("| `+-` ConnectConnection `link` | $78.13 | $312.50 | +$234.38 |");
    expect((await session.api.held()).connections).toMatchObject([{ bandwidth_mbps: 50 }]);
  });

  it("when the next commit takes the change back, the same comment says so", async () => {
    session.stack.write(link(50));
    const { code, stdout } = await cloudinfra("cost", "comment", "github", "--pr", "12", "--min-change", "5");
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^dev: comment updated: /) as string });
    expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining("$78.13, unchanged")]);
  });

  it("when a limit is exceeded, it comments and ends with 5; neither output nor comment has a secret", async () => {
    session.stack.write(link(2000));
    const ended = await cloudinfra("cost", "comment", "github", "--pr", "12", "--fail-over-total", "1000");
    expect(ended.code).toBe(5);
    const everything = JSON.stringify([ended, github.comments]);
    expect(everything).toContain("$3,125.00");
    expect(everything).not.toContain(github.token);
    expect(everything).not.toContain(session.api.simulator.apiKey);
  });

  it("when the program's own budget is exceeded, the comment says which, by how much and by what", async () => {
    const budget = `new cloudinfra.CostSummary("cost", { budget: { monthlyTotal: "1000" } });`;
    session.stack.write(program(declare("ConnectConnection", "link", { bandwidthMbps: 2000 }), budget));
    const ended = await cloudinfra("cost", "comment", "github", "--pr", "12");
    expect(ended.code).toBe(5);
    const words =
      "the total would be $3,125.00/mo, $2,125.00/mo over the budget of $1,000.00/mo: +- ConnectConnection link $3,125.00/mo (CostSummary cost)";
    expect(ended.stderr).toContain(`over budget: dev: ${words}\n`);
    expect(github.comments[0]?.body.replaceAll("`", "")).toContain(`> - over budget: ${words}`);
  });

  it("when the program fails, nothing is commented, and Pulumi's exit code is handed on", async () => {
    session.stack.write("throw new Error('no')");
    const before = github.requests.length;
    const { code, stdout } = await cloudinfra("cost", "comment", "github", "--pr", "12");
    expect(code).not.toBe(0);
    expect(stdout).toBe("");
    expect(github.requests).toHaveLength(before);
  });
});

describe("the same report in the other forms", () => {
  it.each([
    [
      "markdown",
      /^<!-- pulumi-cloudinfra cost: test\/dev -->\n[^]*\| \*\*total\*\* \| \*\*\$78\.13\*\* \| \*\*\$312\.50\*\* \|/,
    ],
    [
      "html",
      /^<!doctype html>[^]*<title>Monthly cost of dev: \+\$234\.38, \+300% \(\$78\.13 → \$312\.50\)<\/title>[^]*<\/html>\n$/,
    ],
  ])("when it is asked for as %s, that is printed", async (format, text) => {
    session.stack.write(link(200));
    const { code, stdout } = await cloudinfra("cost", "--format", format);
    expect(code).toBe(0);
    expect(stdout).toMatch(text);
  });
});
