import { diagnosticsOf } from "../../support/output";
import { declare } from "../../support/programs";
import { preview, expectDiagnostics, type Scenario } from "../scenario";

const containsOutput = "contains an Output, and not its value: write";

const nothingGiven = 'getVpc was given nothing. It takes either "id", or "name" with or without "projectId".';

/** Arguments that are wrong without asking the API. */
export const wrongArguments: Scenario = {
  title: "arguments that are wrong",
  steps: [
    {
      when: "arguments are misspelled at every depth",
      program: [declare("Vm", "web", { bootVolume: { size: 64, encrypted: true }, tag: [], constructor: 1 })],
      run: preview,
      fails: true,
      shows: (played) => {
        expectDiagnostics(
          "web",
          /bootVolume\.encrypted: is no argument of Vm\. bootVolume takes size, type, tags\./,
          /tag: is no argument of Vm\. Did you mean tags\?/,
          /constructor: is no argument of Vm\. It takes projectId, /,
        )(played);
        expect(played.requests).toEqual([]);
      },
    },
    {
      when: "a name and an id are texts made of Outputs",
      program: [
        'const id = pulumi.output("an-id");',
        "const text = `x-${id}`;",
        "const tags = [JSON.stringify({ id })];",
        'new cloudinfra.Volume("data", { size: 10, type: "abs", name: text, tags, adopt: text });',
      ],
      run: preview,
      fails: true,
      shows: expectDiagnostics(
        "data",
        new RegExp(`name: ${containsOutput} pulumi\\.interpolate\`…\\$\\{output\\}…\`, or output\\.apply`),
        new RegExp(`tags\\[0\\]: ${containsOutput} pulumi\\.jsonStringify\\(…\\), or output\\.apply`),
        new RegExp(`adopt: ${containsOutput} pulumi\\.interpolate`),
      ),
    },
    {
      when: "the id to read turns out to be empty",
      program: [`cloudinfra.Vpc.get("net", pulumi.output(""));`],
      run: preview,
      fails: true,
      shows: (played) => {
        expect(diagnosticsOf(played.output, "test-dev")).toMatch(
          /^error: Vpc\.get\("net"\) was given no id\. Give the id of the VPC/,
        );
        expect(played.output).not.toContain("PromiseRejectionHandledWarning");
        expect(played.requests).toEqual([]);
      },
    },
    {
      when: "a lookup is refused, and its promise is exported",
      program: ["exports.net = cloudinfra.getVpc({});"],
      run: preview,
      fails: true,
      shows: (played) => {
        expect(diagnosticsOf(played.output, "test-dev")).toContain(nothingGiven);
        expect(played.output).not.toContain("PromiseRejectionHandledWarning");
        expect(played.requests).toEqual([]);
      },
      differs: {
        reason: "For the first-class provider, Pulumi's SDK calls the function, and says which one it was.",
        lines: {
          screen: {
            dynamic: [`test-dev: error: ${nothingGiven}`],
            native: [`test-dev: error: invocation of getVpc returned an error: ${nothingGiven}`],
          },
        },
      },
    },
  ],
};
