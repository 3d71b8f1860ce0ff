import { existsSync, mkdtempSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOUCHED_EVERY_MS } from "../../src/journal/sender";
import { startSimulator, type Simulator } from "../../src/simulator";
import { upperCaseIds } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { folderForSuite, forEachTest, forSuite } from "../support/suite";
import { PulumiProject, runCli, waitFor } from "./support";

const state = folderForSuite("with-key");
const api = forSuite<Simulator>(() => startSimulator({ validateResponses: true }));
const proxy = forEachTest(() => FaultProxy.start(api.url));

it("limits a key whose id differs in case in the log", async () => {
  proxy.on({ method: "POST", path: /^\/v1\/api_keys$/ }, upperCaseIds);
  const environment = {
    ...{ CLOUDINFRA_API_KEY: api.apiKey, CLOUDINFRA_BASE_URL: proxy.url, CLOUDINFRA_PROJECT_ID: api.projectId },
    ...{ XDG_STATE_HOME: state },
  };
  const command = ["with-key", "--permissions", "vm:read", "--for", "15m", "--", "true"];
  expect(await runCli(command, { environment })).toEqual({ code: 0, stdout: "", stderr: "" });
  const [change] = proxy.requests.filter(({ method }) => method === "PATCH");
  expect(change?.body).toContain('"allowed":["127.0.0.1/32"]');
});

it.each([
  [
    "refuses to run pulumi",
    ["npx", "pulumi", "up"],
    1,
    /^error: The configuration of the selected stack has an API key.*pulumi config rm/,
  ],
  [
    "warns before another command",
    [process.execPath, "-e", ""],
    0,
    /^warning: The configuration of the selected stack has an API key/,
  ],
])("%s if the stack has a key", async (_does, command, code, message) => {
  const project = new PulumiProject().answer({ apiKey: api.apiKey, baseUrl: api.url, projectId: api.projectId });
  const environment = { ...project.environment, XDG_STATE_HOME: state };
  const flags = ["--permissions", "vm:read", "--for", "15m", "--"];
  const result = await runCli(["with-key", ...flags, ...command], { environment, cwd: project.folder });
  project.remove();
  expect(result).toMatchObject({ code, stderr: expect.stringMatching(message) as string });
});

it("marks itself as running for processes in other containers", async () => {
  const folder = mkdtempSync(join(state, "running-"));
  const [started, ended] = ["started", "ended"].map((name) => join(folder, name)) as [string, string];
  const environment = {
    ...{ CLOUDINFRA_API_KEY: api.apiKey, CLOUDINFRA_BASE_URL: api.url, CLOUDINFRA_PROJECT_ID: api.projectId },
    ...{ XDG_STATE_HOME: folder },
  };
  const script = `fs.writeFileSync("${started}", ""); setInterval(() => fs.existsSync("${ended}") && process.exit(), 10)`;
  const flags = ["--permissions", "vm:read", "--for", "15m", "--"];
  jest.useFakeTimers({
    doNotFake: ["nextTick", "setImmediate", "setTimeout", "Date", "queueMicrotask", "performance"],
  });
  const running = runCli(["with-key", ...flags, process.execPath, "-e", script], { environment });
  try {
    await waitFor(() => existsSync(started));
    const journal = join(folder, "pulumi-cloudinfra", "journal");
    const [file = ""] = readdirSync(journal).map((name) => join(journal, name));
    utimesSync(file, 0, 0);
    jest.advanceTimersByTime(TOUCHED_EVERY_MS);
    await waitFor(() => statSync(file).mtimeMs > 0);
  } finally {
    writeFileSync(ended, "");
    jest.useRealTimers();
  }
  expect((await running).code).toBe(0);
});
