import { GithubStandIn } from "../support/github-stand-in";
import { forSuite } from "../support/suite";
import { cloudinfra, type CommandResult } from "./support/command";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

const link = (bandwidthMbps: number): string => program(declare("ConnectConnection", "link", { bandwidthMbps }));

const github = forSuite(() => new GithubStandIn().start());
const session = forSuite(() => Session.startUp(link(50)));

/** The stand-in answers from this process. */
const cost = (...args: string[]): Promise<CommandResult> =>
  cloudinfra(session, ["cost", ...args], { env: github.environment });

describe("a pull request through its life", () => {
  it("comments on a cost increase, and changes nothing", async () => {
    session.stack.write(link(200));
    const { code, stdout } = await cost("comment", "github", "--pr", "12");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^dev: comment created: https:\/\/\S+\n$/) as string,
    });
    expect(github.comments).toHaveLength(1);
    expect(github.comments[0]?.body).toMatch(
      /^<!-- pulumi-cloudinfra cost: test\/dev -->\n\n### Monthly cost of `test\/dev`: \+\$234\.38, \+300% \(\$78\.13 → \$312\.50\)\n/,
    );
    expect(github.comments[0]?.body).toContain("| `+-` ConnectConnection `link` | $78.13 | $312.50 | +$234.38 |");
    expect((await session.api.held()).connections).toMatchObject([{ bandwidth_mbps: 50 }]);
  });

  it("updates its comment if the change is taken back", async () => {
    session.stack.write(link(50));
    const { code, stdout } = await cost("comment", "github", "--pr", "12", "--min-change", "5");
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^dev: comment updated: /) as string });
    expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining("$78.13, unchanged")]);
  });

  it("exits with code 5 over a limit, without a secret", async () => {
    session.stack.write(link(2000));
    const ended = await cost("comment", "github", "--pr", "12", "--fail-over-total", "1000");
    expect(ended.code).toBe(5);
    const everything = JSON.stringify([ended, github.comments]);
    expect(everything).toContain("$3,125.00");
    expect(everything).not.toContain(github.token);
    expect(everything).not.toContain(session.api.simulator.apiKey);
  });

  it("comments on an exceeded budget of the program", async () => {
    const budget = `new cloudinfra.CostSummary("cost", { budget: { monthlyTotal: "1000" } });`;
    session.stack.write(program(declare("ConnectConnection", "link", { bandwidthMbps: 2000 }), budget));
    const ended = await cost("comment", "github", "--pr", "12");
    expect(ended.code).toBe(5);
    const words =
      "the total would be $3,125.00/mo, $2,125.00/mo over the budget of $1,000.00/mo: +- ConnectConnection link $3,125.00/mo (CostSummary cost)";
    expect(ended.stderr).toContain(`over budget: dev: ${words}\n`);
    expect(github.comments[0]?.body.replaceAll("`", "")).toContain(`> - over budget: ${words}`);
  });

  it("does not comment if the program fails", async () => {
    session.stack.write("throw new Error('no')");
    const before = github.requests.length;
    const { code, stdout } = await cost("comment", "github", "--pr", "12");
    expect(code).not.toBe(0);
    expect(stdout).toBe("");
    expect(github.requests).toHaveLength(before);
  });
});

it("prints the same report as an HTML page", async () => {
  session.stack.write(link(200));
  const { code, stdout } = await cost("--format", "html");
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^<!doctype html>[^]*<title>Monthly cost of test\/dev: \+\$234\.38, \+300% \(\$78\.13 → \$312\.50\)<\/title>[^]*<\/html>\n$/,
  );
});
