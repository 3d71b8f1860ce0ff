import { openApiEndpoint } from "../../src/simulator/http/openapi";
import type { Dialect } from "../../src/simulator/model/dialect";
import { resourceTypes } from "../../src/simulator/model/permissions";
import type { AnyEndpoint } from "../../src/simulator/services/endpoint";
import { endpointsOf } from "../../src/simulator/services/endpoints";
import { type Harness, type Sending, startHarness } from "./support/harness";
import { type Ids, populate } from "./support/populated";
import { badRequests, effectsOf, goodRequest, targetOf } from "./support/route-requests";

/*
 * Everyone who may not, on every route there is: the cases are made from the route table, so that a new route needs no line
 * here. What a route takes is another matter: permissions.test.ts has the table of that.
 */

/** Who knocks without a key that is valid, with what the specification (section 7.2) says they are told. */
const strangers = [
  ["no credential", "AUTHORIZATION_HEADER_REQUIRED_ERROR"],
  ["a bare scheme", "AUTHORIZATION_FORMAT_INVALID_ERROR"],
  ["another scheme", "AUTHORIZATION_FORMAT_INVALID_ERROR"],
  ["an extra field", "AUTHORIZATION_FORMAT_INVALID_ERROR"],
  ["an unknown key", "INVALID_TOKEN_ERROR"],
  ["an expired key", "INVALID_TOKEN_ERROR"],
  ["a deleted key", "INVALID_TOKEN_ERROR"],
  ["a key that has not started", "INVALID_TOKEN_ERROR"],
  ["a key of another organization", "INVALID_TOKEN_ERROR"],
] as const;

/** Whether a request names something of one project: by an id in its path, or by the project's own. */
const isOfOneProject = ({ path, query, body }: AnyEndpoint): boolean =>
  /\{(?!name|region|audit_log_id)\w+\}/.test(path) || [query, body].some((schema) => schema?.shape["project_id"]);

const everything = resourceTypes.map((type) => `${type}:edit`);

const routesOf = (dialect: Dialect) =>
  [...endpointsOf(dialect), openApiEndpoint(() => ({}))].map(
    (endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const,
  );
const ofSpecification = routesOf("spec");
const known = new Set(ofSpecification.map(([route]) => route));
const ofPublicServiceOnly = routesOf("nirvana").filter(([route]) => !known.has(route));

describe.each([
  ["spec", ofSpecification],
  ["nirvana", ofPublicServiceOnly],
] as const)("in the dialect %s", (dialect, routes) => {
  let api: Harness;
  let ids: Ids;
  let headers: Readonly<Record<string, Record<string, string>>>;
  let elsewhere: string;
  beforeAll(async () => {
    api = await startHarness({ dialect, operationTime: "0" });
    const other = await startHarness({ dialect });
    const foreign = await other.newKey(everything);
    await other.close();
    ids = await populate(api);
    const expired = await api.newKey(everything, { expires_at: "2026-03-01T13:00:00Z" });
    const early = await api.newKey(everything, { starts_at: "2026-03-02T00:00:00Z" });
    const deleted = await api.newKey(everything);
    const { apiKeys } = await api.state();
    await api.call("DELETE", `/v1/api_keys/${String(apiKeys?.at(-1)?.["id"])}`);
    elsewhere = await api.newKey(everything, { source_ip_rule: { allowed: ["192.168.1.0/24"] } });
    await api.advance("1h");
    headers = {
      "no credential": {},
      "a bare scheme": { authorization: "Bearer" },
      "another scheme": { authorization: `Basic ${api.apiKey}` },
      "an extra field": { authorization: `Bearer ${api.apiKey} x` },
      "an unknown key": { authorization: `Bearer ${api.apiKey.slice(0, -1)}` },
      "an expired key": { authorization: `Bearer ${expired}` },
      "a deleted key": { authorization: `Bearer ${deleted}` },
      "a key that has not started": { authorization: `Bearer ${early}` },
      "a key of another organization": { authorization: `Bearer ${foreign}` },
    };
  });
  afterAll(() => api.close());

  async function expectRefused(endpoint: AnyEndpoint, caller: Sending, status: number, type: string): Promise<void> {
    const before = await effectsOf(api);
    for (const { search, sending } of [goodRequest(api, endpoint), ...badRequests(endpoint)]) {
      const reply = await api.call(endpoint.method, targetOf(endpoint, ids) + search, {
        ...caller,
        ...sending,
        headers: { ...caller.headers, ...sending.headers },
      });
      expect([reply.status, reply.body]).toEqual([
        status,
        {
          type,
          message: expect.any(String) as string,
          request_id: reply.headers["x-request-id"],
          timestamp: "2026-03-01T13:00:00Z",
          context: { parameters: {} },
        },
      ]);
    }
    expect(await effectsOf(api)).toEqual(before);
  }

  describe.each(strangers)("with %s, the answer is 401 before anything else", (who, type) => {
    test.each(routes)("%s", async (_route, endpoint) => {
      const logged = (await api.state())["auditLogs"];
      await expectRefused(endpoint, { key: null, headers: headers[who] ?? {} }, 401, type);
      expect((await api.state())["auditLogs"]).toEqual(logged);
    });
  });

  test.each(routes)(
    "%s, from an address that the key may not come from: 403, whatever it says of itself",
    (_, endpoint) =>
      expectRefused(
        endpoint,
        { key: elsewhere, headers: { "x-forwarded-for": "192.168.1.5", forwarded: "for=192.168.1.5" } },
        403,
        "IP_RESTRICTED_ERROR",
      ),
  );

  test.each(routes.filter(([, { needs }]) => needs))(
    "%s, with every permission but the one that it takes, and with the level below: 403, unread",
    async (_route, endpoint) => {
      const { resourceType, level } = endpoint.needs ?? {};
      const others = everything.filter((permission) => permission !== `${String(resourceType)}:edit`);
      const lacking = [await api.newKey(others)];
      if (level === "edit") lacking.push(await api.newKey([...others, `${String(resourceType)}:read`]));
      for (const key of lacking) await expectRefused(endpoint, { key }, 403, "AUTHORIZATION_ERROR");
    },
  );

  test.each(routes.filter(([, endpoint]) => isOfOneProject(endpoint)))(
    "%s, with every permission, but in another project: 403 before the body is looked at",
    async (_route, endpoint) => {
      const key = await api.newKey(everything, { project_ids: [await api.newProject()] });
      const before = await effectsOf(api);
      const { search, sending } = goodRequest(api, endpoint);
      const reply = await api.call(endpoint.method, targetOf(endpoint, ids) + search, { ...sending, key });
      expect([reply.status, reply.body["type"]]).toEqual([403, "AUTHORIZATION_ERROR"]);
      expect(await effectsOf(api)).toEqual(before);
    },
  );
});

// Without this, the refusals above could be those of requests that would have done nothing anyway.
test.each([...ofSpecification, ...ofPublicServiceOnly].filter(([, { audit }]) => audit))(
  "%s, with the owner's key: the same request takes effect",
  async (_route, endpoint) => {
    const api = await startHarness({ operationTime: "0" });
    try {
      const ids = await populate(api);
      const before = await effectsOf(api);
      const { search, sending } = goodRequest(api, endpoint);
      const reply = await api.call(endpoint.method, targetOf(endpoint, ids) + search, sending);
      expect(reply.status).toBe(endpoint.status);
      expect(await effectsOf(api)).not.toEqual(before);
    } finally {
      await api.close();
    }
  },
);
