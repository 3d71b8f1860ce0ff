import { ConfigurationError } from "../../src/api/errors";
import { bench, clientFor, rejection } from "./support/api-fixture";
import type { ReceivedRequest, Reply } from "./support/stub-server";
import { ids, sampleApiKey, sampleApiKeyCreate, sampleError } from "./support/samples";

const stale = { apiKey: "stale-key-of-the-config", source: "config cloudinfra:apiKey" };
const fresh = { apiKey: "fresh-key-of-the-environment", source: "environment variable CLOUDINFRA_API_KEY" };
const refused: Reply = { status: 401, body: sampleError("INVALID_TOKEN_ERROR", "invalid token") };
const onlyFresh = ({ headers }: ReceivedRequest): Reply =>
  headers.authorization === `Bearer ${fresh.apiKey}` ? { status: 200, body: sampleApiKey() } : refused;

describe("the credentials", () => {
  it("a refused key is final: no other key is tried", async () => {
    const { api, server } = await bench(() => refused, { credential: stale });
    const error = await rejection(api.apiKeys.get(ids.key));
    expect(error).toMatchObject({ code: "UNAUTHORIZED", credentialSource: stale.source, effect: "none" });
    expect(error.message).toContain(`The API key from ${stale.source} was refused`);
    expect(error.message).not.toContain(stale.apiKey);
    expect(server.arrived).toHaveLength(1);
  });

  it("repeats refused requests at once with the successor of their key", async () => {
    const { api, server, clock } = await bench(onlyFresh, { credential: stale });
    const sent = Array.from({ length: 5 }, () => api.apiKeys.create(sampleApiKeyCreate(), { retry: false }));
    api.credentials.use(fresh);
    await Promise.all(sent);
    expect(api.credentials.current.source).toBe(fresh.source);
    expect(server.arrived.filter(({ headers }) => headers.authorization === `Bearer ${fresh.apiKey}`)).toHaveLength(5);
    expect(clock.slept).toEqual([]);
  });

  it("uses a replaced key's successor and hides the old key", async () => {
    const echo: Reply = { status: 409, body: sampleError("CONFLICT_ERROR", `not ${stale.apiKey}`) };
    const { api, server } = await bench(() => echo, { credential: stale });
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
    const credential = { apiKey, source: "config cloudinfra:apiKey" };
    const create = (): unknown => clientFor("https://api.example.com", { credential });
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow("The API key from config cloudinfra:apiKey is empty, or holds spaces");
    if (apiKey !== "") expect(create).not.toThrow(apiKey);
  });
});
