import { CONFIG_KEYS, environmentName, readSettings } from "../../src/settings/config";

const complete = { apiKey: "from-config", baseUrl: "http://127.0.0.1:1/prefix" };
const reader = (values: Readonly<Record<string, string>>) => (key: string) => values[key];

describe("the settings", () => {
  it("needs only a key and a base URL", () => {
    expect(readSettings(reader(complete), {})).toEqual({
      credential: {
        apiKey: "from-config",
        source: "the stack's configuration (cloudinfra:apiKey)",
        remedy: "Put a valid key there.",
      },
      baseUrl: "http://127.0.0.1:1/prefix",
      projectId: undefined,
      region: undefined,
      dialect: "spec",
      costQuotes: true,
      preflight: "fail",
      adoptOwn: false,
      permissions: "warn",
      allowInsecure: false,
      requestTimeoutMs: 30_000,
      operationTimeoutMs: 600_000,
      empty: [],
      misspelledVariables: [],
    });
  });

  it("uses the environment only for missing settings", () => {
    const environment = { CLOUDINFRA_REGION: "env-region", CLOUDINFRA_PROJECT_ID: "env-project" };
    const settings = readSettings(reader({ ...complete, region: "config-region", projectId: " " }), environment);
    expect(settings).toMatchObject({ region: "config-region", projectId: "env-project" });
  });

  it.each([
    ["from-environment", true],
    ["from-config", false],
  ])("names the environment's key %s only in the advice on a refused key: %s", (key, isNamed) => {
    const { credential } = readSettings(reader(complete), { CLOUDINFRA_API_KEY: key });
    expect(credential).toMatchObject({ apiKey: "from-config" });
    expect(credential.remedy?.includes("CLOUDINFRA_API_KEY has another key")).toBe(isNamed);
  });

  it("takes the dialect nirvana for the public host", () => {
    const baseUrl = "https://api.nirvanalabs.io";
    expect(readSettings(reader({ ...complete, baseUrl }), {}).dialect).toBe("nirvana");
    expect(readSettings(reader({ ...complete, baseUrl, dialect: "spec" }), {}).dialect).toBe("spec");
  });

  it.each<[string, keyof typeof complete, RegExp]>([
    ["credential", "baseUrl", /pulumi config set --secret cloudinfra:apiKey".*CLOUDINFRA_API_KEY=/],
    ["base URL", "apiKey", /pulumi config set cloudinfra:baseUrl .*CLOUDINFRA_BASE_URL=.*cloudinfra simulator/],
  ])("says how to set a missing %s", (_setting, given, ways) => {
    expect(() => readSettings(reader({ [given]: complete[given] }), {})).toThrow(ways);
  });

  it("names every mistake at once", () => {
    const wrong = reader({ baseUrl: "ftp://host", preflight: "maybe", requestTimeout: "soon", costQuotes: "no" });
    const keys = /^No API key .*\n.*:baseUrl .*\n.*:costQuotes .*\n.*:preflight .*\n.*:requestTimeout .*$/;
    expect(() => readSettings(wrong, {})).toThrow(keys);
    const withBearer = reader({ ...complete, apiKey: "Bearer canary", requestTimeout: "soon" });
    const keyFirst =
      /^The API key from the stack's configuration .* begins with "Bearer"\. Leave out "Bearer": .*\n.*:requestTimeout .*$/;
    expect(() => readSettings(withBearer, {})).toThrow(keyFirst);
    const open = reader({ baseUrl: "http://api.example.com" });
    expect(() => readSettings(open, {})).toThrow(/^No API key .*\nThe base URL is http:\/\/ on api\.example\.com/);
  });

  it("remembers which settings are empty", () => {
    expect(readSettings(reader({ ...complete, region: "" }), {})).toMatchObject({
      region: undefined,
      empty: ["region"],
    });
  });

  it("hides the password in a base URL", () => {
    expect(messageOf(() => readSettings(reader({ ...complete, baseUrl: "ftp://me:canary@host" }), {}))).toMatch(
      /example\.com"\.$/,
    );
  });

  it.each([
    [
      "baseUrl",
      "ftp://host",
      /baseUrl \(or CLOUDINFRA_BASE_URL\) must be an http or https URL, and is "ftp:.* CLOUDINFRA_BASE_URL=https:\/\/host\.$/,
    ],
    [
      "baseUrl",
      "localhost:80",
      /, and is "localhost:80"\. Set it with "pulumi config set cloudinfra:baseUrl http:\/\/localhost:80"/,
    ],
    ["baseUrl", "api.example.com/v2", /config set cloudinfra:baseUrl https:\/\/api\.example\.com\/v2"/],
    ["baseUrl", "api.example.com?a#b", /config set cloudinfra:baseUrl https:\/\/api\.example\.com"/],
    ["baseUrl", "no host", /must be an http or https URL such as "https:\/\/api\.example\.com"\.$/],
    ["dialect", "other", /must be "spec" or "nirvana"/],
    ["preflight", "warning", /must be "strict", "fail", "warn" or "off", and is "warning"/],
    ["costQuotes", "yes", /must be "true" or "false"/],
    [
      "requestTimeout",
      "30",
      /is "30", a number without a unit\. Write "30s" .*pulumi config set cloudinfra:requestTimeout 30s/,
    ],
    ["requestTimeout", "25d", /CLOUDINFRA_REQUEST_TIMEOUT\) must be a duration .* at most 24d, and is "25d"/],
    ["operationTimeout", "25 days", /at most 24d/],
    ["requestTimeout", "soon", /CLOUDINFRA_REQUEST_TIMEOUT\) must be a duration such as "30s"/],
    ["operationTimeout", "0s", /must be a duration/],
    ["operationTimeout", "-1m", /must be a duration/],
  ])("refuses the %s %j", (key, value, message) => {
    expect(() => readSettings(reader({ ...complete, [key]: value }), {})).toThrow(message);
  });
});

describe("a misspelled variable", () => {
  it("names the right variable for a misspelled one", () => {
    const environment = { CLOUDINFRA_APIKEY: "canary" };
    expect(() => readSettings(reader({ baseUrl: complete.baseUrl }), environment)).toThrow(
      "No setting has the name CLOUDINFRA_APIKEY. Did you mean CLOUDINFRA_API_KEY?",
    );
  });

  it.each([
    ["the right variable without a value", { CLOUDINFRA_API_KEY: " " }],
    ["a variable of something else", { OTHERCLOUD_API_KEY: "theirs" }],
    ["another variable", { CLOUDINFRA_REGION: "us-sva-2" }],
  ])("does not take %s for a misspelled variable", (_case, environment) => {
    const message = messageOf(() => readSettings(reader({ baseUrl: complete.baseUrl }), environment));
    expect(message).toMatch(/^No API key is configured/);
    expect(message).not.toContain("No setting");
  });

  it.each<[variable: string, config: object, found: readonly string[]]>([
    ["CLOUDINFRA_REGIN", {}, ["No setting has the name CLOUDINFRA_REGIN. Did you mean CLOUDINFRA_REGION?"]],
    ["CLOUDINFRA_PROJECTID", {}, ["No setting has the name CLOUDINFRA_PROJECTID. Did you mean CLOUDINFRA_PROJECT_ID?"]],
    ["CLOUDINFRA_REGIN", { region: "us-sva-2" }, []],
    ["CLOUDINFRA_DEBUG", {}, []],
    ["CLOUDINFRA_REQUOTE", {}, []],
    ["CLOUDINFRA_RUN_NOTES", {}, []],
  ])("reports misspelled variables: %s besides %j", (variable, config, misspelledVariables) => {
    expect(readSettings(reader({ ...complete, ...config }), { [variable]: "x" })).toMatchObject({
      misspelledVariables,
    });
  });

  it.each([
    [{ apiKey: "" }, {}, "cloudinfra:apiKey is empty"],
    [{}, { CLOUDINFRA_API_KEY: " " }, "CLOUDINFRA_API_KEY is empty"],
    [{ apiKey: "" }, { CLOUDINFRA_API_KEY: "" }, "cloudinfra:apiKey and CLOUDINFRA_API_KEY are empty"],
  ])("reports an empty key for %j and %j", (config, environment, reason) => {
    const message = messageOf(() => readSettings(reader({ baseUrl: complete.baseUrl, ...config }), environment));
    expect(message).toContain(`No API key is configured: ${reason}. Set it `);
  });
});

function messageOf(call: () => unknown): string {
  try {
    call();
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

it("names an environment variable for every setting", () => {
  expect(CONFIG_KEYS.map(environmentName)).toEqual([
    "CLOUDINFRA_API_KEY",
    "CLOUDINFRA_BASE_URL",
    "CLOUDINFRA_PROJECT_ID",
    "CLOUDINFRA_REGION",
    "CLOUDINFRA_DIALECT",
    "CLOUDINFRA_COST_QUOTES",
    "CLOUDINFRA_PREFLIGHT",
    "CLOUDINFRA_STACK_ID",
    "CLOUDINFRA_ADOPT_OWN",
    "CLOUDINFRA_PERMISSIONS",
    "CLOUDINFRA_ALLOW_INSECURE",
    "CLOUDINFRA_REQUEST_TIMEOUT",
    "CLOUDINFRA_OPERATION_TIMEOUT",
  ]);
});
