import { harnessForSuite, startOfTime } from "./support/harness";

const required = "AUTHORIZATION_HEADER_REQUIRED_ERROR";
const format = "AUTHORIZATION_FORMAT_INVALID_ERROR";
const token = "INVALID_TOKEN_ERROR";

/* The Authorization header: sections 5.2, 7.2. */

const api = harnessForSuite({ apiKey: "the-owners-key" });

it.each([
  ["no header", undefined, required, "authorization header required"],
  ["an empty header", "", format, "Bearer"],
  ["a bare scheme", "Bearer", format, "Bearer"],
  ["a bare token", "the-owners-key", format, "Bearer"],
  ["an extra field", "Bearer the-owners-key x", format, "Bearer"],
  ["a no-break space", "Bearer\u00a0the-owners-key", format, "Bearer"],
  ["another scheme", "Token the-owners-key", format, "Bearer"],
  ["another scheme with a wrong key", "Basic nonsense", format, "Bearer"],
  ["a mistyped key", "Bearer the-owners-kez", token, "invalid token"],
  ["a truncated key", "Bearer the-owners-ke", token, "invalid token"],
])("answers 401 of the right type to %s", async (_name, header, type, message) => {
  for (const path of ["/v1/regions", "/v1/nowhere", "/v1/%zz", "/v1/api_keys/x?limit=y"]) {
    const headers = header === undefined ? undefined : { authorization: header };
    const reply = await api.call("GET", path, { key: null, ...(headers && { headers }) });
    expect(reply.status).toBe(401);
    expect(reply.body).toEqual({
      type,
      message: expect.stringContaining(message) as string,
      request_id: reply.headers["x-request-id"],
      timestamp: "2026-03-01T12:00:00Z",
      context: { parameters: {} },
    });
  }
});

it.each(["Bearer the-owners-key", "bearer the-owners-key", "BEARER   the-owners-key", "bEaReR\tthe-owners-key"])(
  "accepts the header %j",
  async (authorization) => {
    const reply = await api.call("GET", "/v1/regions", { key: null, headers: { authorization } });
    expect(reply.status).toBe(200);
  },
);

it("an unknown method is 405 with Allow, after 401", async () => {
  for (const method of ["PUT", "OPTIONS", "DELETE", "TRACE", "QUERY", "HEAD"]) {
    expect((await api.call(method, "/v1/api_keys", { key: null })).status).toBe(401);
    const sending = method === "HEAD" || method === "TRACE" ? {} : { body: "{ not json" };
    const reply = await api.call(method, "/v1/api_keys", sending);
    expect([reply.status, reply.headers["allow"]]).toEqual([405, "POST, GET"]);
    if (method !== "HEAD") expect(reply.body["type"]).toBe("METHOD_NOT_ALLOWED_ERROR");
  }
});

it("an unknown path is 404, whatever the body", async () => {
  const reply = await api.call("POST", "/v1/nowhere", { body: "{ not json" });
  expect([reply.status, reply.body["type"]]).toEqual([404, "NOT_FOUND_ERROR"]);
});

it("a path that cannot be decoded is 404", async () => {
  for (const path of ["/", "/v1", "/v1/compute", "/v1/regions/", "/v1/%zz"]) {
    const reply = await api.call("GET", path);
    expect(reply.status).toBe(404);
    expect(reply.body["type"]).toBe("NOT_FOUND_ERROR");
  }
  expect((await api.requests()).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
});

it("each response has the simulated date and a request id", async () => {
  await api.advance("2d");
  const replies = await Promise.all([
    api.call("GET", "/v1/regions"),
    api.call("GET", "/v1/nowhere"),
    api.call("GET", "/v1/regions", { key: null }),
  ]);
  for (const reply of replies) {
    expect(reply.headers["date"]).toBe(new Date(startOfTime + 2 * 86_400_000).toUTCString());
    expect(reply.headers["x-request-id"]).toMatch(/^[\w-]{36}$/);
  }
  expect(new Set(replies.map(({ headers }) => headers["x-request-id"])).size).toBe(3);
});

/* The life of a key: section 3.1. */

it.each([
  ["an expired key no longer signs in", { expires_at: "2026-03-01T13:00:00Z" }, "active", "expired"],
  ["a key signs in from its start on", { starts_at: "2026-03-01T13:00:00Z" }, "inactive", "active"],
])("%s", async (_title, times, ...statuses) => {
  const key = await api.newKey(["vpc:read"], times);
  await api.advance("3599999ms");
  for (const status of statuses) {
    const { type } = await api.get("/v1/regions", key);
    expect(type).toBe(status === "active" ? undefined : token);
    expect(await api.ownKeys()).toMatchObject([{ status }]);
    await api.advance("1ms");
  }
});
