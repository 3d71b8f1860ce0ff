import { harnessForSuite, type Json, paths, requests } from "./support/harness";

const api = harnessForSuite({ operationTime: "0" });

const regions = "/v1/regions";
const statuses = async (count: number): Promise<number[]> => {
  const seen: number[] = [];
  for (let index = 0; index < count; index += 1) seen.push((await api.call("GET", regions)).status);
  return seen;
};
const create = () => api.create(paths.apiKeys, requests.key);

it.each([
  ["a fault hits the next request by default", { path: "^/v1/regions$", status: 503 }, [503, 200, 200]],
  ["a fault hits the next `times` requests", { path: "regions", status: 500, times: 2 }, [500, 500, 200, 200]],
])("%s", async (_title, fault, expected) => {
  await api.fault({ method: "GET", ...fault });
  expect(await statuses(expected.length)).toEqual(expected);
  expect((await api.control("GET", "/faults")).body).toEqual([]);
});

it("a fault hits every nth request until deleted", async () => {
  await api.fault({ method: "GET", path: "regions", status: 500, every: 3 });
  expect(await statuses(7)).toEqual([200, 200, 500, 200, 200, 500, 200]);
  expect((await api.control("GET", "/faults")).body).toMatchObject([{ every: 3, seen: 7, fired: 2, path: "regions" }]);
  expect((await api.control("DELETE", "/faults")).status).toBe(204);
  expect(await statuses(3)).toEqual([200, 200, 200]);
});

it("a fault misses other paths, and requests without a credential", async () => {
  await api.fault({ method: "POST", path: "regions", status: 500 });
  await api.fault({ method: "GET", path: "^/regions", status: 500 });
  await api.fault({ method: "GET", path: "limit", status: 500 });
  expect((await api.call("GET", `${regions}?limit=1`)).status).toBe(200);
  await api.fault({ path: "regions", status: 500 });
  expect((await api.call("GET", regions, { key: null })).status).toBe(401);
  expect(await statuses(2)).toEqual([500, 200]);
});

it("a request uses up one fault", async () => {
  await api.fault({ path: "regions", status: 500 });
  await api.fault({ path: "regions", status: 502 });
  expect(await statuses(3)).toEqual([500, 502, 200]);
});

it.each([
  [400, "VALIDATION_ERROR"],
  [401, "INVALID_TOKEN_ERROR"],
  [409, "CONFLICT_ERROR"],
  [418, "SIMULATED_FAULT_ERROR"],
  [429, "RATE_LIMIT_ERROR"],
  [503, "INTERNAL_ERROR"],
])("answers %i in the envelope, before the handler runs", async (status, type) => {
  await api.fault({ method: "POST", path: "api_keys", status, headers: { "Retry-After": "7" } });
  const reply = await create();
  expect([reply.status, reply.body["type"], reply.headers["retry-after"]]).toEqual([status, type, "7"]);
  expect(reply.body["request_id"]).toBe(reply.headers["x-request-id"]);
  expect(await api.ownKeys()).toEqual([]);
  expect((await api.state())["auditLogs"]).toEqual([]);
});

it("an ingress fault answers with HTML and executes nothing", async () => {
  await api.fault({ path: "api_keys", ingress: 404, times: 2 });
  for (const reply of [await create(), await api.call("GET", "/v1/api_keys/nothing")]) {
    expect([reply.status, reply.body]).toEqual([404, { text: "default backend - 404\n" }]);
    expect([reply.headers["content-type"], reply.headers["x-request-id"]]).toEqual(["text/html", undefined]);
  }
  expect(await api.ownKeys()).toEqual([]);
  expect((await api.state())["auditLogs"]).toEqual([]);
  expect((await api.requests())[0]).toEqual({ method: "POST", path: "/v1/api_keys", status: 404 });
});

const created = { action: "api_key.create", status_code: 201 };

it.each([
  ["before the handler has no effect", "before", [], []],
  ["after the handler keeps the effect", "after", [{ name: "deployer" }], [created]],
])("a drop %s", async (_title, drop, keys, auditLogs) => {
  await api.fault({ method: "POST", path: "api_keys", drop });
  await expect(create()).rejects.toThrow();
  expect(await api.ownKeys()).toMatchObject(keys);
  expect(await api.state()).toMatchObject({ auditLogs });
  expect(await api.requests()).toEqual([{ method: "POST", path: paths.apiKeys, status: 0 }]);
});

it("a truncated answer keeps the effect of its request", async () => {
  for (const truncate of [true, 10, 0, 100_000]) {
    await api.fault({ method: "POST", path: "api_keys", truncate });
    await expect(create()).rejects.toThrow(/other side closed|aborted|terminated/);
  }
  expect(await api.ownKeys()).toHaveLength(4);
});

it("a delayed answer does not delay the effect", async () => {
  await api.fault({ method: "POST", path: "api_keys", delay: "60s" });
  const controller = new AbortController();
  const answer = fetch(`${api.url}/v1/api_keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${api.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(requests.key),
    signal: controller.signal,
  });
  while ((await api.ownKeys()).length === 0) await api.call("GET", regions);
  expect((await api.requests())[0]).toEqual({ method: "POST", path: "/v1/api_keys", status: 0 });
  controller.abort();
  await expect(answer).rejects.toThrow("aborted");
});

it("sends the answer after a short delay", async () => {
  await api.fault({ method: "POST", path: "api_keys", delay: "5ms" });
  expect((await create()).status).toBe(201);
});

it("headers and a body replace those of the answer", async () => {
  const html = { headers: { "content-type": "text/html; charset=utf-8" }, body: "<h1>Bad gateway</h1>" };
  await api.fault({ method: "POST", path: "api_keys", ...html });
  const { status, headers, body } = await create();
  expect([status, headers["content-type"], body]).toEqual([201, html.headers["content-type"], { text: html.body }]);
  await api.fault({ method: "POST", path: "api_keys", status: 502, ...html });
  const before = await create();
  expect([before.status, before.body]).toEqual([502, { text: html.body }]);
  expect(await api.ownKeys()).toHaveLength(1);
});

it("fails only the operation of the matching request", async () => {
  await api.fault({ method: "POST", path: "firewall_rules$", operation: "fail" });
  expect((await api.create(paths.rules, requests.rule)).body["status"]).toBe("failed");
  expect((await api.create(paths.rules, requests.rule)).body["status"]).toBe("done");
  expect((await api.state())["firewallRules"]).toMatchObject([{ status: "error" }, { status: "ready" }]);
});

it.each<[string, Json, string]>([
  ["no path", { status: 500 }, "path"],
  ["a path that is no pattern", { path: "(", status: 500 }, "path: must be a regular expression"],
  ["no effect", { path: "x" }, "name an effect"],
  ["an unknown member", { path: "x", status: 500, tiems: 2 }, "tiems"],
  ["a status that is none", { path: "x", status: 99 }, "status"],
  ["an ingress that answers well", { path: "x", ingress: 200 }, "ingress"],
  ["a drop that is none", { path: "x", drop: "during" }, "drop"],
  ["a delay that is none", { path: "x", delay: "soon" }, "delay: must be a duration"],
  ["a delay without a unit", { path: "x", delay: "5" }, "delay: must be a duration with a unit"],
  ["a delay that no timer holds", { path: "x", delay: "25d" }, "delay: must be at most 12d"],
  ["no times", { path: "x", status: 500, times: 0 }, "times"],
  ["times and every", { path: "x", status: 500, times: 1, every: 2 }, "exclude each other"],
  ["a header that is none", { path: "x", headers: { "bad header": "x" } }, "headers"],
  ["a header that splits", { path: "x", headers: { good: "x\r\ny: z" } }, "headers"],
])("the control port refuses %s and says why", async (_name, fault, reason) => {
  const reply = await api.control("POST", "/faults", fault);
  expect(reply.status).toBe(400);
  expect(reply.body["error"]).toContain(reason);
  expect((await api.control("GET", "/faults")).body).toEqual([]);
});
