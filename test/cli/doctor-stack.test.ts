import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator } from "../../src/simulator";
import { requestsOf } from "../functions/support";
import { forEachTest, forSuite } from "../support/suite";
import { OWNER_KEY } from "./doctor-fixture";
import { decrypted, PulumiProject, runCli } from "./support";

const api = forSuite(
  () => startSimulator({ apiKey: OWNER_KEY, validateResponses: true }),
  (made) => made.reset(),
);
const project = forEachTest(() => new PulumiProject());

/**
 * Expects the exit code and these lines or texts of the report, which must have no secret and nothing that may be one.
 * `signIns`: the statuses of the requests to sign in.
 */
async function expectReport(
  code: number,
  texts: readonly (string | RegExp)[],
  { environment = {}, flags = [] as readonly string[], signIns = [] as readonly number[] } = {},
): Promise<string> {
  const all = { ...project.environment, ...environment };
  const result = await runCli(["doctor", ...flags], { environment: all, cwd: project.folder });
  expect(result.stdout).not.toContain("canary");
  for (const text of texts)
    if (typeof text === "string") expect(result.stdout).toContain(text);
    else expect(result.stdout).toMatch(text);
  expect(result.code).toBe(code);
  const requests = (await requestsOf(api)).filter(({ path }) => path === "/v1/regions");
  if (signIns.length > 0) expect(requests.map(({ status }) => status)).toEqual(signIns);
  return result.stdout;
}

/** `pulumi config` shows these settings, besides the base URL. */
const configure = (config: Record<string, string>, state?: string, secrets?: readonly string[]): unknown =>
  project.answer({ baseUrl: api.url, ...config }, state, secrets);
const fromEnvironment = (): Record<string, string> => ({ ...OWNER, CLOUDINFRA_BASE_URL: api.url });

const OWNER = { CLOUDINFRA_API_KEY: OWNER_KEY };

describe("the doctor in a Pulumi project", () => {
  it("reads the configuration of the selected stack", async () => {
    configure({ apiKey: OWNER_KEY, dialect: "spec" });
    const lines = [
      /^ok {2}stack +test\/dev, its configuration is read$/m,
      /^ok {2}credential .*configuration \(cloudinfra:apiKey\), fingerprint [0-9a-f]{8}: accepted$/m,
      new RegExp(`${api.url}, from the stack's configuration \\(cloudinfra:baseUrl\\)`),
      /spec, from the stack's configuration \(cloudinfra:dialect\)/,
    ];
    await expectReport(0, lines, { signIns: [200] });
    expect(project.commands).toEqual([
      "config --show-secrets --json --non-interactive",
      "stack --show-name --non-interactive",
      "stack export --non-interactive",
    ]);
  });

  it("says whether a lost state can be taken over", async () => {
    configure({ apiKey: OWNER_KEY });
    await expectReport(0, [
      /^-- {2}stack id +none: if the state is lost, nothing proves what the stack has made$/m,
      "`pulumi config set cloudinfra:stackId $(node -p 'crypto.randomUUID()')`",
    ]);
    configure({ apiKey: OWNER_KEY, adoptOwn: "true" });
    await expectReport(1, [/^no {2}stack id +none: adoptOwn needs the one with which the stack made its objects$/m]);
    configure({ apiKey: OWNER_KEY, stackId: "0d8e6a52" });
    await expectReport(0, [/^ok {2}stack id +set: if the state is lost, one run can take over what/m]);
  });

  it("suggests the right names for misspelled keys", async () => {
    configure({ apikey: "canary-key", projectID: "p" });
    const texts = [
      /^no {2}configuration +2 entries to correct, see below$/m,
      /There is no setting cloudinfra:apikey. Did you mean cloudinfra:apiKey\?/,
      /There is no setting cloudinfra:projectID. Did you mean cloudinfra:projectId\?/,
    ];
    await expectReport(1, texts, { environment: OWNER });
  });

  it("accepts the own keys of a project called cloudinfra", async () => {
    writeFileSync(join(project.folder, "Pulumi.yaml"), "name: cloudinfra\nruntime: nodejs\n");
    configure({ apiKey: OWNER_KEY, size: "large" });
    expect(await expectReport(0, [/^ok {2}stack +cloudinfra\/dev/m])).not.toContain("size");
  });

  it("suggests the right name for a misspelled variable", async () => {
    configure({ apiKey: OWNER_KEY });
    const environment = { CLOUDINFRA_REGIN: "us-sva-2" };
    const text = /^-- {2}environment +No setting has the name CLOUDINFRA_REGIN\. Did you mean CLOUDINFRA_REGION\?$/m;
    await expectReport(0, [text], { environment });
  });

  it("says how to encrypt a plain key", async () => {
    configure({ apiKey: OWNER_KEY }, "", []);
    await expectReport(1, [
      /^no {2}configuration +one entry to correct, see below$/m,
      "The API key is in plain text in the stack's configuration. Encrypt it",
    ]);
  });

  it("reads the named stack", async () => {
    configure({ apiKey: OWNER_KEY });
    const flags = ["--stack", "prod"];
    await expectReport(0, [/^ok {2}stack +test\/prod, its configuration is read$/m], { flags });
    expect(project.commands).toEqual([
      "config --show-secrets --json --non-interactive --stack prod",
      "stack export --non-interactive --stack prod",
    ]);
  });

  it("prefers the key of the configuration", async () => {
    configure({ apiKey: OWNER_KEY });
    const environment = { CLOUDINFRA_API_KEY: "canary-other" };
    const line = /^ok {2}credential .*\(cloudinfra:apiKey\), .*: accepted$/m;
    await expectReport(0, [line], { environment, signIns: [200] });
  });

  it("does not try the environment's key after a refusal, and names it", async () => {
    configure({ apiKey: "canary-old" });
    const lines = [
      /^no {2}credential .*\(cloudinfra:apiKey\), .*: refused$/m,
      /CLOUDINFRA_API_KEY has another key, .*`pulumi config rm cloudinfra:apiKey`/,
    ];
    await expectReport(1, lines, { environment: OWNER, signIns: [401] });
  });

  it("suggests no setting if the stack is unreadable", async () => {
    project.fail("error: no stack named prodd found");
    const report = await expectReport(1, [/^no {2}stack +cannot be read: no stack named prodd found/m]);
    expect(report).not.toContain("pulumi config set");
  });

  const fail = (stderr: string, stdout?: string) => () => project.fail(`error: ${stderr}`, stdout);
  const unread = (): unknown => undefined;
  const unselected = /^-- {2}stack +no stack selected; .*: only the environment is read$/m;
  const locked =
    /^no {2}stack +cannot be read: incorrect passphrase: set PULUMI_CONFIG_PASSPHRASE to the stack's own$/m;

  it.each<[title: string, arrange: () => unknown, code: number, line: RegExp, flags?: readonly string[]]>([
    ["no stack is selected", fail("no stack selected; please"), 0, unselected],
    ["the configuration is unreadable", fail("incorrect passphrase\ncanary on stderr", "canary on stdout"), 1, locked],
    ["pulumi is not on PATH", unread, 0, /^-- {2}stack +pulumi is not on PATH: only the environment is read$/m],
    ["a named stack cannot be read", unread, 1, /^-- {2}stack +pulumi is not on PATH/m, ["--stack", "prod"]],
  ])("uses the environment if %s", async (_why, arrange, code, line, flags = []) => {
    arrange();
    await expectReport(code, [line], { environment: fromEnvironment(), flags, signIns: [200] });
  });
});

describe("the doctor and the explicit providers of a stack", () => {
  const provider = (name: string, apiKey: string): object => ({
    urn: `urn:pulumi:dev::test::pulumi:providers:cloudinfra::${name}`,
    type: "pulumi:providers:cloudinfra",
    id: name,
    inputs: { baseUrl: api.url, apiKey: decrypted(apiKey) },
  });
  const stateOf = (...resources: object[]): string => JSON.stringify({ version: 3, deployment: { resources } });

  it("signs in with each provider's own credential", async () => {
    project.answer({}, stateOf(provider("eu", OWNER_KEY), provider("default_0_1_0", "canary-unused")));
    const report = await expectReport(0, [
      /^-- {2}credential +none in the stack's configuration or the environment: only the explicit/m,
      new RegExp(`^ok {2}provider eu +${api.url}, the provider "eu", fingerprint [0-9a-f]{8}: accepted$`, "m"),
    ]);
    expect(report).not.toContain("default_");
  });

  it("says why providers' settings cannot be decrypted", async () => {
    const state = stateOf(provider("eu", "canary-eu"), provider("us", "canary-us"));
    project.fail("error: passphrase must be set with PULUMI_CONFIG_PASSPHRASE", "", state);
    const lines = [
      /^ok {2}credential .*: accepted$/m,
      ...["eu", "us"].map(
        (name) => new RegExp(`^no {2}provider ${name} +its settings cannot be read, see below$`, "m"),
      ),
    ];
    const report = await expectReport(1, lines, { environment: fromEnvironment() });
    expect(report.match(/^The state of the selected stack cannot be read: passphrase must be set/gm)).toHaveLength(1);
  });

  it("names a refused provider, and exits with 1", async () => {
    configure({ apiKey: OWNER_KEY }, stateOf(provider("eu", "canary-old")));
    await expectReport(1, [
      /^no {2}provider eu .*: refused, see below$/m,
      'The API key from the provider "eu" was refused',
    ]);
  });
});
