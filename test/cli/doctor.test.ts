import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import schema from "../../docs/doctor.schema.json";
import type { doctorDocument } from "../../src/cli/doctor/doctor-report";
import { definitions } from "../../src/resources/definitions";
import { startSimulator } from "../../src/simulator";
import { makeApiKey, post, sendControl } from "../functions/support";
import { requestLines, OWNER_KEY, runDoctor, type DoctorResult } from "./doctor-fixture";
import type { CliRun } from "./support";
import { forSuite } from "../support/suite";
import { listen } from "../api/support/listeners";

const FINGERPRINT = "30ee9361";
const published = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);

const api = forSuite(
  () => startSimulator({ apiKey: OWNER_KEY, operationTime: 0 }),
  (made) => made.reset(),
);

const doctor = (environment?: Record<string, string>, run?: CliRun): Promise<DoctorResult> =>
  runDoctor(api, environment, run);
const control = (path: string, body: object): Promise<void> => sendControl(api, path, body);
const requests = (): Promise<readonly string[]> => requestLines(api);
const containing = (text: string): string => expect.stringContaining(text) as string;
const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string;

/** The kinds whose lists name a project: the doctor reads one object of each. */
const inProject = definitions.filter(({ inputs }) => "projectId" in inputs);

/** Another key, as the API reports it. */
async function makeKey(members: object): Promise<string> {
  const permissions = [{ resource_type: "vpc", permission: "read" }];
  return (await makeApiKey(api, { permissions, ...members })).secret;
}

describe("with a key that has all permissions", () => {
  it("prints the same findings in JSON, by its schema", async () => {
    const result = await runDoctor(api, {}, {}, ["--format", "json"]);
    const shown = published.parse(JSON.parse(result.stdout)) as z.infer<typeof doctorDocument>;
    expect(result.stdout).toBe(`${JSON.stringify(shown, undefined, 2)}\n`);
    expect(shown.fine).toBe(true);
    const findings = shown.findings.map(({ subject }) => subject);
    expect(findings).toEqual(Object.keys((await doctor()).table));
  });

  it("shows the settings used and the permissions of the key", async () => {
    const result = await doctor();

    expect([result.code, result.stderr]).toEqual([0, ""]);
    expect(result.stdout.replace(/answered in \d+ ms/, "answered in 7 ms")).toBe(
      [
        "--  stack                there is no Pulumi project here: only the environment is read",
        `ok  credential           the environment variable CLOUDINFRA_API_KEY, fingerprint ${FINGERPRINT}: accepted`,
        `ok  base URL             ${api.url}, from the environment variable CLOUDINFRA_BASE_URL`,
        "ok  dialect              spec, as the base URL suggests",
        "ok  service              answered in 7 ms",
        "ok  clock                agrees with the API's",
        "ok  regions              us-sva-2, us-wdc-1, us-chi-1 (availability: preview)",
        "--  default region       none: each resource and function must name one",
        `ok  projects             default (${api.projectId})`,
        "--  default project      none: each resource and function must name one",
        ...inProject.map(({ nouns }) => `ok  ${nouns.padEnd(19)}  allowed`),
        "ok  connect routes       allowed",
        "ok  API keys             allowed",
        "ok  audit logs           allowed",
        "ok  quotas of us-sva-2   allowed",
        "ok  proof of ownership   possible: the audit log shows what each creation has made",
        "",
        "The doctor only reads. `cloudinfra permissions --check` says whether the key may edit what a program has.",
        "",
      ].join("\n"),
    );
    const read = [
      ...["/v1/api_keys", "/v1/audit_logs", "/v1/networking/connect/routes", "/v1/projects", "/v1/quotas/us-sva-2"],
      ...["/v1/regions", ...inProject.map(({ path }) => path)],
    ];
    expect(await requests()).toEqual(read.map((path) => `GET ${path} 200`).sort());
  });

  it("names a project and region that do not exist", async () => {
    const { table } = await doctor({ CLOUDINFRA_PROJECT_ID: "elsewhere", CLOUDINFRA_REGION: "us-nowhere-1" });
    expect(table).toMatchObject({
      "default project": "no cloudinfra:projectId is elsewhere, which is none of them",
      "default region": "no cloudinfra:region is us-nowhere-1, which is none of them",
      VPCs: "ok allowed",
    });
    expect(await requests()).not.toContain("GET /v1/quotas/us-nowhere-1 404");
  });

  it("shows the project and region in use, and their source", async () => {
    const { table } = await doctor({ CLOUDINFRA_PROJECT_ID: api.projectId, CLOUDINFRA_REGION: "us-sva-2" });
    expect(table).toMatchObject({
      "default project": `ok ${api.projectId}, from the environment variable CLOUDINFRA_PROJECT_ID`,
      "default region": "ok us-sva-2, from the environment variable CLOUDINFRA_REGION",
    });
  });

  it.each([
    [500, 1, "no no usable answer, see below", /\n\nGET \/v1\/audit_logs failed: 500/],
    [404, 0, "-- not found: this service may not have it", /^/],
  ])("explains an answer of %i, continues, and exits with %i", async (status, code, finding, text) => {
    await control("/faults", { method: "GET", path: "^/v1/audit_logs$", status, times: 100 });
    const unproven = "-- not known: the audit log cannot be read";
    const table = { "audit logs": finding, "API keys": "ok allowed", "proof of ownership": unproven };
    expect(await doctor()).toMatchObject({ code, table, stdout: matching(text) });
  });

  it("reads the quotas of the configured region if none is listed", async () => {
    const body = '{"items": [], "pagination": {}}';
    await control("/faults", { method: "GET", path: "^/v1/regions$", status: 200, body, times: 1 });
    const { table } = await doctor({ CLOUDINFRA_REGION: "us-sva-2" });
    expect(table).toMatchObject({ regions: "-- none can be reached", "quotas of us-sva-2": "ok allowed" });
  });

  it("wraps a long finding below its subject", async () => {
    const { stdout } = await doctor({ CLOUDINFRA_PROJECT_ID: "elsewhere" }, { isTTY: true, columns: 30 });
    expect(stripVTControlCharacters(stdout)).toMatch(
      /^✘ {2}default project: cloudinfra:projectId *\n {3}is elsewhere, which is none of them *$/m,
    );
  });

  it("the doctor prints no control characters of names", async () => {
    await post(api, "/v1/projects", { name: "a\u001b[2Jb" });
    const { stdout } = await doctor();
    expect([stdout.includes("a [2Jb"), stdout.includes("\u001b")]).toEqual([true, false]);
  });
});

describe.each([
  ["spec", "nirvana", "nirvana_region", "platform_region"],
  ["nirvana", "spec", "platform_region", "nirvana_region"],
] as const)("when the settings say %s and the API speaks %s", (own, spoken, theirs, ours) => {
  it("names the dialect to set, and exits with 1", async () => {
    const other = await startSimulator({ dialect: spoken });
    const result = await runDoctor(other, { CLOUDINFRA_DIALECT: own });
    await other.close();
    expect(result).toMatchObject({ code: 1, table: { "connect routes": "no answered in another dialect, see below" } });
    expect(result.stdout).toContain(
      `the API speaks the dialect "${spoken}": it says "${theirs}" where "${own}" has "${ours}". ` +
        `Set the dialect with "pulumi config set cloudinfra:dialect ${spoken}" or CLOUDINFRA_DIALECT=${spoken}`,
    );
  });
});

describe("with a key that has few permissions", () => {
  it("lists denied permissions, and exits with 1", async () => {
    const environment = { CLOUDINFRA_API_KEY: await makeKey({}), CLOUDINFRA_PROJECT_ID: api.projectId };
    const { code, table } = await doctor(environment);

    expect(code).toBe(1);
    expect(table).toMatchObject({
      regions: "ok us-sva-2, us-wdc-1, us-chi-1 (availability: preview)",
      projects: "no denied: no project:read",
      VPCs: "ok allowed",
      "connect connections": "no denied: no connect_connection:read, or not for this project",
      "API keys": "no denied: no api_key:read",
      "audit logs": "no denied: no audit_log:read",
      "proof of ownership": "no not possible without audit_log:read: a run can only name what a lost creation made",
    });
    const others = ["/v1/api_keys", "/v1/audit_logs", "/v1/networking/connect/routes", "/v1/projects"];
    const denied = [...others, ...inProject.flatMap(({ type, path }) => (type === "Vpc" ? [] : [path]))];
    expect((await requests()).filter((line) => line.endsWith(" 403"))).toEqual(
      denied.map((path) => `GET ${path} 403`).sort(),
    );
  });

  it("asks for nothing inside an unknown project", async () => {
    const VPCs = "-- not asked: no project to look in: set cloudinfra:projectId";
    expect(await doctor({ CLOUDINFRA_API_KEY: await makeKey({}) })).toMatchObject({ table: { VPCs } });
    expect((await requests()).filter((line) => /connections|vpcs|volumes/.test(line))).toEqual([]);
  });

  it("explains the key's IP rules, and exits with 1", async () => {
    const key = await makeKey({ source_ip_rule: { allowed: ["192.0.2.0/24"] } });
    const stdout = containing("Add the address to the key's allowed list");
    const table = { credential: matching(/^no .*: refused$/) };
    expect(await doctor({ CLOUDINFRA_API_KEY: key })).toMatchObject({ code: 1, table, stdout });
    expect((await requests()).filter((line) => line.startsWith("GET"))).toEqual(["GET /v1/regions 403"]);
  });
});

describe("with a key that is refused", () => {
  it("asks once, hides the key, and exits with 1", async () => {
    const result = await doctor({ CLOUDINFRA_API_KEY: "canary-wrong-key" });
    const credential = matching(/^no .*CLOUDINFRA_API_KEY, fingerprint [0-9a-f]{8}: refused$/);
    const stdout = containing("from the environment variable CLOUDINFRA_API_KEY was refused");
    expect(result).toMatchObject({ code: 1, table: { credential, service: "ok answers" }, stdout });
    expect(result.stdout + result.stderr).not.toContain("canary");
    expect(await requests()).toEqual(["GET /v1/regions 401"]);
  });
});

const EFFECT =
  ". The provider uses the API's, but dates that a program computes are wrong by the same time. Set this machine's clock";
it.each([
  ["accepts", "2m", "ok this machine's is 2 minutes behind the API's"],
  ["warns of", "6m", `-- this machine's is 6 minutes behind the API's${EFFECT}`],
])("%s a clock difference of %s", async (_effect, advance, clock) => {
  await control("/clock", { advance });
  expect(await doctor()).toMatchObject({ code: 0, table: { clock } });
});

describe("without an API at the base URL", () => {
  it("says what to check if nothing listens", async () => {
    const closed = await listen();
    await closed.close();
    const result = await doctor({ CLOUDINFRA_BASE_URL: `http://127.0.0.1:${closed.port}` });
    const stdout = containing("Check the base URL, and that the API or the simulator runs.");
    const judged = { credential: matching(/^-- .*: not judged$/), "base URL": matching(/^no /) };
    const table = { ...judged, service: "no no answer, see below" };
    expect(result).toMatchObject({ code: 1, table, stdout });
    expect(result.table).not.toHaveProperty("clock");
  });

  it("reports an answer that is not the API's", async () => {
    const body = "<!doctype html><title>hello</title>";
    await control("/faults", { path: "^/v1/regions$", status: 200, body, headers: { "content-type": "text/html" } });

    const result = await doctor();
    expect(result).toMatchObject({ code: 1, table: { service: "no answers, but not as it should, see below" } });
    expect(result.table).not.toHaveProperty("clock"); // a proxy's time is not the API's
    expect(await requests()).toEqual(["GET /v1/regions 200"]);
  });

  it("hides a password in the base URL", async () => {
    const result = await doctor({ CLOUDINFRA_BASE_URL: api.url.replace("//", "//user:canary-password@") });
    const shown = `no ${api.url}, from the environment variable CLOUDINFRA_BASE_URL`;
    const table = { "base URL": shown, settings: "no one of them is wrong, see below" };
    const stdout = containing("The base URL contains a user name or password");
    expect(result).toMatchObject({ code: 1, table, stdout });
    expect(result.stdout).not.toContain("canary");
    expect(await requests()).toEqual([]);
  });
});

describe("without settings", () => {
  it("says how to set key and base URL", async () => {
    const result = await doctor({ CLOUDINFRA_API_KEY: "", CLOUDINFRA_BASE_URL: "" });
    expect(result).toMatchObject({ code: 1, table: { credential: "no none", "base URL": "no none" } });
    for (const hint of ["cloudinfra:apiKey", "CLOUDINFRA_API_KEY=", "cloudinfra:baseUrl", "CLOUDINFRA_BASE_URL="])
      expect(result.stdout).toContain(hint);
  });

  it("names a wrong setting, and asks nothing", async () => {
    const reason = 'cloudinfra:dialect (or CLOUDINFRA_DIALECT) must be "spec" or "nirvana", and is "klingon".';
    const table = { settings: "no one of them is wrong, see below" };
    const result = await doctor({ CLOUDINFRA_DIALECT: "klingon" });
    expect(result).toMatchObject({ code: 1, table, stdout: containing(reason) });
    expect(await requests()).toEqual([]);
  });
});
