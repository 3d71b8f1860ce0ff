import { asSecret, UNKNOWN } from "../../src/engine/values";
import { ConfigService } from "../../src/native/config-service";
import { fillMessage, messages, recordOf, structOf } from "../../src/native/messages";
import type { Props } from "../support/mini-state";

const explicit = "urn:pulumi:dev::test::pulumi:providers:cloudinfra::mine";
const byDefault = "urn:pulumi:dev::test::pulumi:providers:cloudinfra::default_0_1_0";
const good = { apiKey: "key", baseUrl: "https://api.example.com" };

let rows: string[];
let service: ConfigService;
beforeEach(() => {
  rows = [];
  service = serviceIn({});
});

function serviceIn(environment: Readonly<Record<string, string>>): ConfigService {
  const line = (_urn: string, _severity: string, text: string): Promise<void> => Promise.resolve(void rows.push(text));
  return new ConfigService({ line, status: () => undefined }, environment);
}

async function check(urn: string, news: Record<string, unknown>): Promise<[inputs: unknown, failures: string[]]> {
  const answer = await service.check(fillMessage(new messages.CheckRequest(), { urn, news: structOf(news) }));
  const failures = answer.getFailuresList().map((each) => `${each.getProperty()}: ${each.getReason()}`);
  return [answer.getInputs()?.toJavaScript(), failures];
}

async function diff(olds: Props, news: Props, inputs: Props = {}): Promise<string[]> {
  const sent = { urn: explicit, olds: structOf(olds), oldInputs: structOf(inputs), news: structOf(news) };
  const request = fillMessage(new messages.DiffRequest(), sent);
  const { diffsList, changes, replacesList } = (await service.diff(request)).toObject();
  expect(changes).toBe(messages.DiffResponse.DiffChanges[diffsList.length > 0 ? "DIFF_SOME" : "DIFF_NONE"]);
  expect(replacesList).toEqual([]);
  return diffsList;
}

describe("the check of a provider's settings", () => {
  it("marks the key as secret, and is silent", async () => {
    expect(await check(explicit, good)).toEqual([{ ...good, apiKey: asSecret("key") }, []]);
    expect(await check(explicit, { baseUrl: good.baseUrl })).toEqual([{ baseUrl: good.baseUrl }, expect.anything()]);
    expect(rows).toEqual([]);
  });

  const named = (name: string): string => explicit.replace("mine", name);
  const reserved =
    /^: The provider "default.*" has a name that Pulumi gives to the provider .* Give it another name\.$/;

  it.each([
    ["default", { version: "0.1.0" }, [expect.stringMatching(reserved)]],
    ["default_0_1_0", {}, [expect.stringMatching(reserved)]],
    ["default", {}, []],
    ["default_0_1_0", { version: "0.1.0" }, []],
    ["default_https___example_com", { pluginDownloadURL: "https://example.com" }, []],
  ])("refuses the name %s of the stack's own provider for an explicit one with %j", async (name, more, failures) => {
    expect((await check(named(name), { ...good, ...more }))[1]).toEqual(failures);
  });

  it("refuses an empty value of an explicit provider", async () => {
    service = serviceIn({ CLOUDINFRA_API_KEY: "another", CLOUDINFRA_BASE_URL: good.baseUrl });
    expect((await check(explicit, { apiKey: "", baseUrl: " " }))[1]).toEqual([
      expect.stringMatching(
        /^: apiKey of the provider "mine" is empty\. .* leave it out: then CLOUDINFRA_API_KEY is used\.$/,
      ),
      expect.stringMatching(/^: baseUrl of the provider "mine" is empty\. /),
    ]);
    expect((await check(byDefault, { apiKey: "", baseUrl: " ", version: "0.1.0" }))[1]).toEqual([]);
  });

  const outputAsText = "eu-Calling __str__ on an Output[T] is not supported.\n\nTo get the value of an Output[T] …";
  const misspelled = { regoin: "x", version: "1.0.0", __internal: "{}" };

  it.each<[what: string, given: object, failures: RegExp[], urn?: string]>([
    [
      "a wrong property, without showing secrets",
      { baseUrl: "nonsense", requestTimeout: "soon" },
      [/^: .*base ?URL/i, /^requestTimeout: /],
    ],
    [
      "an insecure address, naming the explicit provider",
      { baseUrl: "http://api.example.com" },
      [
        /^: The base URL of the provider "mine" is http:\/\/ on api\.example\.com: anybody on the way could read the API key\. Use https:\/\/, or allow it with allowInsecure: "true" among the arguments of the provider "mine" or CLOUDINFRA_ALLOW_INSECURE=true\.$/,
      ],
    ],
    ["a list", { region: ["a"] }, [/^region: region must be one value, and is a list\.$/]],
    ["an object", { projectId: { id: "b" } }, [/^projectId: projectId must be one value, and is an object\.$/]],
    [
      "an Output converted to a string",
      { region: outputAsText },
      [
        /^region: region of the provider "mine" \(or CLOUDINFRA_REGION\) contains an Output, and not its value: write pulumi\.Output\.format\("…\{0\}…", output\), or output\.apply\(…\)\.$/,
      ],
    ],
    ["nothing about a boolean", { costQuotes: false }, []],
    ["nothing about a boolean as text", { costQuotes: "false" }, []],
    ["a number in place of a boolean", { costQuotes: 7 }, [/^costQuotes: .*7/]],
    ["nothing about an enumeration value in JSON", { preflight: '"warn"', dialect: '"nirvana"' }, []],
    ["a wrong enumeration value in JSON", { preflight: '"maybe"' }, [/^preflight: .* and is "maybe"\.$/]],
    ["an unknown name", misspelled, [/^: There is no setting "regoin"\. Did you mean region\?$/]],
    [
      "an unknown name of the default provider",
      misspelled,
      [/^: There is no setting cloudinfra:regoin\. Did you mean cloudinfra:region\? Set that with/],
      byDefault,
    ],
    ["a name that every object has", { constructor: "x" }, [/^: There is no setting "constructor"/]],
    [
      "a name unlike any setting, with a list",
      { zzzzzzzzzz: "x" },
      [/^: There is no setting "zzzzzzzzzz"\. The settings are apiKey, baseUrl, .*[a-z]\.$/],
    ],
  ])("reports %s", async (_case, given, failures, urn = explicit) => {
    const [, found] = await check(urn, { ...good, ...given });
    expect(found).toEqual(failures.map((text) => expect.stringMatching(text) as string));
    expect(rows).toEqual([]);
  });

  it.each([
    [{ ...good, region: UNKNOWN }, "region is not known"],
    [{ apiKey: UNKNOWN, baseUrl: UNKNOWN }, "apiKey and baseUrl are not known"],
  ])("only warns of unknown values in a preview: %j", async (news, words) => {
    expect((await check(explicit, news))[1]).toEqual([]);
    expect(rows).toEqual([expect.stringContaining(words)]);
  });
});

describe("the comparison of a provider's settings", () => {
  const elsewhere = "https://other.example.com";

  it("names the differences from the last run's inputs", async () => {
    expect(await diff(good, { ...good, region: "a" })).toEqual(["region"]);
    expect(await diff({ ...good, region: "b" }, { ...good, region: "a" }, { ...good, region: "a" })).toEqual([]);
  });

  it("warns of another base URL, without its password", async () => {
    await diff(good, { ...good, baseUrl: "https://me:hidden@other.example.com" });
    expect(rows).toEqual([
      expect.stringMatching(/changes from https:\/\/api\.example\.com.* to .*other\.example\.com/),
    ]);
    expect(rows.join()).not.toContain("hidden");
  });

  it("warns if the environment gives another base URL", async () => {
    service = serviceIn({ CLOUDINFRA_BASE_URL: elsewhere });
    await diff(good, { apiKey: "key" });
    expect(rows).toEqual([expect.stringContaining(elsewhere)]);
  });

  it.each([
    ["the same in another spelling", good, { ...good, baseUrl: "https://API.example.com/" }],
    ["not known yet", good, { ...good, baseUrl: UNKNOWN }],
    ["new", { apiKey: "key" }, good],
    ["gone", good, { apiKey: "key" }],
  ])("does not warn if the base URL is %s", async (_case, olds, news) => {
    await diff(olds, news);
    expect(rows).toEqual([]);
  });
});

it("hands settings and provider name to the run", async () => {
  const args = structOf({ ...good, apiKey: asSecret("key") });
  const request = fillMessage(new messages.ConfigureRequest(), { args, urn: explicit });
  expect(service.accept(request)).toBe(true);
  expect((await service.configure(request)).toObject()).toMatchObject({ acceptsecrets: true, supportspreview: true });
  expect(service.configured().provider).toBe("mine");
  expect(service.reference).toBe(`${explicit}::${UNKNOWN}`);
  expect(service.configured().read("apiKey")).toBe("key");
  request.setUrn(byDefault);
  service = serviceIn({});
  service.accept(request);
  expect(service.configured().provider).toBeUndefined();
  expect(recordOf(request.getArgs())).toMatchObject(good);
});

describe("in a plugin that somebody debugs", () => {
  const configure = (urn: string, settings: Props = good): boolean =>
    service.accept(fillMessage(new messages.ConfigureRequest(), { args: structOf(settings), urn }));
  const latest = byDefault.replace("0_1_0", "0_2_0");

  it("takes the settings of each run for those of the last update until the program runs", async () => {
    await check(byDefault, { ...good, version: "0.1.0" });
    configure(byDefault);
    expect(service.saved.areInUse).toBe(false);
    service.forget();
    expect(() => service.configured()).toThrow("This provider has no settings yet");
    configure(byDefault);
    expect(service.saved.areInUse).toBe(true);
  });

  it("gives components the version of the program, before and after another one", async () => {
    configure(byDefault);
    await check(latest, { ...good, version: "0.2.0" });
    expect(configure(latest)).toBe(true);
    expect(service.reference).toBe(`${latest}::${UNKNOWN}`);
    expect(configure(byDefault)).toBe(false);
    expect(service.reference).toBe(`${latest}::${UNKNOWN}`);
  });

  it("forgets the program's version with its run", async () => {
    await check(latest, { ...good, version: "0.2.0" });
    configure(latest);
    service.forget();
    expect([byDefault, latest].map((urn) => configure(urn))).toEqual([true, false]);
  });

  it("refuses other settings of the stack's own provider in the same run only", () => {
    configure(byDefault);
    service.forget();
    expect(configure(latest, { ...good, region: "a" })).toBe(true);
    expect(() => configure(byDefault)).toThrow("then run once without PULUMI_DEBUG_PROVIDERS.");
  });
});
