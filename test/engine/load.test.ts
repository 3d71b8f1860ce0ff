import { PluginMemory } from "../../tools/pulumi/plugin-memory.cjs";
import { succeeded } from "./support/output";
import { basicsOf, program } from "./support/programs";
import { Session } from "./support/session";
import { forSuite } from "../support/suite";

const COUNT = 60;
const PER_SECOND = 10;

describe(`when the API takes ${PER_SECOND} requests a second, and ${COUNT} rules are created at once`, () => {
  const session = forSuite(() =>
    Session.start(
      program(`for (let i = 0; i < ${COUNT}; i += 1)
        new cloudinfra.FirewallRule("rule-" + i, { ...${JSON.stringify(basicsOf("FirewallRule"))}, destinationPorts: [String(1000 + i)] });`),
      { simulator: { rateLimit: PER_SECOND, operationTime: "100ms" } },
    ),
  );
  let output: string;
  let answers: Readonly<Record<string, number>>;
  let peakBytes: number | undefined;

  beforeAll(async () => {
    const memory = new PluginMemory(() => session.stack.child?.pid);
    output = succeeded(await session.up(["--parallel", String(COUNT)]));
    memory.stop();
    peakBytes = memory.peakBytes;
    answers = await session.api.answers();
  });

  it("creates all rules under a rate limit", async () => {
    expect(session.kept()).toHaveLength(COUNT);
    await session.expectAgreement();
  });

  it("rejects fewer than a tenth of the requests", () => {
    const all = Object.values(answers).reduce((sum, count) => sum + count, 0);
    const refused = Object.entries(answers).filter(([answer]) => answer.endsWith(" 429"));
    const count = refused.reduce((sum, [, each]) => sum + each, 0);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(all / 10);
  });

  it("repeats no request that has succeeded", () => {
    expect(answers).toMatchObject({ "quote 200": 1, "POST 202": COUNT });
    expect(answers["GET 200"]).toBeLessThanOrEqual(COUNT); // rules that become ready at the same moment share a list
    expect((answers["poll 200"] ?? 0) + (answers["poll 429"] ?? 0)).toBeLessThan(COUNT);
  });

  it("warns of the limit once, under the stack", () => {
    const [, diagnostics = ""] = output.split(/^Diagnostics:$/m);
    expect(diagnostics.match(/The API limits the rate of requests/g)).toHaveLength(1);
    expect(output.split("\n").filter((line) => /rule-\d+.*limits the rate/.test(line))).toEqual([]);
  });

  it("takes less than 250 MB of memory", () => {
    if (process.platform === "linux") expect(peakBytes).toBeGreaterThan(0);
    expect(peakBytes ?? 0).toBeLessThan(250e6);
  });
});
