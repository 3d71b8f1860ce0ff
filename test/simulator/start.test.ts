import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { startSimulator, SimulatorOptionError } from "../../src/simulator";
import { runSimulator } from "../../src/cli/simulator-command";
import { paths, startHarness } from "./support/harness";

it.each<[string, unknown]>([
  ["port", "eighty"],
  ["port", -1],
  ["port", 65_536],
  ["port", ""],
  ["controlPort", 1.5],
  ["host", "not a host"],
  ["operationTime", "soon"],
  ["operationTime", -1],
  ["operationTime", ""],
  ["operationTime", "5"],
  ["latency", "1 fortnight"],
  ["latency", "25d"],
  ["lag", "reads"],
  ["lag", "reads=3"],
  ["lag", "reads=soon"],
  ["lag", "writes=3s"],
  ["lag", "reads=3s=4s"],
  ["rateLimit", 0],
  ["rateLimit", "many"],
  ["dialect", "other"],
])("rejects %s = %j, and names the option", async (name, value) => {
  await expect(startSimulator({ [name]: value })).rejects.toThrow(SimulatorOptionError);
  await expect(startSimulator({ [name]: value })).rejects.toThrow(name);
});

it("an error does not show an invalid key", async () => {
  const error = await startSimulator({ apiKey: "two words" }).catch((reason: unknown) => String(reason));
  expect(error).toContain("apiKey");
  expect(error).not.toContain("two words");
});

it("the default key is 32 random bytes in base64url", async () => {
  const [one, other] = [await startHarness(), await startHarness()];
  expect(one.apiKey).toMatch(/^[\w-]{43}$/);
  expect(other.apiKey).not.toBe(one.apiKey);
  await Promise.all([one.close(), other.close()]);
});

it.each([
  ["0", "done"],
  [0, "done"],
  ["100ms", "pending"],
  ["1s", "pending"],
  [50, "pending"],
])("accepts an operation time of %j", async (operationTime, status) => {
  const api = await startHarness({ operationTime });
  const reply = await api.call("PATCH", `${paths.vpcs}/${api.vpcId}`, { body: { name: "x" } });
  expect(reply.body["status"]).toBe(status);
  await api.close();
});

it("refuses a used port, and frees the other", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as AddressInfo;
  await expect(startSimulator({ controlPort: port })).rejects.toThrow("EADDRINUSE");
  await expect(startSimulator({ port })).rejects.toThrow("EADDRINUSE");
  await new Promise((resolve) => taken.close(resolve));
  const simulator = await startSimulator({ port });
  expect(simulator.url).toBe(`http://127.0.0.1:${port}`);
  await simulator.close();
});

it("closing cuts an answer that a latency delays, not its effect", async () => {
  const api = await startHarness({ latency: "1h" });
  const answer = api.call("POST", "/v1/projects", { body: { name: "x" } });
  while ((await api.state())["projects"]?.length !== 2) await api.control("GET", "/clock");
  expect(await api.requests()).toEqual([{ method: "POST", path: "/v1/projects", status: 0 }]);
  await Promise.all([api.close(), expect(answer).rejects.toThrow()]);
  await expect(api.call("GET", "/v1/regions")).rejects.toThrow("ECONNREFUSED");
});

it("a request above the rate limit is 429 with Retry-After", async () => {
  const api = await startHarness({ rateLimit: "3" });
  const get = async (): Promise<number> => (await api.call("GET", "/v1/regions")).status;
  expect([await get(), await get(), await get(), await get()]).toEqual([200, 200, 200, 429]);
  const refused = await api.call("POST", "/v1/projects", { body: { name: "x" } });
  expect(refused.status).toBe(429);
  expect(refused.body["type"]).toBe("RATE_LIMIT_ERROR");
  expect(refused.headers["retry-after"]).toBe("1");
  expect(await api.state()).toMatchObject({ projects: [{}], auditLogs: [] });
  expect((await api.call("GET", "/v1/regions", { key: null })).status).toBe(401);
  await api.advance("10s");
  expect([await get(), await get(), await get(), await get()]).toEqual([200, 200, 200, 429]);
  await api.close();
});

it("each key has its own rate limit", async () => {
  const api = await startHarness({ rateLimit: 2 });
  const key = await api.newKey(["vm:read"]);
  const get = async (as: string): Promise<number> => (await api.call("GET", "/v1/regions", { key: as })).status;
  expect([await get(api.apiKey), await get(api.apiKey)]).toEqual([200, 429]);
  expect([await get(key), await get(key), await get(key)]).toEqual([200, 200, 429]);
  await api.advance("500ms");
  expect([await get(api.apiKey), await get(api.apiKey), await get(key)]).toEqual([200, 429, 200]);
  await api.close();
});

it("the command ends at SIGTERM", async () => {
  const lines: string[] = [];
  const write = (text: string): void => {
    lines.push(text);
    process.emit("SIGTERM");
  };
  await runSimulator({}, { stdout: { write } });
  const { url } = JSON.parse(lines[0] ?? "") as { url: string };
  await expect(fetch(`${url}/v1/regions`)).rejects.toThrow();
});
