import { diagnosticsOf } from "../../support/output";
import { declare } from "../../support/programs";
import { failedFunction, preview, expectDiagnostics, type Scenario } from "../scenario";

const containsOutput = "contains an Output, and not its value: write";

const nothingGiven = 'getVpc was given nothing. It takes either "id", or "name" with or without "projectId".';

/** Arguments that are wrong without asking the API. */
export const wrongArguments: Scenario = {
  title: "wrong arguments",
  steps: [
    {
      title: "names misspelled arguments at every depth",
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
      title: "refuses names and ids that contain an Output",
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
      title: "a get with an empty id sends no request",
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
      title: "reports a refused lookup whose promise is exported",
      program: ["exports.net = cloudinfra.getVpc({});"],
      run: preview,
      fails: true,
      shows: (played) => {
        expect(diagnosticsOf(played.output, "test-dev")).toContain(nothingGiven);
        expect(played.output).not.toContain("PromiseRejectionHandledWarning");
        expect(played.requests).toEqual([]);
      },
      differs: failedFunction("getVpc", nothingGiven),
    },
  ],
};
