import { existsSync, mkdtempSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOUCHED_EVERY_MS } from "../../src/journal/sender";
import { systemClock, type Clock } from "../../src/time/clock";
import { startSimulator, type Simulator } from "../../src/simulator";
import {
  answer,
  answerAfter,
  dropAfter,
  hidden,
  onTwoPages,
  refuse,
  rewrite,
  rewriteItems,
  rewriteRequest,
  upperCaseIds,
  withoutTargets,
} from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { folderForSuite, forEachTest, forSuite } from "../support/suite";
import { VirtualClock } from "../support/virtual-clock";
import { makeApiKey, send } from "../functions/support";
import { PulumiProject, runCli, waitFor, type CliResult } from "./support";

const state = folderForSuite("with-key");
const api = forSuite<Simulator>(() => startSimulator({ validateResponses: true }));
const proxy = forEachTest(() => FaultProxy.start(api.url));

const creation = { method: "POST", path: /^\/v1\/api_keys$/ };
const withOtherTags = rewriteRequest((body) => ({ ...body, tags: ["other"] }));
const auditLog = { method: "GET", path: /^\/v1\/audit_logs$/ };
const environment = (): Record<string, string> => ({
  ...{ CLOUDINFRA_API_KEY: api.apiKey, CLOUDINFRA_BASE_URL: proxy.url, CLOUDINFRA_PROJECT_ID: api.projectId },
  XDG_STATE_HOME: state,
});
const withKey = (clock: Clock = new VirtualClock(Date.now()), home = state): Promise<CliResult> =>
  runCli(["with-key", "--permissions", "vm:read", "--for", "15m", "--", "true"], {
    environment: { ...environment(), XDG_STATE_HOME: home },
    clock,
  });
const madeIds = async (): Promise<readonly string[]> => {
  const { items } = await send(api, "GET", "/v1/api_keys?limit=100");
  return (items as { id: string; name: string }[]).flatMap(({ id, name }) => (name.startsWith("with-key") ? [id] : []));
};

it("limits a key whose id differs in case in the log", async () => {
  proxy.on(creation, upperCaseIds);
  expect(await withKey()).toEqual({ code: 0, stdout: "", stderr: "" });
  const [change] = proxy.requests.filter(({ method }) => method === "PATCH");
  expect(change?.body).toContain('"allowed":["127.0.0.1/32"]');
});

it("limits a key that the log shows late", async () => {
  const empty = rewrite((body) => ({ ...body, items: [] }));
  proxy.on({ ...auditLog, nth: 1 }, empty);
  expect(await withKey()).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("reads a log without an order beyond its first 100 entries", async () => {
  const { id } = await makeApiKey(api);
  for (let nth = 0; nth < 101; nth += 1) await send(api, "PATCH", `/v1/api_keys/${id}`, { tags: [] });
  const others = rewriteItems((logs) => logs.map((log, nth) => ({ ...log, id: `other ${nth}`, target: null })));
  proxy.on(auditLog, (request, forward) =>
    request.query.includes("cursor")
      ? onTwoPages(request, forward)
      : others(request, () => onTwoPages(request, forward)),
  );
  expect(await withKey()).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("looks for its address for 10 seconds", async () => {
  proxy.on(auditLog, withoutTargets);
  const clock = new VirtualClock(Date.now());
  const { code, stderr } = await withKey(clock);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^warning: The key works from every address: /)]);
  expect(clock.slept.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(10_000);
});

it("does not look for its address after an interruption", async () => {
  proxy.on(auditLog, withoutTargets);
  const clock = new VirtualClock(Date.now());
  const once = jest.spyOn(process, "once");
  clock.onSleep = (): void => once.mock.calls.find(([event]) => event === "SIGINT")?.[1]("SIGINT");
  expect(await withKey(clock)).toEqual({ code: 130, stdout: "", stderr: "" });
  const looks = proxy.requests.filter(({ path, query }) => auditLog.path.test(path) && !query.includes("cursor"));
  expect(looks).toHaveLength(1);
  once.mockRestore();
});

it.each([
  ["its creation", creation, undefined, 1, /was interrupted/],
  ["the result of its creation", auditLog, dropAfter, 1, /look for one named "with-key true", and delete it/],
  ["its address", auditLog, undefined, 143, /^warning: The API limits[^\n]*\n$/],
  ["its limit", { method: "PATCH", path: /./ }, undefined, 143, /^(warning: The API (limits|may have)[^\n]*\n)*$/],
])("stops waiting for %s at the first signal", async (_what, limited, onCreation, code, stderr) => {
  if (onCreation) proxy.on(creation, onCreation);
  proxy.on(limited, answer(429));
  const clock = new VirtualClock(Date.now());
  const once = jest.spyOn(process, "once");
  const refused = (): number => proxy.requests.filter(({ status }) => status === 429).length;
  clock.onSleep = async (): Promise<void> => {
    await Promise.resolve();
    if (refused() < 2) return;
    once.mock.calls.findLast(([event]) => event === "SIGTERM")?.[1]("SIGTERM");
    proxy.clear();
  };
  const result = await withKey(clock, mkdtempSync(join(state, "interrupted-")));
  expect(result).toEqual({ code, stdout: "", stderr: expect.stringMatching(stderr) as string });
  const left = await madeIds();
  expect([refused(), left]).toEqual([2, onCreation ? [expect.any(String)] : []]);
  for (const id of left) await send(api, "DELETE", `/v1/api_keys/${id}`);
  once.mockRestore();
});

it("asks for an end in whole seconds", async () => {
  let time = Date.now();
  await withKey({ ...systemClock, now: () => (time += 7), sleep: () => Promise.resolve() });
  const [asked] = proxy.requests.filter(({ method }) => method === "POST");
  expect(asked?.body).toMatch(/"expires_at":"[^"]+:\d\d(\.000)?Z"/);
});

it("deletes a key that is not as requested, and runs nothing", async () => {
  proxy.on(creation, withOtherTags);
  const { code, stderr } = await withKey();
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: .*does not show it.*has deleted the new key/s)]);
  expect(await madeIds()).toEqual([]);
  expect((await runCli(["doctor"], { environment: environment() })).stdout).not.toContain("with-key");
});

it("names the key of an attempt that was refused after its effect", async () => {
  proxy.on({ ...creation, nth: 1 }, answerAfter(429));
  const { code, stderr } = await withKey();
  const [left = "no key"] = await madeIds();
  expect([code, stderr]).toEqual([0, expect.stringContaining(left)]);
  const { stdout } = await runCli(["doctor"], { environment: environment() });
  expect(stdout).toMatch(new RegExp(`interrupted .*${left}`));
  await send(api, "DELETE", `/v1/api_keys/${left}`); // as the doctor advises
});

it("names a key that is not as requested and cannot be deleted", async () => {
  proxy.on(creation, withOtherTags);
  proxy.on({ method: "DELETE" }, refuse);
  const { code, stderr } = await withKey();
  const [id] = await madeIds();
  expect(code).toBe(1);
  expect(stderr).toMatch(new RegExp(`does not show it.*cloudinfra doctor --delete ${id}`, "s"));
});

it.each([
  ["that is not as requested ", 1],
  ["", 0],
])("names a key %sthat the API no longer shows", async (_which, expected) => {
  if (expected === 1) proxy.on(creation, withOtherTags);
  proxy.on({ method: "DELETE" }, (request, forward) => {
    proxy.on({ method: "GET", path: /^\/v1\/api_keys\/./ }, hidden);
    return hidden(request, forward);
  });
  const { code, stderr } = await withKey();
  const known = (await runCli(["doctor"], { environment: environment() })).stdout;
  const deletion = proxy.requests.find(({ method }) => method === "DELETE");
  const id = deletion?.path.split("/").at(-1) ?? "none";
  expect([code, known]).toEqual([expected, expect.stringContaining(id)]);
  expect(stderr).toMatch(new RegExp(`does not show the key ${id}. If .*cloudinfra doctor --delete ${id}`));
  expect(stderr).not.toContain("has deleted the new key");
});

const HAS_KEY = "The configuration of the selected stack has an API key";

it.each([
  ["refuses to run pulumi", ["npx", "pulumi", "up"], 1, new RegExp(`^error: ${HAS_KEY}.*pulumi config rm`)],
  ["warns before another command", [process.execPath, "-e", ""], 0, new RegExp(`^warning: ${HAS_KEY}`)],
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
