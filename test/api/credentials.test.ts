import { Api } from "../../src/api/client";
import { ConfigurationError } from "../../src/api/errors";
import { bench, rejection } from "./support/api-fixture";
import type { ReceivedRequest, Reply } from "./support/stub-server";
import { ids, sampleApiKey, sampleApiKeyCreate, sampleError } from "./support/samples";

const stale = { apiKey: "stale-key-of-the-config", source: "config cloudinfra:apiKey" };
const fresh = { apiKey: "fresh-key-of-the-environment", source: "environment variable CLOUDINFRA_API_KEY" };
const refused: Reply = { status: 401, body: sampleError("INVALID_TOKEN_ERROR", "invalid token") };
const onlyFresh = ({ headers }: ReceivedRequest): Reply =>
  headers.authorization === `Bearer ${fresh.apiKey}` ? { status: 200, body: sampleApiKey() } : refused;

describe("the credentials", () => {
  it("uses the next key after a refusal, and warns once", async () => {
    const { api, server, warnings } = await bench(onlyFresh, { credentials: [stale, fresh] });
    expect(api.credentials.current.source).toBe(stale.source);
    await api.apiKeys.get(ids.key);
    await api.apiKeys.get(ids.key);
    expect(api.credentials.current.source).toBe(fresh.source);
    expect(server.arrived.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${stale.apiKey}`,
      `Bearer ${fresh.apiKey}`,
      `Bearer ${fresh.apiKey}`,
    ]);
    expect(warnings).toEqual([
      "The API refused the API key from config cloudinfra:apiKey. The run continues with the one from environment variable CLOUDINFRA_API_KEY.",
    ]);
  });

  it("repeats a refused POST with the next key at once", async () => {
    const { api, server, clock } = await bench(onlyFresh, { credentials: [stale, fresh] });
    await expect(api.apiKeys.create(sampleApiKeyCreate(), { retry: false })).resolves.toMatchObject({
      kind: "resource",
    });
    expect(server.arrived).toHaveLength(2);
    expect(clock.slept).toEqual([]);
  });

  it("warns once if concurrent requests need the next key", async () => {
    const { api, warnings } = await bench(onlyFresh, { credentials: [stale, fresh] });
    await Promise.all(Array.from({ length: 20 }, () => api.apiKeys.get(ids.key)));
    expect(warnings).toEqual([
      expect.stringContaining(`from ${stale.source}. The run continues with the one from ${fresh.source}.`),
    ]);
  });

  it("names the last key's source if all are refused", async () => {
    const { api, server } = await bench(() => refused, { credentials: [stale, fresh] });
    const error = await rejection(api.apiKeys.get(ids.key));
    expect(error).toMatchObject({ code: "UNAUTHORIZED", credentialSource: fresh.source, effect: "none" });
    expect(error.message).toContain(`The API key from ${fresh.source} was refused`);
    expect(error.message).not.toContain(fresh.apiKey);
    await rejection(api.apiKeys.get(ids.key));
    expect(server.arrived).toHaveLength(3);
  });

  it("tries no other credential after a 403", async () => {
    const { api, server } = await bench(() => ({ status: 403, body: {} }), { credentials: [stale, fresh] });
    await rejection(api.apiKeys.get(ids.key));
    expect(server.arrived).toHaveLength(1);
    expect(api.credentials.current.source).toBe(stale.source);
  });

  it("uses a replaced key's successor and hides the old key", async () => {
    const echo: Reply = { status: 409, body: sampleError("CONFLICT_ERROR", `not ${stale.apiKey}`) };
    const { api, server } = await bench(() => echo, { credentials: [stale] });
    api.credentials.use(fresh);
    const error = await rejection(api.apiKeys.get(ids.key));
    expect(server.arrived[0]?.headers.authorization).toBe(`Bearer ${fresh.apiKey}`);
    expect(error.message).toContain("not [credential]");
  });

  it.each([
    ["empty", ""],
    ["with a line break", "key\n"],
    ["of two words", "two words"],
    ["with letters no header may have", "schlüssel"],
  ])("refuses a client with a key that is %s", (_why, apiKey) => {
    const create = (): unknown =>
      new Api({
        baseUrl: "https://api.example.com",
        credentials: [{ apiKey, source: "config cloudinfra:apiKey" }],
        dialect: "spec",
        requestTimeoutMs: 1,
        operationTimeoutMs: 1,
        userAgent: "test",
      });
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow("The API key from config cloudinfra:apiKey is empty, or holds spaces");
    if (apiKey !== "") expect(create).not.toThrow(apiKey);
  });
});
