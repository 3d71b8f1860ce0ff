import { saidOf } from "../../support/output";
import { declare } from "../../support/programs";
import { preview, says, type Scenario } from "../scenario";

const containsOutput = "contains an Output, and not its value: write";

const nothingGiven = 'getVpc was given nothing. It takes either "id", or "name" with or without "projectId".';

/** Arguments that no API needs to judge. */
export const wrongArguments: Scenario = {
  title: "arguments that are wrong",
  steps: [
    {
      when: "arguments are misspelt at every depth",
      program: [declare("Vm", "web", { bootVolume: { size: 64, encrypted: true }, tag: [], constructor: 1 })],
      run: preview,
      fails: true,
      shows: (played) => {
        says(
          "web",
          /bootVolume\.encrypted: is no argument of Vm\. bootVolume takes size, type, tags\./,
          /tag: is no argument of Vm\. Did you mean tags\?/,
          /constructor: is no argument of Vm\. It takes projectId, /,
        )(played);
        expect(played.requests).toEqual([]);
      },
    },
    {
      when: "several arguments are wrong",
      program: [
        declare("ConnectConnection", "link", {
          ...{ bandwidthMbps: 100, cidrs: ["10.0.0.1/25"], providerCidrs: [] },
          externalProvider: { accountId: "12345", region: "us-west-2" },
          tags: Array.from({ length: 51 }, (_, index) => `t${index}`),
        }),
      ],
      run: preview,
      fails: true,
      shows: (played) => {
        says(
          "link",
          /bandwidthMbps: must be one of 50, 200, 500, 1000, 2000/,
          /cidrs\[0\]: must be network-aligned and in canonical form \(is .*\): write 10\.0\.0\.0\/25/,
          /providerCidrs: must have at least 1 item/,
          /externalProvider\.accountId: must have exactly 12 characters \(has 5: /,
          /tags: must have at most 50 items \(has 51\)/,
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
      shows: says(
        "data",
        new RegExp(`name: ${containsOutput} pulumi\\.interpolate\`…\\$\\{output\\}…\`, or output\\.apply`),
        new RegExp(`tags\\[0\\]: ${containsOutput} pulumi\\.jsonStringify\\(…\\), or output\\.apply`),
        new RegExp(`adopt: ${containsOutput} pulumi\\.interpolate`),
      ),
    },
    {
      when: "the id to adopt is empty",
      program: [declare("Volume", "data", { adopt: "" })],
      run: preview,
      fails: true,
      shows: (played) => {
        says("data", /adopt: must be an id, and is ""\. Give the id of the object, or remove "adopt"/)(played);
        expect(played.requests).toEqual([]);
      },
    },
    {
      when: "the id to read turns out to be empty",
      program: [`cloudinfra.Vpc.get("net", pulumi.output(""));`],
      run: preview,
      fails: true,
      shows: (played) => {
        expect(saidOf(played.output, "test-dev")).toMatch(
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
        expect(saidOf(played.output, "test-dev")).toContain(nothingGiven);
        expect(played.output).not.toContain("PromiseRejectionHandledWarning");
        expect(played.requests).toEqual([]);
      },
      differs: {
        why: "For the first-class provider, Pulumi's SDK calls the function, and says which one it was.",
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
