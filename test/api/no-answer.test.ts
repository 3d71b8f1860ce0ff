import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { MockAgent } from "undici";
import { AbortedError, ConnectionError, TimeoutError } from "../../src/api/errors";
import { classifyFailure } from "../../src/api/errors/connection-error";
import { bench, clientFor, rejection } from "./support/api-bench";
import { ids, sampleApiKey, sampleApiKeyCreate, sampleRuleCreate } from "./support/samples";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

describe("when there is no answer", () => {
  it("nothing listens: names the host after all attempts", async () => {
    const port = await freePort();
    const { api, clock } = clientFor(`http://127.0.0.1:${port}`);
    const error = await rejection(
      api.firewallRules(ids.vpc).create(sampleRuleCreate(), { purpose: 'create FirewallRule "web"' }),
    );
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "CONNECTION_ERROR", failure: "refused", effect: "none", method: "POST" });
    expect(error.message).toContain('create FirewallRule "web" (POST /v1/networking/vpcs/');
    expect(error.message).toContain(`nothing listens at 127.0.0.1:${port} (connection refused)`);
    expect(clock.slept).toHaveLength(4);
  });

  it("unknown name: names the host", async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    const missing = Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND", syscall: "getaddrinfo" });
    agent.get("https://api.nowhere.test").intercept({ path: /.*/, method: "GET" }).replyWithError(missing).persist();
    const { api, clock } = clientFor("https://api.nowhere.test", { dispatcher: agent });
    const error = await rejection(api.apiKeys.get(ids.key));
    expect(error).toMatchObject({ failure: "dns", effect: "none" });
    expect(error.message).toContain("the name of api.nowhere.test is not known (DNS)");
    expect(clock.slept).toHaveLength(4);
    await agent.close();
  });

  it("no TLS: fails at once", async () => {
    const { server } = await bench(() => ({ status: 200, body: {} }));
    const { api, clock } = clientFor(server.url.replace("http:", "https:"));
    const error = await rejection(api.apiKeys.create(sampleApiKeyCreate()));
    expect(error).toMatchObject({ failure: "tls", effect: "none" });
    expect(error.message).toContain("the server there does not speak TLS");
    expect(error.message).toContain(`127.0.0.1:${server.port}`);
    expect(clock.slept).toEqual([]);
    expect(server.arrived).toEqual([]);
  });

  it.each([
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "not trusted"],
    ["ERR_SSL_UNSUPPORTED_PROTOCOL", "the handshake failed"],
    ["CERT_HAS_EXPIRED", "has expired"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "for another name"],
  ])("names the fault of the certificate or the handshake: %s", (code, words) => {
    const failed = classifyFailure(Object.assign(new Error("tls"), { code }), false);
    expect(failed).toMatchObject({ failure: "tls", effect: "none" });
    const error = new ConnectionError({ method: "GET", path: "/v1/regions" }, "api.example.com", failed);
    expect(error.message).toContain(words);
    expect(error.message).toContain(code);
  });

  it("does not repeat a POST after a cut connection", async () => {
    const { api, server } = await bench(() => (response) => void response.destroy());
    const error = await rejection(api.apiKeys.create(sampleApiKeyCreate()));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ failure: "broken", effect: "unknown" });
    expect(error.message).not.toContain("Nothing was sent");
    expect(server.arrived).toHaveLength(1);
  });

  it("repeats a GET after a cut connection", async () => {
    const { api, server } = await bench((_, count) =>
      count < 3 ? (response) => void response.destroy() : { status: 200, body: sampleApiKey() },
    );
    await expect(api.apiKeys.get(ids.key)).resolves.toMatchObject({ id: ids.key });
    expect(server.arrived).toHaveLength(3);
  });

  it("a DELETE that may have arrived has an unknown effect", async () => {
    const { api, server } = await bench((_request, count) =>
      count === 1 ? (response) => void response.destroy() : { status: 403, body: {} },
    );
    expect(await rejection(api.apiKeys.delete(ids.key))).toMatchObject({ code: "FORBIDDEN", effect: "unknown" });
    expect(server.arrived).toHaveLength(2);
  });

  it("a silent server ends at the request timeout", async () => {
    const { api } = await bench(() => () => undefined, { requestTimeoutMs: 30 });
    const error = await rejection(api.apiKeys.create(sampleApiKeyCreate()));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: "TIMEOUT", effect: "unknown" });
    expect(error.message).toMatch(/within 30 ms\. If the API is only slow, raise cloudinfra:requestTimeout\.$/);
  });

  it("an endless body ends at the request timeout", async () => {
    const { api } = await bench(() => (response) => void response.writeHead(200).write('{"id":'), {
      requestTimeoutMs: 30,
    });
    expect(await rejection(api.apiKeys.create(sampleApiKeyCreate()))).toBeInstanceOf(TimeoutError);
  });

  it("the deadline of all attempts cuts a longer attempt", async () => {
    const { api, server } = await bench(() => () => undefined, { requestTimeoutMs: 60_000 });
    const error = await rejection(api.apiKeys.create(sampleApiKeyCreate(), { deadlineMs: 30 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error.message).not.toContain("requestTimeout");
    expect(server.arrived).toHaveLength(1);
  });

  it("an abort ends it at once, with the possible effect", async () => {
    const abort = new AbortController();
    const { api } = await bench(() => () => abort.abort());
    const error = await rejection(api.apiKeys.create(sampleApiKeyCreate(), { signal: abort.signal }));
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ code: "ABORTED", effect: "unknown" });
  });

  it("sends nothing if the caller has already aborted", async () => {
    const { api, server } = await bench(() => ({ status: 200, body: sampleApiKey() }));
    const error = await rejection(api.apiKeys.get(ids.key, { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ code: "ABORTED", effect: "none" });
    expect(server.arrived).toEqual([]);
  });

  it("tries once if no retry is wanted", async () => {
    const { api, server } = await bench(() => ({ status: 503, body: {} }));
    await rejection(api.apiKeys.get(ids.key, { retry: false }));
    expect(server.arrived).toHaveLength(1);
  });
});
