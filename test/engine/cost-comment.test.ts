import { GithubStandIn } from "../support/github-stand-in";
import { forSuite } from "../support/suite";
import { cloudinfra, type CommandResult } from "./support/command";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

const link = (bandwidthMbps: number): string => program(declare("ConnectConnection", "link", { bandwidthMbps }));

const github = forSuite(() => new GithubStandIn().start());
const session = forSuite(() => Session.startUp(link(50)));
beforeAll(() => session.stack.write(link(200)));

/** The stand-in answers from this process. */
const cost = (...args: string[]): Promise<CommandResult> =>
  cloudinfra(session, ["cost", ...args], { env: github.environment });

it("comments on a cost increase, and changes nothing", async () => {
  const { code, stdout, stderr } = await cost("comment", "github", "--pr", "12");
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^dev: comment created: https:\/\/\S+\n$/) as string,
  });
  expect(github.comments).toHaveLength(1);
  const { body = "" } = github.comments[0] ?? {};
  expect(body).toMatch(
    /^<!-- pulumi-cloudinfra cost: test\/dev -->\n\n### Monthly cost of `test\/dev`: \+\$234\.38, \+300% \(\$78\.13 → \$312\.50\)\n/,
  );
  expect(body).toContain("| `+-` ConnectConnection `link` | $78.13 | $312.50 | +$234.38 |");
  for (const secret of [github.token, session.api.simulator.apiKey])
    expect(stdout + stderr + body).not.toContain(secret);
  expect((await session.api.held()).connections).toMatchObject([{ bandwidth_mbps: 50 }]);
});

it("prints the same report as an HTML page", async () => {
  const { code, stdout } = await cost("--format", "html");
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^<!doctype html>[^]*<title>Monthly cost of test\/dev: \+\$234\.38, \+300% \(\$78\.13 → \$312\.50\)<\/title>[^]*<\/html>\n$/,
  );
});
