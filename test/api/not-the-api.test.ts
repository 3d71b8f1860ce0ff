import { NotFoundError, NotTheApiError } from "../../src/api/errors";
import { all, bench, rejection } from "./support/api-fixture";
import { ids, listOf, sampleApiKey, sampleApiKeyCreate, sampleError, sampleRegion, without } from "./support/samples";
import type { ReceivedRequest, Reply } from "./support/stub-server";

const absent = sampleError("NOT_FOUND_ERROR", "no such api key");
const notFound: Reply = { status: 404, body: absent };
const regions: Reply = { status: 200, body: listOf([sampleRegion()]) };
const isRegions = ({ url }: ReceivedRequest): boolean => url.includes("/v1/regions");
const requestLines = (arrived: readonly ReceivedRequest[]): string[] =>
  arrived.map(({ method, url }) => `${method} ${url}`);

describe("when a 404 is not the API's own", () => {
  it.each([
    ["an HTML page", { status: 404, body: "<html>404</html>", headers: { "content-type": "text/html" } }],
    ["a text", { status: 404, body: "default backend - 404", headers: { "content-type": "text/plain" } }],
    ["empty", { status: 404 }],
    ["JSON of another form", { status: 404, body: { message: "no Route matched with those values" } }],
    ["JSON of another form", { status: 404, body: without(absent, "request_id") }],
    ["JSON of another form", { status: 404, body: without(absent, "timestamp") }],
    ["JSON of another form", { status: 404, body: without(absent, "context") }],
  ] satisfies [string, Reply][])("does not report an object as deleted: the answer is %s", async (kind, reply) => {
    const { api, server } = await bench((request) => (isRegions(request) ? regions : reply));
    await all(api.regions.list());
    const call = { purpose: 'read API key "deployer"' };
    for (const attempt of [api.apiKeys.get(ids.key, call), api.apiKeys.delete(ids.key, call)]) {
      const error = await rejection(attempt);
      expect(error).toBeInstanceOf(NotTheApiError);
      expect(error).toMatchObject({ code: "NOT_THE_API", status: 404 });
      expect(error.message).toContain(`read API key "deployer"`);
      expect(error.message).toContain(`the answer is ${kind}, not the API's own error`);
      expect(error.message).toContain(`${server.url} (the part before /v1)`);
      expect(error.message).toContain(`127.0.0.1:${server.port}: an ingress`);
      expect(error.message).toContain("cloudinfra doctor");
    }
  });

  it("says that a creation may have been carried out", async () => {
    const { api } = await bench(() => ({ status: 404, body: "default backend - 404" }));
    const error = await rejection(api.apiKeys.create(sampleApiKeyCreate()));
    expect(error).toMatchObject({ code: "NOT_THE_API", effect: "unknown" });
  });

  it("does not show the text of a foreign answer", async () => {
    const { api } = await bench(() => ({ status: 404, body: "\u001b[2Jcanary-text" }));
    expect((await rejection(api.apiKeys.get(ids.key))).message).not.toContain("canary-text");
  });
});

describe("when the API itself answers 404", () => {
  it("believes a 404 once the API has answered", async () => {
    const { api, server } = await bench(({ url }) =>
      url.endsWith(ids.key) ? { status: 200, body: sampleApiKey() } : notFound,
    );
    await api.apiKeys.get(ids.key);
    expect(await rejection(api.apiKeys.get("gone"))).toBeInstanceOf(NotFoundError);
    const gone = "GET /v1/api_keys/gone";
    expect(requestLines(server.arrived)).toEqual([`GET /v1/api_keys/${ids.key}`, gone, gone]);
  });

  it("ignores a 404 that is not repeated", async () => {
    const replies = [notFound, { status: 200, body: sampleApiKey() }];
    const { api } = await bench((request) => (isRegions(request) ? regions : replies.shift()!));
    expect(await api.apiKeys.get(ids.key)).toMatchObject({ id: ids.key });
  });

  it("does not repeat an expected 404", async () => {
    const { api, server } = await bench((request) => (isRegions(request) ? regions : notFound));
    expect(await rejection(api.apiKeys.get(ids.key, { mayBeMissing: true }))).toBeInstanceOf(NotFoundError);
    expect(server.arrived.filter((request) => !isRegions(request))).toHaveLength(1);
  });

  it("asks once for regions if the API answered nothing else", async () => {
    const { api, server } = await bench((request) => (isRegions(request) ? regions : notFound));
    const errors = await Promise.all(["a", "b", "c"].map((id) => rejection(api.apiKeys.delete(id))));
    for (const error of errors) expect(error).toBeInstanceOf(NotFoundError);
    expect(await rejection(api.apiKeys.get("d"))).toBeInstanceOf(NotFoundError);
    expect(server.arrived.filter(isRegions)).toHaveLength(1);
  });

  it("a wrong path in the base URL deletes nothing", async () => {
    const { api, server } = await bench(() => notFound, { prefix: "/api" });
    for (const error of await Promise.all(["a", "b"].map((id) => rejection(api.apiKeys.get(id))))) {
      expect(error).toMatchObject({ code: "NOT_THE_API", effect: "none" });
      expect(error.message).toContain("GET /v1/regions, which every API has, got the same answer");
      expect(error.message).toContain(`${server.url}/api (the part before /v1)`);
    }
    expect(await rejection(api.apiKeys.delete("c"))).toMatchObject({ code: "NOT_THE_API" });
    expect(server.arrived.filter(isRegions)).toHaveLength(1);
  });

  it("names a superfluous /v1 in the base URL", async () => {
    const { api, server } = await bench(() => notFound, { prefix: "/v1" });
    const { message } = await rejection(api.apiKeys.get("a"));
    expect(message).toContain(`The base URL is ${server.url}/v1. Each request adds /v1`);
    expect(message).toContain(`should probably not end with it: try ${server.url}. "cloudinfra doctor"`);
    expect(message).not.toContain("ingress");
  });

  it.each([
    ["refused", { status: 401, body: sampleError("INVALID_TOKEN_ERROR", "invalid token") }],
    ["an HTML page", { status: 200, body: "<html>", headers: { "content-type": "text/html" } }],
    ["JSON of another form", { status: 200, body: { ok: true } }],
    ["somebody else's 404", { status: 404, body: "default backend - 404" }],
  ] satisfies [string, Reply][])("regions answered with %s: the object still exists", async (_case, reply) => {
    const { api } = await bench((request) => (isRegions(request) ? reply : notFound));
    expect(await rejection(api.apiKeys.get("a"))).toMatchObject({ code: "NOT_THE_API" });
  });

  it("asks again for regions after a failure", async () => {
    let isDown = true;
    const { api } = await bench((request) => {
      if (!isRegions(request)) return notFound;
      return isDown ? { status: 503, body: {} } : regions;
    });
    expect(await rejection(api.apiKeys.get("a"))).toMatchObject({ code: "NOT_THE_API" });
    isDown = false;
    expect(await rejection(api.apiKeys.get("a"))).toBeInstanceOf(NotFoundError);
  });
});
