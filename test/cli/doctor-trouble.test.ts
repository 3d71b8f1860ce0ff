import { startSimulator } from "../../src/simulator";
import { sendControl } from "../functions/support";
import { requestLines, OWNER_KEY, runDoctor, table } from "./doctor-bench";
import { runCli, type CliResult } from "./support";
import { forSuite } from "../support/suite";
import { listen } from "../api/support/listeners";

const api = forSuite(
  () => startSimulator({ apiKey: OWNER_KEY, operationTime: 0 }),
  (made) => made.reset(),
);

const doctor = (environment?: Record<string, string>): Promise<CliResult> => runDoctor(api, environment);
const control = (path: string, body: object): Promise<void> => sendControl(api, path, body);
const requests = (): Promise<readonly string[]> => requestLines(api);

describe("the clock", () => {
  it("accepts a clock difference of two minutes", async () => {
    await control("/clock", { advance: "2m" });

    expect(table(await doctor())["clock"]).toBe("ok this machine's is 2 minutes behind the API's");
  });

  it("warns of a clock difference over five minutes", async () => {
    await control("/clock", { advance: "6m" });

    const result = await doctor();

    expect(table(result)["clock"]).toBe(
      "no this machine's is 6 minutes behind the API's: the API may refuse dates from this machine. Set the clock",
    );
    expect(result.code).toBe(0);
  });
});

describe("without an API at the base URL", () => {
  it("nothing listens: says what to check", async () => {
    const closed = await listen();
    await closed.close();
    const result = await doctor({ CLOUDINFRA_BASE_URL: `http://127.0.0.1:${closed.port}` });

    expect(result.code).toBe(1);
    expect(table(result)).toMatchObject({
      credential: expect.stringMatching(/^-- .*: not judged$/) as string,
      "base URL": expect.stringMatching(/^no /) as string,
      service: "no no answer, see below",
    });
    expect(table(result)).not.toHaveProperty("clock");
    expect(result.stdout).toContain("Check the base URL, and that the API or the simulator runs.");
  });

  it("something else answers: says so", async () => {
    const body = "<!doctype html><title>hello</title>";
    await control("/faults", { path: "^/v1/regions$", status: 200, body, headers: { "content-type": "text/html" } });

    const result = await doctor();

    expect(result.code).toBe(1);
    expect(table(result)["service"]).toBe("no answers, but not as it should, see below");
    expect(await requests()).toEqual(["GET /v1/regions 200"]);
  });

  it("hides a password in the base URL", async () => {
    const result = await doctor({ CLOUDINFRA_BASE_URL: api.url.replace("//", "//user:canary-password@") });

    expect(result.code).toBe(1);
    expect(table(result)).toMatchObject({
      "base URL": `no ${api.url}, from the environment variable CLOUDINFRA_BASE_URL`,
      settings: "no one of them is wrong, see below",
    });
    expect(result.stdout).toContain("The base URL contains a user name or password");
    expect(result.stdout).not.toContain("canary");
    expect(await requests()).toEqual([]);
  });
});

describe("without settings", () => {
  it("says how to set key and base URL", async () => {
    const result = await runCli(["doctor"]);

    expect(result.code).toBe(1);
    expect(table(result)).toMatchObject({ credential: "no none", "base URL": "no none" });
    for (const hint of ["cloudinfra:apiKey", "CLOUDINFRA_API_KEY=", "cloudinfra:baseUrl", "CLOUDINFRA_BASE_URL="]) {
      expect(result.stdout).toContain(hint);
    }
  });

  it("names a wrong setting, and asks nothing", async () => {
    const result = await doctor({ CLOUDINFRA_DIALECT: "klingon" });

    expect(result.code).toBe(1);
    expect(table(result)["settings"]).toBe("no one of them is wrong, see below");
    expect(result.stdout).toContain(
      'cloudinfra:dialect (or CLOUDINFRA_DIALECT) must be "spec" or "nirvana", and is "klingon".',
    );
    expect(await requests()).toEqual([]);
  });
});
