import { configurationFaults, type ConfigEntry } from "../../src/settings/config-faults";

const faultsOf = (entries: readonly ConfigEntry[], project?: string): readonly string[] =>
  configurationFaults(entries, project).map(({ severity, reason }) => `${severity}: ${reason}`);
const faults = (keys: readonly string[], project?: string): readonly string[] =>
  faultsOf(
    keys.map((key) => ({ key, isSecret: true })),
    project,
  );

describe("the faults of a configuration", () => {
  it("finds no fault in complete settings", () => {
    expect(faults(["cloudinfra:apiKey", "cloudinfra:requestTimeout", "aws:region", "my-infra:apikey"])).toEqual([]);
  });

  it("says how to encrypt a plain API key", () => {
    expect(faultsOf([{ key: "cloudinfra:apiKey", isSecret: false }])).toEqual([
      "warning: The API key is in plain text in the stack's configuration. Encrypt it with \"pulumi config set --secret " +
        'cloudinfra:apiKey", which asks for it. If others could read the file, make a new key and delete this one.',
    ]);
  });

  it.each([
    ["apikey", "apiKey", '"pulumi config set --secret cloudinfra:apiKey"'],
    ["baseURL", "baseUrl", '"pulumi config set cloudinfra:baseUrl <value>"'],
    ["project_id", "projectId", '"pulumi config set cloudinfra:projectId <value>"'],
    ["regoin", "region", '"pulumi config set cloudinfra:region <value>"'],
  ])("refuses %s, and names %s with both commands", (name, meant, command) => {
    expect(faults([`cloudinfra:${name}`])).toEqual([
      `failure: There is no setting cloudinfra:${name}. Did you mean cloudinfra:${meant}? Set that with ${command}, ` +
        `and remove this one with "pulumi config rm cloudinfra:${name}".`,
    ]);
  });

  it.each(["timeout", "constructor", "toString", "__proto__"])("refuses %s, and lists the settings", (name) => {
    expect(faults([`cloudinfra:${name}`])).toEqual([
      expect.stringMatching(
        /^failure: There is no setting .*apiKey, baseUrl, .* Remove this one with "pulumi config rm /,
      ),
    ]);
  });

  it("only warns of misspelled keys in a project called cloudinfra", () => {
    expect(faults(["cloudinfra:timeout", "cloudinfra:regoin"], "cloudinfra")).toEqual([]);
    expect(faults(["cloudinfra:baseURL"], "cloudinfra")).toEqual([expect.stringMatching(/^warning: .*baseUrl\?/)]);
  });
});
