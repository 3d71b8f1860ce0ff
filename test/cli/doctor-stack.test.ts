import { startSimulator } from "../../src/simulator";
import { requestsOf } from "../functions/support";
import { forEachTest, forSuite } from "../support/suite";
import { OWNER_KEY } from "./doctor-bench";
import { PulumiProject, runCli, type CliResult } from "./support";

const FROM_CONFIG = "the stack's configuration (cloudinfra:apiKey)";
const FROM_ENVIRONMENT = "the environment variable CLOUDINFRA_API_KEY";

const api = forSuite(
  () => startSimulator({ apiKey: OWNER_KEY, validateResponses: true }),
  (made) => made.reset(),
);
const project = forEachTest(() => new PulumiProject());

function doctor(environment: Record<string, string> = {}, flags: readonly string[] = []): Promise<CliResult> {
  return runCli(["doctor", ...flags], { environment: { ...project.environment, ...environment }, cwd: project.folder });
}

const statusesOfSignIn = async (): Promise<readonly number[]> =>
  (await requestsOf(api)).filter(({ path }) => path === "/v1/regions").map(({ status }) => status);

describe("the doctor in a Pulumi project", () => {
  it("reads the configuration of the selected stack", async () => {
    project.answer({ apiKey: OWNER_KEY, baseUrl: api.url, dialect: "spec" });

    const { code, stdout } = await doctor();

    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {2}stack +test\/dev, its configuration is read$/m);
    expect(stdout).toMatch(
      /^ok {2}credential .*configuration \(cloudinfra:apiKey\), fingerprint [0-9a-f]{8}: accepted$/m,
    );
    expect(stdout).toContain(`${api.url}, from the stack's configuration (cloudinfra:baseUrl)`);
    expect(stdout).toContain("spec, from the stack's configuration (cloudinfra:dialect)");
    expect(stdout).not.toContain("canary");
    expect(project.commands).toEqual([
      "config --show-secrets --json --non-interactive",
      "stack --show-name --non-interactive",
      "stack export --non-interactive",
    ]);
    expect(await statusesOfSignIn()).toEqual([200]);
  });

  it("says whether a lost state can be taken over", async () => {
    project.answer({ apiKey: OWNER_KEY, baseUrl: api.url });
    const { code, stdout } = await doctor();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^-- {2}stack id +none: if the state is lost, nothing proves what the stack has made$/m);
    expect(stdout).toContain("`pulumi config set cloudinfra:stackId $(node -p 'crypto.randomUUID()')`");
    project.answer({ apiKey: OWNER_KEY, baseUrl: api.url, adoptOwn: "true" });
    expect((await doctor()).stdout).toMatch(/^no {2}stack id +none: adoptOwn needs the one with which the stack made/m);
    project.answer({ apiKey: OWNER_KEY, baseUrl: api.url, stackId: "0d8e6a52" });
    expect((await doctor()).stdout).toMatch(/^ok {2}stack id +set: if the state is lost, one run can take over what/m);
  });

  it("suggests the right names for misspelt keys", async () => {
    project.answer({ apikey: "canary-key", baseUrl: api.url, projectID: "p" });

    const { code, stdout } = await doctor({ CLOUDINFRA_API_KEY: OWNER_KEY });

    expect(code).toBe(1);
    expect(stdout).toMatch(/^no {2}configuration +2 entries to correct, see below$/m);
    expect(stdout).toContain("There is no setting cloudinfra:apikey. Did you mean cloudinfra:apiKey?");
    expect(stdout).toContain("There is no setting cloudinfra:projectID. Did you mean cloudinfra:projectId?");
    expect(stdout).not.toContain("canary");
  });

  it("says how to encrypt a plain key", async () => {
    project.answer({ apiKey: OWNER_KEY, baseUrl: api.url }, "", []);

    const { stdout } = await doctor();

    expect(stdout).toMatch(/^no {2}configuration +one entry to correct, see below$/m);
    expect(stdout).toContain("The API key is in plain text in the stack's configuration. Encrypt it");
    expect(stdout).not.toContain("canary");
  });

  it("reads the named stack", async () => {
    project.answer({ apiKey: OWNER_KEY, baseUrl: api.url });

    const { stdout } = await doctor({}, ["--stack", "prod"]);

    expect(stdout).toMatch(/^ok {2}stack +test\/prod, its configuration is read$/m);
    expect(project.commands).toEqual([
      "config --show-secrets --json --non-interactive --stack prod",
      "stack export --non-interactive --stack prod",
    ]);
  });

  it("prefers the key of the configuration", async () => {
    project.answer({ apiKey: OWNER_KEY, baseUrl: api.url });

    const { code, stdout } = await doctor({ CLOUDINFRA_API_KEY: "canary-other" });

    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^--  credential +${FROM_ENVIRONMENT}, .*: not tried: `, "m"));
    expect(stdout).not.toContain("canary");
    expect(await statusesOfSignIn()).toEqual([200]);
  });

  it("suggests no setting if the stack is unreadable", async () => {
    project.fail("error: no stack named prodd found");

    const { code, stdout } = await doctor();

    expect(code).toBe(1);
    expect(stdout).toMatch(/^no {2}stack +cannot be read: no stack named prodd found/m);
    expect(stdout).not.toContain("pulumi config set");
  });

  it("continues with the environment's key, and exits with 1", async () => {
    project.answer({ apiKey: "canary-old", baseUrl: api.url });

    const { code, stdout } = await doctor({ CLOUDINFRA_API_KEY: OWNER_KEY });

    expect(code).toBe(1);
    expect(stdout).toMatch(/^no {2}credential .*\(cloudinfra:apiKey\), .*: refused$/m);
    expect(stdout).toMatch(new RegExp(`^ok  credential +${FROM_ENVIRONMENT}, .*: accepted$`, "m"));
    expect(stdout).toContain(`The API key from ${FROM_CONFIG} was refused`);
    expect(stdout).not.toContain("canary");
    expect(await statusesOfSignIn()).toEqual([401, 200]);
  });

  it("uses the environment if no stack is selected", async () => {
    project.fail("error: no stack selected; please use `pulumi stack select` to choose one");

    const { code, stdout } = await doctor({ CLOUDINFRA_API_KEY: OWNER_KEY, CLOUDINFRA_BASE_URL: api.url });

    expect(code).toBe(0);
    expect(stdout).toMatch(/^-- {2}stack +no stack selected; .*: only the environment is read$/m);
  });

  it("says why the configuration is unreadable, and exits with 1", async () => {
    project.fail("error: incorrect passphrase\ncanary on stderr", "canary on stdout");

    const { code, stdout } = await doctor({ CLOUDINFRA_API_KEY: OWNER_KEY, CLOUDINFRA_BASE_URL: api.url });

    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^no {2}stack +cannot be read: incorrect passphrase: set PULUMI_CONFIG_PASSPHRASE to the stack's own$/m,
    );
    expect(stdout).not.toContain("canary");
    expect(await statusesOfSignIn()).toEqual([200]);
  });

  it("uses the environment if pulumi is not on PATH", async () => {
    const { code, stdout } = await doctor({ CLOUDINFRA_API_KEY: OWNER_KEY, CLOUDINFRA_BASE_URL: api.url });

    expect(code).toBe(0);
    expect(stdout).toMatch(/^-- {2}stack +pulumi is not on PATH: only the environment is read$/m);
  });

  it("exits with 1 if a named stack is unreadable", async () => {
    const environment = { CLOUDINFRA_API_KEY: OWNER_KEY, CLOUDINFRA_BASE_URL: api.url };

    expect((await doctor(environment, ["--stack", "prod"])).code).toBe(1);
  });
});

describe("the doctor and the explicit providers of a stack", () => {
  const provider = (name: string, apiKey: string): object => ({
    urn: `urn:pulumi:dev::test::pulumi:providers:cloudinfra::${name}`,
    type: "pulumi:providers:cloudinfra",
    id: name,
    inputs: {
      baseUrl: api.url,
      apiKey: { "4dabf18193072939515e22adb298388d": "x", plaintext: JSON.stringify(apiKey) },
    },
  });
  const stateOf = (...resources: object[]): string => JSON.stringify({ version: 3, deployment: { resources } });

  it("signs in with each provider's own credential", async () => {
    project.answer({}, stateOf(provider("eu", OWNER_KEY), provider("default_0_1_0", "canary-unused")));
    const { code, stdout } = await doctor();
    expect(stdout).toMatch(
      /^-- {2}credential +none in the stack's configuration or the environment: only the explicit/m,
    );
    expect(stdout).toMatch(
      new RegExp(`^ok {2}provider eu +${api.url}, the provider "eu", fingerprint [0-9a-f]{8}: accepted$`, "m"),
    );
    expect(stdout).not.toMatch(/canary|default_/);
    expect(code).toBe(0);
  });

  it("says why providers' settings cannot be decrypted", async () => {
    const state = stateOf(provider("eu", "canary-eu"), provider("us", "canary-us"));
    project.fail("error: passphrase must be set with PULUMI_CONFIG_PASSPHRASE", "", state);
    const { code, stdout } = await doctor({ CLOUDINFRA_API_KEY: OWNER_KEY, CLOUDINFRA_BASE_URL: api.url });
    expect(stdout).toMatch(/^ok {2}credential .*: accepted$/m);
    for (const name of ["eu", "us"])
      expect(stdout).toMatch(new RegExp(`^no {2}provider ${name} +its settings cannot be read, see below$`, "m"));
    expect(stdout.match(/^The state of the selected stack cannot be read: passphrase must be set/gm)).toHaveLength(1);
    expect(stdout).not.toContain("canary");
    expect(code).toBe(1);
  });

  it("names a refused provider, and exits with 1", async () => {
    project.answer({ apiKey: OWNER_KEY, baseUrl: api.url }, stateOf(provider("eu", "canary-old")));
    const { code, stdout } = await doctor();
    expect(stdout).toMatch(/^no {2}provider eu .*: refused, see below$/m);
    expect(stdout).toContain('The API key from the provider "eu" was refused');
    expect(stdout).not.toContain("canary");
    expect(code).toBe(1);
  });
});
