import type { ServerResponse } from "node:http";
import { systemClock } from "../../src/time/clock";
import { all, bench, CANARY, rejection } from "./support/api-fixture";
import { ids, listOf, sampleApiKey, sampleApiKeyCreate } from "./support/samples";

describe("a request", () => {
  it("a request without a body has no content type", async () => {
    const { api, server } = await bench(() => ({ status: 200, body: sampleApiKey() }));
    await api.apiKeys.get(ids.key);
    const [request] = server.arrived;
    expect(request).toMatchObject({ method: "GET", url: `/v1/api_keys/${ids.key}`, body: "" });
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${CANARY}`,
      accept: "application/json",
      "user-agent": "pulumi-cloudinfra/0.0.0-test",
    });
    expect(request?.headers).not.toHaveProperty("content-type");
  });

  it("a request with a body is JSON", async () => {
    const { api, server } = await bench(() => ({ status: 201, body: sampleApiKey() }));
    await api.apiKeys.create(sampleApiKeyCreate());
    expect(server.arrived[0]?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(server.arrived[0]?.body ?? "")).toEqual(sampleApiKeyCreate());
  });

  it("sends an empty object in an empty PATCH", async () => {
    const { api, server } = await bench(() => ({ status: 200, body: sampleApiKey() }));
    await api.apiKeys.update(ids.key, {});
    expect(server.arrived[0]?.body).toBe("{}");
  });

  it("keeps the path prefix of the base URL", async () => {
    const { api, server } = await bench(() => ({ status: 200, body: listOf([]) }), { prefix: "/cloud/eu/" });
    expect(await all(api.regions.list())).toEqual([]);
    expect(server.arrived[0]?.url).toBe("/cloud/eu/v1/regions?limit=100");
  });

  it("keeps an id with a slash in one path segment", async () => {
    const { api, server } = await bench(() => ({ status: 200, body: { ...sampleApiKey(), id: "a/../b" } }));
    await api.apiKeys.get("a/../b");
    expect(server.arrived[0]?.url).toBe("/v1/api_keys/a%2F..%2Fb");
  });

  it("runs at most 32 requests at once", async () => {
    let open = 0;
    let most = 0;
    const { api } = await bench(() => (response) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open -= 1;
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(sampleApiKey()));
      });
    });
    await Promise.all(Array.from({ length: 200 }, () => api.apiKeys.get(ids.key)));
    expect(most).toBeLessThanOrEqual(32);
    expect(most).toBeGreaterThan(1);
  });

  it("takes an answer that arrived while the process was stopped", async () => {
    const { api } = await bench(
      () => (response) => {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(sampleApiKey()));
        // Stops the whole process until the time limit is over.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      },
      { requestTimeoutMs: 200 },
    );
    expect(await api.apiKeys.get(ids.key, { retry: false })).toMatchObject({ id: ids.key });
  });

  it("sends nothing after its deadline or a cancel", async () => {
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const hold = async (response: ServerResponse): Promise<void> => {
      await isReleased;
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(sampleApiKey()));
    };
    const options = { requestTimeoutMs: 60_000, clock: systemClock };
    const { api, server } = await bench(() => (response) => void hold(response), options);
    const cancelled = new AbortController();
    const holding = Array.from({ length: 32 }, () => api.apiKeys.get(ids.key));
    const late = await rejection(api.apiKeys.create(sampleApiKeyCreate(), { deadlineMs: 20 }));
    expect(late).toMatchObject({ code: "TIMEOUT", effect: "none" });
    const waiting = rejection(api.apiKeys.create(sampleApiKeyCreate(), { cancelled: cancelled.signal }));
    cancelled.abort();
    expect(await waiting).toMatchObject({ code: "ABORTED", effect: "none" });
    release();
    await Promise.all(holding);
    expect(server.arrived.filter(({ method }) => method === "POST")).toEqual([]);
  });
});
