import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sendControl } from "../functions/support";
import { after, OWNER_KEY, RotateBench } from "./rotate-fixture";
import { forEachTest } from "../support/suite";
import { decrypted, encrypted, PulumiProject, runCli, type CliResult } from "./support";

const bench = RotateBench.forSuite();
const project = forEachTest(() => new PulumiProject());

const inProject = (flags: readonly string[], environment = {}): Promise<CliResult> =>
  runCli(["rotate", ...flags], { environment: { ...project.environment, ...environment }, cwd: project.folder });
const waiting = { __retired: [{ id: randomUUID(), signedIn: false, replacedAt: after(0), expiresAt: after(90) }] };
const failure = (message: string): CliResult => ({ code: 1, stdout: "", stderr: `error: ${message}\n` });

describe("in a Pulumi project", () => {
  it("reads state and configuration of a named stack", async () => {
    await bench.keepNew({}, 1);
    project.answer({ apiKey: OWNER_KEY, baseUrl: bench.api.url }, bench.state);
    bench.advance(2);
    const result = await inProject(["--check", "--stack", "prod"]);
    expect(result.code).toBe(7);
    expect(result.stdout).toContain("yes: expired");
    expect(result.stdout + result.stderr).not.toContain("canary");
    expect(project.commands).toEqual([
      "config --show-secrets --json --non-interactive --stack prod",
      "stack export --non-interactive --stack prod",
    ]);
  });

  it.each<[field: string, kept: object, code: number]>([
    ["rotatesAt", { rotatesAt: decrypted(after(76)) }, 7],
    ["deleteOld", { deleteOld: decrypted({ whenQuietFor: "2d", atLatest: "90d" }), ...waiting }, 0],
    ["atLatest", { deleteOld: { whenQuietFor: "2d", atLatest: decrypted("90d") }, ...waiting }, 0],
  ])("decrypts a secret %s of the state", async (_field, kept, code) => {
    await bench.keepNew(kept);
    project.answer({ apiKey: OWNER_KEY, baseUrl: bench.api.url }, bench.state);
    bench.advance(77);
    expect(await inProject(["--check"])).toMatchObject({ code, stderr: "" });
  });

  it("exports the secrets once for a field and a provider", async () => {
    const urn = "urn:pulumi:dev::test::pulumi:providers:cloudinfra::eu";
    const inputs = { apiKey: decrypted(OWNER_KEY), baseUrl: bench.api.url };
    bench.keepAsIs({ urn, type: "pulumi:providers:cloudinfra", id: "p", inputs });
    const { id } = await bench.makeKey(90);
    const type = "cloudinfra:index:ApiKey";
    const outputs = { rotatesAt: decrypted(after(76)) };
    bench.keepAsIs({ urn: `urn:pulumi:dev::test::${type}::there`, type, id, provider: `${urn}::p`, outputs });
    project.answer({}, bench.state);
    expect(await inProject(["--check"])).toMatchObject({ code: 0, stderr: "" });
    expect(project.commands.filter((command) => command.includes("export --show-secrets"))).toHaveLength(1);
  });

  it("fails for a state with a field of a key encrypted", async () => {
    await bench.keepNew({ rotatesAt: encrypted });
    const { code, stdout, stderr } = await bench.rotate(["--check"]);
    expect([code, stdout]).toEqual([1, ""]);
    const urn = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/cloudinfra:ApiKey::deployer";
    expect(stderr).toContain(`The state has a secret of ${urn} encrypted.`);
  });

  it("does not try the environment's key after a refusal, and names it", async () => {
    await bench.keepNew();
    project.answer({ apiKey: "canary-old", baseUrl: bench.api.url }, bench.state);
    const result = await inProject(["--check"], { CLOUDINFRA_API_KEY: OWNER_KEY });
    expect(result.code).toBe(1);
    const words = /^error: .*The API key from the stack's configuration .* CLOUDINFRA_API_KEY has another/s;
    expect(result.stderr).toMatch(words);
    expect(result.stdout + result.stderr).not.toContain("canary");
  });
});

describe("missing parts", () => {
  it("no project: says where to run it", async () => {
    const advice = "Run this in the project's folder, or give a state with --state.";
    const message = `There is no Pulumi project in ${tmpdir()} or above it. ${advice}`;
    expect(await runCli(["rotate", "--check"], { cwd: tmpdir() })).toEqual(failure(message));
  });

  const misspelled = (): unknown => project.hasOnly(["development", "production", "prd", "proud"]);
  const unknown = (): unknown => project.fail("error: no stack named prod found", "canary");
  const fail = (fault: string) => () => project.fail(`error: ${fault}`, "canary", bench.state);
  const UNREAD = "The state of the stack prod cannot be read: no stack named prod found.";
  const SELECT = "No stack is selected. Name one with --stack, or select one with `pulumi stack select`.";
  const secret = "passphrase must be set with PULUMI_CONFIG_PASSPHRASE";

  it.each<[string, flags: string, arrange: () => unknown, message: string]>([
    ["pulumi on PATH", "--check", () => 0, "pulumi is not on PATH. Install it, or give a state with --state."],
    ["a selected stack", "--audit", () => project.fail("error: no stack selected; please use pulumi stack"), SELECT],
    ["a stack of that name", "--check --stack prod", unknown, UNREAD],
    ["the stack's right name", "--check --stack prod", misspelled, `${UNREAD} The closest are prd, proud, production.`],
    ["the passphrase", "--check", fail(secret), `The configuration of the selected stack cannot be read: ${secret}.`],
  ])("explains the error without %s", async (_case, flags, arrange, message) => {
    arrange();
    expect(await inProject(flags.split(" "))).toEqual(failure(message));
  });

  it("no key: says how to set one", async () => {
    await bench.keepNew();
    const { code, stdout, stderr } = await bench.rotate(["--check"], { environment: {} });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error: No base URL is configured|^error: No API key is configured/);
  });

  it("fails if the service does not answer", async () => {
    await bench.keepNew();
    await sendControl(bench.api, "/faults", { method: "GET", path: "^/v1/api_keys/", status: 500, times: 100 });
    const { code, stdout, stderr } = await bench.rotate(["--check"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error: read API key deployer .* failed: 500/);
  });

  it("fails if the key is refused, without showing it", async () => {
    await bench.keepNew();
    const environment = { ...bench.environment, CLOUDINFRA_API_KEY: "canary-wrong" };
    const { code, stderr } = await bench.rotate(["--check"], { environment });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*\n.*CLOUDINFRA_API_KEY was refused/);
    expect(stderr).not.toContain("canary");
  });
});

it("reads a state from a file without Pulumi", async () => {
  await bench.keepNew();
  writeFileSync(join(project.folder, "exported.json"), bench.state);
  const { code, stdout } = await inProject(["--check", "--state", "exported.json"], bench.environment);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^deployer +active/m);
});
