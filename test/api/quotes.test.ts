import { bench, rejection, type TestApi } from "./support/api-fixture";
import type { ReceivedRequest, Reply } from "./support/stub-server";
import * as samples from "./support/samples";

const { ids } = samples;
const rule = samples.sampleRuleCreate();
const key = samples.sampleApiKeyCreate();
const absent: Reply = { status: 404, body: samples.sampleError("NOT_FOUND_ERROR", "no such route") };
const regions: Reply = { status: 200, body: samples.listOf([samples.sampleRegion()]) };
const methods = (arrived: readonly ReceivedRequest[]): string[] => arrived.map(({ method }) => method);

describe("a quote for a creation", () => {
  it.each([405, 501])("offers no quote after %i, and does not ask again", async (status) => {
    const { api, server } = await bench(() => ({ status, body: {} }));
    for (let time = 0; time < 2; time++) {
      const error = await rejection(api.apiKeys.quoteCreate(key));
      expect([error["code"], error.message]).toEqual(["NOT_OFFERED", "The API has no cost endpoint for API keys."]);
    }
    expect(server.arrived).toHaveLength(1);
  });

  it("offers no quote after 404 at the right base URL", async () => {
    const { api, server } = await bench(({ method }) => (method === "GET" ? regions : absent));
    const quote = () => api.apiKeys.quoteCreate(key);
    expect(await rejection(quote())).toMatchObject({ code: "NOT_OFFERED" });
    expect(await rejection(quote())).toMatchObject({ code: "NOT_OFFERED" });
    expect(methods(server.arrived)).toEqual(["POST", "POST", "GET"]);
  });

  it.each([
    ["with the API's words, as to everything", absent],
    ["and it is not the API", { status: 404, body: "default backend - 404" }],
  ])("fails if the quote gets 404 %s", async (_case, reply) => {
    const { api } = await bench(() => reply);
    expect(await rejection(api.apiKeys.quoteCreate(key))).toMatchObject({ code: "NOT_THE_API" });
  });

  it.each([
    [400, "BAD_REQUEST"],
    [403, "FORBIDDEN"],
    [500, "SERVER_ERROR"],
  ])("fails if the endpoint answers %i", async (status, code) => {
    const { api } = await bench(() => ({ status, body: {} }));
    expect(await rejection(api.apiKeys.quoteCreate(key))).toMatchObject({ code });
  });

  it("repeats a quote that fails, although a POST", async () => {
    const lost: Reply = (response) => void response.destroy();
    const replies: Reply[] = [lost, { status: 503, body: {} }, { status: 200, body: samples.sampleQuote() }];
    const { api, server } = await bench((_request, count) => replies[count - 1]!);
    const quote = await api.connectConnections().quoteCreate(samples.sampleConnectionCreate());
    expect(quote.currency).toBe("USD");
    expect(methods(server.arrived)).toEqual(["POST", "POST", "POST"]);
  });
});

describe.each([
  ["a rule's creation, by its VPC,", (api: TestApi, id: string) => api.firewallRules(id).quoteCreate(rule), "POST"],
  ["an update, by its object,", (api: TestApi, id: string) => api.apiKeys.quoteUpdate(id, {}), "PATCH"],
] as const)("a 404 to a quote for %s", (_case, quote, method) => {
  const there = { status: 200, body: method === "POST" ? samples.sampleVpc() : samples.sampleApiKey() };
  const body = method === "POST" ? samples.sampleQuote() : samples.sampleQuoteUpdate();

  it("stops asking for quotes if the parent or object exists", async () => {
    const { api, server } = await bench((request) => (request.method === "GET" ? there : absent));
    const id = there.body.id;
    for (const each of [id, method === "POST" ? id : "another"])
      expect(await rejection(quote(api, each))).toMatchObject({ code: "NOT_OFFERED" });
    expect(methods(server.arrived)).toEqual([method, method, "GET"]);
    expect(server.arrived[2]?.url).toMatch(new RegExp(`/${id}$`));
  });

  it("repeats a quote after one 404 of a replica", async () => {
    let quotes = 0;
    const { api } = await bench((request) => {
      if (request.method === "GET") return there;
      quotes += 1;
      return quotes === 1 ? absent : { status: 200, body };
    });
    await expect(quote(api, there.body.id)).resolves.toBeDefined();
  });

  it("fails if the parent or object is deleted, others still work", async () => {
    const { api } = await bench(({ url }) => {
      if (url.includes("regions")) return regions;
      return url.includes("gone") ? absent : { status: 200, body };
    });
    const path = expect.stringMatching(/\/gone$/) as string;
    expect(await rejection(quote(api, "gone"))).toMatchObject({ code: "NOT_FOUND", path });
    await expect(quote(api, "here")).resolves.toBeDefined();
  });
});

describe("a quote for an update", () => {
  it("reports the 404 if the object is not readable", async () => {
    const { api } = await bench(({ method }) => (method === "GET" ? { status: 403, body: {} } : absent));
    expect(await rejection(api.apiKeys.quoteUpdate(ids.key, {}))).toMatchObject({ code: "NOT_FOUND", method: "PATCH" });
  });

  it("offers quotes for creations if not for updates", async () => {
    const { api } = await bench(({ method }) =>
      method === "PATCH" ? { status: 405, body: {} } : { status: 200, body: samples.sampleQuote() },
    );
    expect(await rejection(api.apiKeys.quoteUpdate(ids.key, {}))).toMatchObject({ code: "NOT_OFFERED" });
    await expect(api.apiKeys.quoteCreate(key)).resolves.toMatchObject({ monthly_total: "31.25" });
  });
});
