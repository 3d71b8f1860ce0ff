import { sent, startRun } from "../support/lifecycle";
import { argsOf, World } from "../support/world";

const world = World.forSuite();

/** What the check of a volume says, with the settings of an explicit provider. */
async function said(config: Readonly<Record<string, string>>, args: object): Promise<string> {
  const run = world.run(config, { provider: "eu" });
  const news = sent("Volume", "data", { ...argsOf("Volume", world.simulator), ...args });
  const { inputs, failures } = await run.of("Volume").check({}, news);
  const texts = [...failures.map(({ reason }) => reason), ...run.lines.map(({ text }) => text)];
  return [...texts, JSON.stringify(inputs)].join("\n");
}

describe("advice on a setting of an explicit provider names that provider", () => {
  it("for a default of an argument", async () => {
    expect(await said({ projectId: "" }, {})).toContain(
      'projectId: is required: give it, or set it with projectId: "<value>" among the arguments of the provider "eu" or ' +
        "CLOUDINFRA_PROJECT_ID=<value>",
    );
  });

  it("for quotes that are switched off", async () => {
    expect(await said({ costQuotes: "false" }, {})).toContain('switched off (costQuotes of the provider \\"eu\\")');
  });

  it("for the address, also if nobody has checked the configuration", () => {
    const { run } = startRun({ baseUrl: "http://api.example.com" }, undefined, { provider: "eu" });
    expect(() => run.api).toThrow('allow it with allowInsecure: "true" among the arguments of the provider "eu" or');
  });
});
