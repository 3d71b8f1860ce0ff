import { openApiEndpoint } from "../../src/simulator/http/openapi";
import { type Dialect, resourceTypes } from "../../src/simulator/model/catalogs";
import type { Endpoint } from "../../src/simulator/services/endpoint";
import { nounsOf } from "../../src/simulator/nouns/noun-registry";
import { endpointsOf } from "../../src/simulator/services/endpoints";
import { harnessForSuite, type Reply, type RequestOptions, withHarness } from "./support/harness";
import { type Ids, populate } from "./support/populated";
import { badRequests, effectsOf, goodRequest, targetOf } from "./support/route-requests";

/*
 * Tries every route as every caller without access. The cases follow from the routes, so a new route needs no line
 * here. permissions.test.ts has the permission of each route.
 */

type Keys = Readonly<Record<"owner" | "expired" | "deleted" | "early" | "foreign", string>>;

/** Callers without a valid key: their header, and the error types of the specification (section 7.2). */
const strangers: readonly (readonly [title: string, type: string, header: ((keys: Keys) => string) | undefined])[] = [
  ["no credential", "AUTHORIZATION_HEADER_REQUIRED_ERROR", undefined],
  ["a bare scheme", "AUTHORIZATION_FORMAT_INVALID_ERROR", () => "Bearer"],
  ["another scheme", "AUTHORIZATION_FORMAT_INVALID_ERROR", ({ owner }) => `Basic ${owner}`],
  ["an extra field", "AUTHORIZATION_FORMAT_INVALID_ERROR", ({ owner }) => `Bearer ${owner} x`],
  ["an unknown key", "INVALID_TOKEN_ERROR", ({ owner }) => `Bearer ${owner.slice(0, -1)}`],
  ["an expired key", "INVALID_TOKEN_ERROR", ({ expired }) => `Bearer ${expired}`],
  ["a deleted key", "INVALID_TOKEN_ERROR", ({ deleted }) => `Bearer ${deleted}`],
  ["a key that has not started", "INVALID_TOKEN_ERROR", ({ early }) => `Bearer ${early}`],
  ["a key of another organization", "INVALID_TOKEN_ERROR", ({ foreign }) => `Bearer ${foreign}`],
];

/** The parameters of paths that name nothing of one project. */
const ofNoProject = [
  ...["name", "region", "instance_type", "audit_log_id", "membership_id"],
  ...nounsOf("spec").flatMap((noun) =>
    noun.isOfOrganization && noun.scopeOf === undefined ? [`${noun.kind}_id`] : [],
  ),
];
/** True if a request names something of one project: by an id in its path, or by the project's own id. */
const isOfOneProject = ({ path, query, body }: Endpoint): boolean =>
  [...path.matchAll(/\{(\w+)\}/g)].some(([, name = ""]) => !ofNoProject.includes(name)) ||
  [query, body].some((schema) => schema?.shape["project_id"]);

const everything = resourceTypes.map((type) => `${type}:edit`);

const routesOf = (dialect: Dialect) =>
  [...endpointsOf(dialect), openApiEndpoint(() => ({}))].map(
    (endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const,
  );
const routes = routesOf("spec");

it("the public service's dialect has no additional route", () => {
  const known = routes.map(([route]) => route);
  expect(routesOf("nirvana").flatMap(([route]) => (known.includes(route) ? [] : [route]))).toEqual([]);
});

describe("unauthorized requests", () => {
  const api = harnessForSuite({ operationTime: "0" }, { keeps: true });
  let ids: Ids;
  let keys: Keys;
  let elsewhere: string;
  beforeAll(async () => {
    const foreign = await withHarness({}, (other) => other.newKey(everything));
    ids = await populate(api);
    const expired = await api.newKey(everything, { expires_at: "2026-03-01T13:00:00Z" });
    const early = await api.newKey(everything, { starts_at: "2026-03-02T00:00:00Z" });
    const deleted = await api.newKey(everything);
    const { apiKeys } = await api.state();
    await api.call("DELETE", `/v1/api_keys/${String(apiKeys?.at(-1)?.["id"])}`);
    elsewhere = await api.newKey(everything, { source_ip_rule: { allowed: ["192.168.1.0/24"] } });
    await api.advance("1h");
    keys = { owner: api.apiKey, expired, deleted, early, foreign };
  });

  /** Sends the requests of a route, valid and invalid ones or one of them, and expects that each is rejected. */
  async function expectRefused(
    endpoint: Endpoint,
    caller: RequestOptions,
    status: number,
    type: string,
    badOnes = badRequests(endpoint),
  ): Promise<void> {
    const requests = [goodRequest(api, endpoint, ids), ...badOnes];
    const replies = await Promise.all(
      requests.map(({ search, sending }) =>
        api.call(endpoint.method, targetOf(endpoint, ids) + search, {
          ...caller,
          ...sending,
          headers: { ...caller.headers, ...sending.headers },
        }),
      ),
    );
    const refusal = (reply: Reply): unknown => ({
      type,
      message: expect.any(String) as string,
      request_id: reply.headers["x-request-id"],
      timestamp: "2026-03-01T13:00:00Z",
      context: { parameters: {} },
    });
    const route = `${endpoint.method} ${endpoint.path}`;
    expect(replies.map(({ status: got, body }) => [route, got, body])).toEqual(
      replies.map((reply) => [route, status, refusal(reply)]),
    );
  }

  /** Tries all routes, and expects that nothing has changed. */
  async function expectHarmless(walk: (endpoint: Endpoint) => Promise<void>, ...of: readonly Endpoint[]) {
    const before = await effectsOf(api);
    for (const endpoint of of) await walk(endpoint);
    expect(await effectsOf(api)).toEqual(before);
  }

  const all = routes.map(([, endpoint]) => endpoint);

  it.each(strangers)("every route is 401 with %s", async (title, type, header) => {
    const logged = (await api.state())["auditLogs"];
    const caller = { key: null, headers: header ? { authorization: header(keys) } : {} };
    // Together, all callers send every invalid request to every route, each caller two or three of them.
    const turn = strangers.findIndex(([stranger]) => stranger === title);
    const badOne = (endpoint: Endpoint) => {
      const badOnes = badRequests(endpoint);
      return badOnes.slice(turn % badOnes.length, (turn % badOnes.length) + 1);
    };
    await expectHarmless((endpoint) => expectRefused(endpoint, caller, 401, type, badOne(endpoint)), ...all);
    expect((await api.state())["auditLogs"]).toEqual(logged);
  });

  it("every route is 403 from a blocked address", async () => {
    const caller = { key: elsewhere, headers: { "x-forwarded-for": "192.168.1.5", forwarded: "for=192.168.1.5" } };
    await expectHarmless((endpoint) => expectRefused(endpoint, caller, 403, "IP_RESTRICTED_ERROR"), ...all);
  });

  it.each(resourceTypes)("answers 403 at every route to a key with less than %s", async (resourceType) => {
    const others = everything.filter((permission) => permission !== `${resourceType}:edit`);
    const lacking = await api.newKey(others);
    const reading = await api.newKey([...others, `${resourceType}:read`]);
    const taking = all.filter(({ needs }) => needs?.resourceType === resourceType);
    await expectHarmless(
      async (endpoint) => {
        await expectRefused(endpoint, { key: lacking }, 403, "AUTHORIZATION_ERROR");
        if (endpoint.needs?.level === "edit") {
          await expectRefused(endpoint, { key: reading }, 403, "AUTHORIZATION_ERROR");
        }
      },
      ...taking,
    );
  });

  it("every route of a project is 403 with another project", async () => {
    const key = await api.newKey(everything, { project_ids: [await api.newProject()] });
    await expectHarmless(
      async (endpoint) => {
        const { search, sending } = goodRequest(api, endpoint, ids);
        const reply = await api.call(endpoint.method, targetOf(endpoint, ids) + search, { ...sending, key });
        const { method, path } = endpoint;
        expect([method, path, reply.status, reply.body["type"]]).toEqual([method, path, 403, "AUTHORIZATION_ERROR"]);
      },
      ...all.filter(isOfOneProject),
    );
  });
});

// This shows that the requests rejected above would otherwise take effect.
describe("the same requests with the owner's key", () => {
  const api = harnessForSuite({ operationTime: "0" }, { keeps: true });
  let ids: Ids;
  /** True if everything that requests need still exists. Creating it takes forty requests. */
  let isPopulated = false;

  it.each(routes.filter(([, { audit }]) => audit))("the owner's request takes effect: %s", async (_route, endpoint) => {
    if (!isPopulated) {
      api.reset();
      ids = await populate(api);
    }
    isPopulated = false;
    const before = await effectsOf(api);
    const { search, sending } = goodRequest(api, endpoint, ids);
    const reply = await api.call(endpoint.method, targetOf(endpoint, ids) + search, sending);
    expect([reply.status, reply.body]).toEqual([endpoint.status, expect.anything()]);
    expect(await effectsOf(api)).not.toEqual(before);
    isPopulated = endpoint.method !== "DELETE" && !endpoint.path.endsWith("/leave");
  });
});
