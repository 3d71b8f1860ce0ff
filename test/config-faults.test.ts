import { configurationFaults } from "../src/config-faults";

const faults = (keys: readonly string[], project?: string): readonly string[] =>
  configurationFaults(
    keys.map((key) => ({ key, isSecret: true })),
    project,
  );

describe("the faults of a configuration", () => {
  it("when every key exists, and the API key is a secret, there are none", () => {
    expect(faults(["cloudinfra:apiKey", "cloudinfra:requestTimeout", "aws:region", "my-infra:apikey"])).toEqual([]);
  });

  it("when the API key is no secret, it says how to encrypt it", () => {
    expect(configurationFaults([{ key: "cloudinfra:apiKey", isSecret: false }])).toEqual([
      "The API key is in plain text in the stack's configuration. Encrypt it with \"pulumi config set --secret " +
        'cloudinfra:apiKey", which asks for it. If others could read the file, make a new key and delete this one.',
    ]);
  });

  it.each([
    ["apikey", 'spelled cloudinfra:apiKey. Set it with "pulumi config set --secret cloudinfra:apiKey", '],
    ["baseURL", 'spelled cloudinfra:baseUrl. Set it with "pulumi config set cloudinfra:baseUrl <value>", '],
    ["project_id", 'spelled cloudinfra:projectId. Set it with "pulumi config set cloudinfra:projectId <value>", '],
  ])("when a key is spelled %s, it names the right one and both commands", (name, words) => {
    expect(faults([`cloudinfra:${name}`])).toEqual([
      `cloudinfra:${name} is ignored: the key is ${words}and remove the other with "pulumi config rm cloudinfra:${name}".`,
    ]);
  });

  it("when there is no such setting, it names the nearest or lists those there are, unless the project itself has this name", () => {
    expect(faults(["cloudinfra:timeout"])).toEqual([
      expect.stringMatching(
        /^cloudinfra:timeout is ignored: there is no such setting\. .*apiKey, baseUrl, .*config rm cloudinfra:timeout"\.$/,
      ),
    ]);
    expect(faults(["cloudinfra:regoin"])).toEqual([
      'cloudinfra:regoin is ignored: there is no such setting. Did you mean cloudinfra:region? Remove it with "pulumi config rm cloudinfra:regoin".',
    ]);
    expect(faults(["cloudinfra:timeout"], "cloudinfra")).toEqual([]);
  });
});
