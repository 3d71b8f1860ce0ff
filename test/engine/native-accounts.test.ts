import { cloudinfra } from "./support/command";
import { counts, failed, succeeded } from "./support/output";
import { inDays, basicsOf } from "./support/programs";
import { Session } from "./support/session";
import { SimulatedApi } from "./support/simulated-api";
import { describeYaml, yaml, type YamlResource } from "./support/yaml";
import { forSuite } from "../support/suite";

const others: SimulatedApi[] = [];
afterAll(async () => {
  for (const api of others) await api.close();
});

const provider = (properties: Readonly<Record<string, unknown>>): YamlResource => ({
  type: "pulumi:providers:cloudinfra",
  properties,
});
const volume = (size: number, options?: object): YamlResource => yaml("Volume", basicsOf("Volume", { size }), options);

describeYaml("a program with two accounts", () => {
  const eu = forSuite(() => SimulatedApi.start({ apiKey: "the-key-of-the-other-account" }));
  let resources: Record<string, YamlResource>;
  const session = forSuite(() => {
    const { url, apiKey } = eu.simulator;
    resources = {
      eu: provider({ apiKey, baseUrl: url, requestTimeout: "20s", costQuotes: true }),
      here: volume(10),
      there: volume(20, { provider: "${eu}" }),
    };
    return Session.start({ resources });
  });

  it("creates each resource in its own account", async () => {
    const preview = succeeded(await session.stack.preview());
    expect(preview).toContain("here create +$1.00/mo");
    expect(preview).toContain("there create +$2.00/mo");
    succeeded(await session.up());
    expect(await session.api.heldIds()).toEqual([session.one("here").id]);
    expect(await eu.heldIds()).toEqual([session.one("there").id]);
    const { stdout: text } = await session.stack.pulumi(["stack", "export"]);
    expect(text).toContain("pulumi:providers:cloudinfra");
    expect(text).not.toContain(eu.simulator.apiKey);
  });

  it("checks the permissions of each key", async () => {
    const { code, stdout } = await cloudinfra(session, ["permissions", "--check"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^permission +key +needed by\nvolume:edit +has it +Volume here\n.*\nIt reaches .*\n\nThe key of the provider eu:\n.*\nvolume:edit +has it +Volume there\n/,
    );
  });

  it("keeps the accounts separate in later runs", async () => {
    const here = session.one("here").id;
    for (const size of [11, 12, 13]) {
      resources = { ...resources, here: volume(size) };
      session.stack.write({ resources });
      const output = succeeded(await session.up());
      expect(output).not.toMatch(/An earlier run|No update since|looks for its object/);
    }
    expect(session.one("here").id).toBe(here);
    expect(counts(succeeded(await session.refresh()))).toEqual(["4 unchanged"]);
    const { result, requests } = await eu.during(() => session.stack.preview());
    expect(counts(succeeded(result))).toEqual(["4 unchanged"]);
    expect(requests).toEqual([]);
  });

  it.each([
    ["changes nothing else", {}],
    ["replaces it", { type: "nvme" }],
  ])("refuses another account for an object if the program %s", async (_title, more) => {
    const moved = yaml("Volume", basicsOf("Volume", { size: 13, ...more }), { provider: "${eu}" });
    session.stack.write({ resources: { ...resources, here: moved } });
    const { id } = session.one("here");
    for (const run of [session.stack.preview(), session.up()])
      expect(failed(await run)).toContain(
        `The program now gives this resource the provider "eu". The API does not show volume ${id} to it`,
      );
    session.stack.write({ resources });
    expect(counts(succeeded(await session.up()))).toEqual(["4 unchanged"]);
  });

  it("counts both accounts in a cost summary", async () => {
    const summary = yaml("CostSummary", { resources: ["${here.urn}", "${there.urn}"] });
    resources = { ...resources, sum: summary };
    session.stack.write({ resources });
    succeeded(await session.up());
    expect(session.one("sum").outputs).toMatchObject({ before: "3.30", after: "3.30", atLeast: false });
    session.stack.write({ resources: { ...resources, there: volume(40, { provider: "${eu}" }) } });
    const preview = succeeded(await session.stack.preview());
    expect(preview).toMatch(/total +\$3\.30 +\$5\.30 +\+\$2\.00/);
    expect(preview).toMatch(/of 2 providers together, which may be different\s+accounts: default, eu/);
    const { stdout } = await cloudinfra(session, ["cost", "--format", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({ stacks: [{ before: "3.30", after: "5.30", atLeast: false }] });
    session.stack.write({ resources });
  });

  it("leaves nothing in either account after a destroy", async () => {
    succeeded(await session.destroy());
    expect([...(await session.api.heldIds()), ...(await eu.heldIds())]).toEqual([]);
  });
});

describeYaml("the settings of an explicit provider", () => {
  // The engine gives its own providers names such as default_1_2_3.
  it("does not replace explicit settings of default_eu by the environment's key", async () => {
    const there = volume(20, { provider: "${default_eu}" });
    const session = await Session.start({ resources: { default_eu: provider({ apiKey: "refused" }), there } });
    expect(failed(await session.stack.preview())).toContain('the provider "default_eu"');
    expect(await session.api.answers()).not.toHaveProperty("quote 200");
  });

  it("takes settings from a resource that does not exist yet", async () => {
    const resources = {
      key: yaml("ApiKey", { permissions: [{ resourceType: "volume", permission: "edit" }], expiresAt: inDays(30) }),
      later: provider({ apiKey: "${key.key}" }),
      data: volume(20, { provider: "${later}" }),
      sum: yaml("CostSummary", { resources: ["${data.urn}"] }),
    };
    const session = await Session.start({ resources });
    const output = succeeded(await session.stack.preview());
    expect(output).toContain("apiKey is not known before the update. So this preview does not check the resources");
    expect(output).toContain("cost unknown: Volume data: its provider's key is not known yet");
    succeeded(await session.up());
    await session.expectAgreement();
    expect(session.kept()).toHaveLength(3);
    expect(session.one("sum").outputs).toMatchObject({ after: "2.00", atLeast: false });
    succeeded(await session.destroy());
    expect(await session.api.heldIds()).toEqual([]);
  });
});
