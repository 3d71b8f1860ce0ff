import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import * as errors from "../../src/api/errors";
import { bench, CANARY, rejection } from "./support/api-fixture";
import { ids, listOf, sampleApiKeyCreate, sampleError, sampleRegion, sampleRuleCreate } from "./support/samples";

async function failing(status: number, body: unknown, headers: Record<string, string> = {}) {
  const regions = { status: 200, body: listOf([sampleRegion()]) };
  const { api, server } = await bench(({ method }) => (method === "GET" ? regions : { status, body, headers }));
  const call = { purpose: 'create ApiKey "deployer"' };
  return { error: await rejection(api.apiKeys.create(sampleApiKeyCreate(), call)), server };
}

describe("an error answer", () => {
  const correct = "Correct what is listed and run again.";
  const refused = "The API key from config cloudinfra:apiKey was refused";

  it.each([
    [400, errors.BadRequestError, "BAD_REQUEST", "none", correct],
    [401, errors.UnauthorizedError, "UNAUTHORIZED", "none", refused],
    [402, errors.ApiError, "API_ERROR", "none", ""],
    [403, errors.ForbiddenError, "FORBIDDEN", "none", "The API key from config cloudinfra:apiKey may not do this."],
    [404, errors.NotFoundError, "NOT_FOUND", "none", "no longer does. If the state has it, run `pulumi refresh`."],
    [404, errors.NotFoundError, "NOT_FOUND", "none", "If everything answers 404, check the base URL"],
    [409, errors.ConflictError, "CONFLICT", "unknown", "Refresh, then run again."],
    [422, errors.BadRequestError, "BAD_REQUEST", "none", correct],
    [429, errors.RateLimitedError, "RATE_LIMITED", "none", "The API limits the rate of requests"],
    [500, errors.ServerError, "SERVER_ERROR", "unknown", "The fault is on the API's side"],
    [503, errors.ServerError, "SERVER_ERROR", "unknown", "Run again later."],
  ])("an error has class, members, effect and advice for status %i", async (status, type, code, effect, advice) => {
    const { error } = await failing(status, sampleError("SOME_TYPE", "some message", { name: "too long" }));
    expect(error).toBeInstanceOf(type);
    expect(error).toBeInstanceOf(errors.CloudinfraError);
    expect(error).toMatchObject({ code, effect, status, type: "SOME_TYPE", requestId: "req-42", name: type.name });
    const request = 'create ApiKey "deployer" (POST /v1/api_keys)';
    expect(error.message).toContain(`${request} failed: ${status} SOME_TYPE: some message`);
    expect(error.message).toContain("request id req-42");
    expect(error.message).toContain(advice);
  });

  it("gives Pulumi no numeric code and no id", async () => {
    const { error } = await failing(500, sampleError("SOME_TYPE", "some message"));
    expect(typeof error["code"]).toBe("string");
    expect(error).not.toHaveProperty("id");
  });

  it("lists each wrong parameter with its reason", async () => {
    const parameters = { "permissions[0].resource_type": "must be a known type", name: "too long", tags: { max: 50 } };
    const { error } = await failing(400, sampleError("VALIDATION_ERROR", "validation failed", parameters));
    expect(error["parameters"]).toEqual({ ...parameters, tags: '{"max":50}' });
    expect(error.message.split("\n").slice(1, 4)).toEqual([
      "  - permissions[0].resource_type: must be a known type",
      "  - name: too long",
      '  - tags: {"max":50}',
    ]);
  });

  it.each([
    [301, "does not follow redirects"],
    [302, "The provider does not follow redirects, to protect the API key."],
    [399, "does not follow redirects"],
    [599, "The fault is on the API's side"],
  ])("advises by status %i if the type of the error is unknown", async (status, advice) => {
    const { error } = await failing(status, sampleError("SOME_TYPE", "some message"));
    expect(error.message).toContain(advice);
  });

  it("omits advice on parameters if none is listed", async () => {
    const { error } = await failing(400, sampleError("SOME_TYPE", "some message"));
    expect(error.message).not.toContain(correct);
  });

  it.each([
    [401, "INVALID_TOKEN_ERROR", "The API key from config cloudinfra:apiKey was refused"],
    [401, "AUTHORIZATION_HEADER_REQUIRED_ERROR", "a proxy may strip the Authorization header"],
    [401, "AUTHORIZATION_FORMAT_INVALID_ERROR", "check it for spaces and line breaks"],
    [403, "AUTHORIZATION_ERROR", 'lacks the permission ("edit" for this kind of resource)'],
    [403, "IP_RESTRICTED_ERROR", "block this machine's address, or do not list it"],
    [403, "PERMISSION_ESCALATION", "cannot give another key a permission that it lacks itself"],
    [403, "PROJECT_SCOPE_ESCALATION", "a project outside its own scope"],
  ])("advises for %i %s, and names the credential's source", async (status, type, words) => {
    const { error } = await failing(status, sampleError(type, "m"));
    expect(error.message).toContain(words);
    expect(error.message).toContain("config cloudinfra:apiKey");
  });

  it.each([
    ["CONFLICT", { "quota.networking.connect_connections": "limit 20, used 20" }, "quota is used up. Delete"],
    ["QUOTA_EXCEEDED_ERROR", {}, "quota is used up. Delete"],
    ["CONFLICT", {}, "present state, a name in use, or a quota"],
  ])("advises after a conflict: %s with %j", async (type, parameters, words) => {
    const { error } = await failing(409, { type, message: "20 of 20 used", request_id: "r", context: { parameters } });
    expect(error.message).toContain(words);
    if (words.includes("used up")) expect(error.message).not.toContain("name");
  });

  it("says that dependents may block a deletion after a 409", async () => {
    const { api } = await bench(() => ({ status: 409, body: sampleError("CONFLICT_ERROR", "it has 1 rule") }));
    const { message } = await rejection(api.apiKeys.delete("an-id", { purpose: 'delete ApiKey "deployer"' }));
    expect(message).toContain("Something still needs it, or it is changing now.");
  });

  it("ends the answer with a full stop before the advice", async () => {
    const { error } = await failing(500, sampleError("SOME_TYPE", "some message"));
    expect(error.message).toMatch(/req-42\)\.\nThe fault is on the API's side/);
  });

  it.each([402, 418, 451, 499])("an error has no advice for status %i", async (status) => {
    const { error } = await failing(status, sampleError("SOME_TYPE", "some message"));
    expect(error.message).not.toMatch(/fault is on|redirects|does not exist|Run again/);
    expect(error.message).toMatch(/: some message \(request id [^)]+\)\.$/);
  });

  it("reads only the status of a foreign error body", async () => {
    const { error } = await failing(502, "<html>bad gateway</html>", { "content-type": "text/html" });
    expect(error).toMatchObject({ code: "SERVER_ERROR", type: undefined, requestId: undefined });
    expect(error.message).toContain("failed: 502: an HTML page");
    expect(error.message).toMatch(/[^.]\.\n/);
  });

  it("uses the correct part of a body", async () => {
    const body = { type: 7, message: "in use", context: "none" };
    const { error } = await failing(409, body, { "x-request-id": "from-header" });
    expect(error).toMatchObject({ type: undefined, requestId: "from-header" });
    expect(error.message).toContain("in use");
  });

  it("shortens a message, and removes control characters", async () => {
    const { error } = await failing(409, sampleError("T", `\u001b[2J\u202e\nfake\r\n${"x".repeat(5_000)}`));
    expect(error.message).toContain("[2J fake xxx");
    expect(error.message.length).toBeLessThan(1_200);
  });

  it("says how often it tried", async () => {
    const { api } = await bench(() => ({ status: 503, body: {} }));
    expect((await rejection(api.apiKeys.get(ids.key))).message).toContain("5 attempts");
  });

  it.each([
    [400, "none"],
    [408, "unknown"],
    [429, "none"],
    [500, "unknown"],
    [503, "unknown"],
  ])("tells the effect of a status %i: %s", async (status, effect) => {
    expect((await failing(status, {})).error["effect"]).toBe(effect);
  });

  it.each([
    [408, "unknown"],
    [410, "none"],
    [412, "none"],
    [417, "none"],
    [423, "unknown"],
    [425, "unknown"],
    [451, "none"],
  ])("tells the effect of the API's own status %i: %s", async (status, effect) => {
    expect((await failing(status, sampleError("T", "m"))).error["effect"]).toBe(effect);
  });

  it("a 402 of a proxy leaves the effect unknown", async () => {
    expect((await failing(402, { message: "m" })).error["effect"]).toBe("unknown");
  });
});

describe("the credential", () => {
  const forms = {
    plain: CANARY,
    "percent-encoded": encodeURIComponent(CANARY),
    base64: Buffer.from(CANARY).toString("base64"),
    base64url: Buffer.from(CANARY).toString("base64url"),
    hex: Buffer.from(CANARY).toString("hex"),
  };

  it.each(Object.entries(forms))("hides a key that the API echoes %s", async (_form, echoed) => {
    const echo = sampleError(`TYPE_${echoed}`, `invalid token ${echoed}`, { [`p_${echoed}`]: `value ${echoed}` });
    const { error, server } = await failing(400, { ...echo, request_id: `id-${echoed}` }, { "x-request-id": echoed });
    expect(server.arrived[0]?.headers.authorization).toBe(`Bearer ${CANARY}`);
    const everything = `${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error)} ${error.stack ?? ""}`;
    for (const form of Object.values(forms)) expect(everything).not.toContain(form);
    expect(error.message).toContain("[credential]");
  });

  it("hides a key that the request id echoes", async () => {
    const { error } = await failing(500, {}, { "x-request-id": `id-${CANARY}` });
    expect(error).toMatchObject({ requestId: "id-[credential]" });
    expect(inspect(error)).not.toContain(CANARY);
  });

  const location = `https://x.test/${CANARY}`;

  it.each<[string, (response: ServerResponse) => unknown]>([
    ["the connection breaks", (response) => response.destroy()],
    ["the answer is not JSON", (response) => response.end(`<p>${CANARY}`)],
    ["the answer lacks a member", (response) => response.end(JSON.stringify({ id: CANARY, name: 5, key: CANARY }))],
    ["the answer is a redirect", (response) => response.writeHead(307, { location }).end()],
  ])("hides the key and the request body if %s", async (_why, reply) => {
    const { api } = await bench(() => (response) => void reply(response));
    const error = await rejection(api.firewallRules(ids.vpc).create({ ...sampleRuleCreate(), name: "canary-body" }));
    const everything = inspect(error, { depth: 10, showHidden: true });
    expect(everything).not.toContain(CANARY);
    expect(everything).not.toContain("canary-body");
    expect(everything.toLowerCase()).not.toContain("bearer");
  });
});
