import type { ServerResponse } from "node:http";
import { MockAgent } from "undici";
import { ConnectionError, TimeoutError } from "../../src/api/errors";
import { classifyFailure } from "../../src/api/errors/no-usable-response";
import { bench, clientFor, rejection } from "./support/api-fixture";
import { listen } from "./support/listeners";
import { ids, sampleApiKey, sampleApiKeyCreate, sampleRuleCreate } from "./support/samples";

const failed = (code: string): Error => Object.assign(new Error("failed"), { code });

describe("when there is no answer", () => {
  it("nothing listens: names the host after all attempts", async () => {
    const { port, ...closed } = await listen();
    await closed.close();
    const { api, clock } = clientFor(`http://127.0.0.1:${port}`);
    const call = { purpose: 'create FirewallRule "web"' };
    const error = await rejection(api.firewallRules(ids.vpc).create(sampleRuleCreate(), call));
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

  it("names a failed handshake", () => {
    const cause = classifyFailure(failed("ERR_SSL_UNSUPPORTED_PROTOCOL"), false);
    expect(cause).toMatchObject({ failure: "tls", effect: "none" });
    const error = new ConnectionError({ method: "GET", path: "/v1/regions" }, "api.example.com", cause);
    expect(error.message).toContain("the handshake failed (ERR_SSL_UNSUPPORTED_PROTOCOL)");
  });

  it("names the limit of open files", () => {
    const cause = classifyFailure(failed("EMFILE"), false);
    const error = new ConnectionError({ method: "GET", path: "/v1/regions" }, "api.example.com", cause);
    expect(error.message).toContain("cannot be reached: too many files are open; raise the limit");
    expect(error.message).not.toContain("proxy");
  });

  it("does not repeat a POST after a cut connection", async () => {
    const { api, server } = await bench(() => (response) => void response.destroy());
    const error = await rejection(api.apiKeys.create(sampleApiKeyCreate()));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ failure: "broken", effect: "unknown" });
    expect(error.message).not.toContain("Nothing was sent");
    expect(server.arrived).toHaveLength(1);
  });

  it("a DELETE that may have arrived has an unknown effect", async () => {
    const { api, server } = await bench((_request, count) =>
      count === 1 ? (response) => void response.destroy() : { status: 403, body: {} },
    );
    expect(await rejection(api.apiKeys.delete(ids.key))).toMatchObject({ code: "FORBIDDEN", effect: "unknown" });
    expect(server.arrived).toHaveLength(2);
  });

  it("a silent server ends at the request timeout", async () => {
    const { api } = await bench(() => () => undefined, { requestTimeoutMs: 500 });
    const error = await rejection(api.apiKeys.create(sampleApiKeyCreate()));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: "TIMEOUT", effect: "unknown" });
    expect(error.message).toMatch(/within 500 ms\. If the API is only slow, raise cloudinfra:requestTimeout\.$/);
  });

  it("an endless body ends at the request timeout", async () => {
    const endless = (response: ServerResponse): void => void response.writeHead(200).write('{"id":');
    const { api } = await bench(() => endless, { requestTimeoutMs: 500 });
    expect(await rejection(api.apiKeys.create(sampleApiKeyCreate()))).toBeInstanceOf(TimeoutError);
  });

  it("the deadline of all attempts cuts a longer attempt", async () => {
    const { api, server } = await bench(() => () => undefined, { requestTimeoutMs: 60_000 });
    const error = await rejection(api.apiKeys.create(sampleApiKeyCreate(), { deadlineMs: 500 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error.message).not.toContain("requestTimeout");
    expect(server.arrived).toHaveLength(1);
  });

  it("a cancel ends only the pause before a change", async () => {
    const cancelled = new AbortController();
    const { api, server } = await bench((request) => {
      if (request.method === "GET") return { status: 200, body: sampleApiKey() };
      cancelled.abort();
      return { status: 503, body: {} };
    });
    const call = { cancelled: cancelled.signal };
    expect(await rejection(api.apiKeys.delete(ids.key, call))).toMatchObject({ code: "ABORTED", effect: "unknown" });
    expect(server.arrived).toHaveLength(1);
    expect(await rejection(api.apiKeys.delete(ids.key, call))).toMatchObject({ code: "ABORTED", effect: "none" });
    expect(server.arrived).toHaveLength(1);
    await expect(api.apiKeys.get(ids.key, call)).resolves.toBeDefined();
  });
});

describe("classifyFailure", () => {
  it.each`
    code                                    | started  | failure          | effect
    ${"ENOTFOUND"}                          | ${false} | ${"dns"}         | ${"none"}
    ${"EAI_AGAIN"}                          | ${false} | ${"dns"}         | ${"none"}
    ${"ECONNREFUSED"}                       | ${false} | ${"refused"}     | ${"none"}
    ${"ETIMEDOUT"}                          | ${false} | ${"unreachable"} | ${"none"}
    ${"EHOSTUNREACH"}                       | ${false} | ${"unreachable"} | ${"none"}
    ${"UND_ERR_CONNECT_TIMEOUT"}            | ${false} | ${"unreachable"} | ${"none"}
    ${"ECONNRESET"}                         | ${false} | ${"unreachable"} | ${"none"}
    ${"CERT_HAS_EXPIRED"}                   | ${false} | ${"tls"}         | ${"none"}
    ${"ERR_SSL_WRONG_VERSION_NUMBER"}       | ${false} | ${"tls"}         | ${"none"}
    ${"ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR"} | ${false} | ${"unreachable"} | ${"none"}
    ${"ECONNRESET"}                         | ${true}  | ${"broken"}      | ${"unknown"}
    ${"EPIPE"}                              | ${true}  | ${"broken"}      | ${"unknown"}
    ${"ETIMEDOUT"}                          | ${true}  | ${"broken"}      | ${"unknown"}
    ${"UND_ERR_SOCKET"}                     | ${true}  | ${"broken"}      | ${"unknown"}
    ${"ERR_SSL_BAD_RECORD_MAC"}             | ${true}  | ${"broken"}      | ${"unknown"}
  `(
    "$code, request sent: $started: $failure with effect $effect",
    ({ code, started, ...expected }: { code: string; started: boolean }) => {
      expect(classifyFailure(failed(code), started)).toEqual({ code, ...expected });
    },
  );

  it("uses the first code if several addresses were tried", () => {
    const cause = new AggregateError([failed("ECONNREFUSED"), failed("EHOSTUNREACH")]);
    expect(classifyFailure(cause, false)).toMatchObject({ failure: "refused" });
  });

  it("finds the code of a cause", () => {
    const outer = new Error("outer", { cause: failed("ENOTFOUND") });
    expect(classifyFailure(outer, false)).toMatchObject({ failure: "dns" });
  });

  it("classifies a failure without a code by what was sent", () => {
    expect(classifyFailure("what?", false)).toMatchObject({ failure: "unreachable", effect: "none" });
    expect(classifyFailure(undefined, true)).toMatchObject({ failure: "broken", effect: "unknown" });
  });
});
