import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { parseBaseUrl } from "../../src/api/http/base-url";
import { createDispatcher, exchange } from "../../src/api/http/transport";
import { CANARY, clientFor, rejection } from "./support/api-fixture";
import { makeCertificate } from "./support/certificate";
import { listenAsProxy, listenWithTls, type Listener, type Tunnel } from "./support/listeners";
import { ids, sampleApiKey } from "./support/samples";
import { startStubServer } from "./support/stub-server";

const PASSWORD = "password-of-the-proxy";
const NAMES = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "NO_PROXY", "no_proxy", "NODE_USE_ENV_PROXY"];
const usual = NAMES.map((name) => [name, process.env[name]] as const);
const known = getCACertificates("default");
const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  setEnvironment(usual);
  setDefaultCACertificates(known);
  await Promise.all(opened.splice(0).map((listener) => listener.close()));
});

function setEnvironment(entries: readonly (readonly [string, string | undefined])[]): void {
  for (const [name, value] of entries) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
}

function closedLater<T extends { close(): Promise<void> }>(listener: T): T {
  opened.push(listener);
  return listener;
}

/** A proxy in exactly these variables of the environment, with a password. */
async function proxied(names: readonly string[], tunnel: Tunnel = { refuse: "502 Bad Gateway" }): Promise<Listener> {
  const proxy = closedLater(await listenAsProxy(tunnel));
  const url = `http://user:${PASSWORD}@127.0.0.1:${proxy.port}`;
  setEnvironment(NAMES.map((name) => [name, names.includes(name) ? url : undefined]));
  process.env["NODE_USE_ENV_PROXY"] = "1";
  return proxy;
}

/** The API behind the proxy, with a name that only the proxy can resolve. */
async function service({ isTrusted }: { readonly isTrusted: boolean }): Promise<Listener> {
  const certificate = makeCertificate(["api.example.test"]);
  if (isTrusted) setDefaultCACertificates([...known, certificate.cert]);
  return closedLater(await listenWithTls(certificate, sampleApiKey()));
}

/** The key and the proxy's password, in every form in which a text could contain them. */
const secrets = [CANARY, PASSWORD, Buffer.from(`user:${PASSWORD}`).toString("base64")];

const both = [
  ["in capitals", ["HTTP_PROXY", "HTTPS_PROXY"]],
  ["in small letters", ["http_proxy", "https_proxy"]],
] as const;

describe.each(both)("with the proxy variable %s", (_spelling, names) => {
  it.each([
    ["to this machine", "127.0.0.1"],
    // The machine's own address, which is not recognized as such.
    ["over http://", "0.0.0.0"],
  ])("sends no request %s through the proxy", async (_how, host) => {
    const proxy = await proxied(names);
    const server = closedLater(await startStubServer(() => ({ status: 200, body: sampleApiKey() })));
    await clientFor(`http://${host}:${server.port}`, { allowInsecure: true }).api.apiKeys.get(ids.key);
    expect(server.arrived).toHaveLength(1);
    expect(proxy.connections()).toBe(0);
  });

  it("shows the proxy the host and no key", async () => {
    const far = await service({ isTrusted: true });
    const proxy = await proxied(names, { to: far.port });
    const shown = await clientFor("https://api.example.test").api.apiKeys.get(ids.key);
    expect(shown.id).toBe(ids.key);
    expect(proxy.received()).toMatch(/^CONNECT api\.example\.test:443 HTTP/);
    expect(proxy.received()).not.toContain(CANARY.slice(7, 20));
    expect(far.received()).toContain(`authorization: Bearer ${CANARY}`);
  });

  it("sends no key to something else behind the proxy", async () => {
    const far = await service({ isTrusted: false });
    const proxy = await proxied(names, { to: far.port });
    const error = await rejection(clientFor("https://api.example.test").api.apiKeys.get(ids.key));
    expect(error).toMatchObject({ code: "CONNECTION_ERROR", failure: "tls", effect: "none" });
    expect(error.message).toContain("certificate is not trusted");
    expect(proxy.received() + far.received()).not.toContain(CANARY.slice(7, 20));
  });

  it("connects directly to a host in NO_PROXY", async () => {
    const proxy = await proxied(names);
    process.env["NO_PROXY"] = "example.test";
    const error = await rejection(clientFor("https://api.example.test").api.apiKeys.get(ids.key, { retry: false }));
    expect(error).toMatchObject({ effect: "none" });
    expect(proxy.connections()).toBe(0);
  });
});

it.each([
  ["does not know the sender", { refuse: "407 Proxy Authentication Required" }],
  ["does not reach the API", { refuse: "502 Bad Gateway" }],
])("names the proxy as a possible cause: it %s", async (_case, tunnel) => {
  const proxy = await proxied(["HTTPS_PROXY"], tunnel);
  const error = await rejection(clientFor("https://api.example.test").api.apiKeys.get(ids.key));
  expect(error).toMatchObject({ code: "CONNECTION_ERROR", effect: "none" });
  const status = tunnel.refuse.slice(0, 3);
  expect(error.message).toContain(
    `api.example.test or the proxy in front of it cannot be reached (the proxy answered ${status})`,
  );
  expect(proxy.received()).not.toContain(CANARY.slice(7, 20));
  for (const secret of secrets) expect(error.message).not.toContain(secret);
});

it("closes the connection if the proxy does not answer", async () => {
  await proxied(["HTTPS_PROXY"], "silent");
  const baseUrl = parseBaseUrl("https://api.example.test");
  const request = { origin: baseUrl.origin, path: "/v1/regions", method: "GET" } as const;
  const dispatcher = createDispatcher(baseUrl, 50);
  opened.push({ close: () => dispatcher.destroy() });
  const asking = exchange(dispatcher, request, { timeoutMs: 4_000, maxBytes: 1_000 }, (end) =>
    Object.assign(new Error(), end),
  );
  await expect(asking).rejects.toMatchObject({ reason: "connection", started: false });
});

it("names the proxy if nothing listens there", async () => {
  const proxy = await proxied(["HTTPS_PROXY"]);
  await proxy.close();
  opened.length = 0;
  const error = await rejection(clientFor("https://api.example.test").api.apiKeys.get(ids.key));
  expect(error).toMatchObject({ code: "CONNECTION_ERROR", effect: "none" });
  expect(error.message).toContain("nothing listens at api.example.test or the proxy in front of it");
  for (const secret of secrets) expect(error.message).not.toContain(secret);
});

it("names no proxy if https_proxy is empty", async () => {
  const proxy = await proxied(["HTTPS_PROXY"]);
  process.env["https_proxy"] = "";
  const error = await rejection(clientFor("https://api.example.test").api.apiKeys.get(ids.key, { retry: false }));
  expect(error.message).not.toContain("or the proxy");
  expect(proxy.connections()).toBe(0);
});

it("refuses a proxy that is no URL, without showing it", async () => {
  setEnvironment(NAMES.map((name) => [name, name === "HTTPS_PROXY" ? `user:${PASSWORD}@nowhere` : undefined]));
  const error = await rejection(clientFor("https://api.example.test").api.apiKeys.get(ids.key));
  expect(error).toMatchObject({ code: "CONFIGURATION_ERROR" });
  expect(error.message).toContain("HTTPS_PROXY");
  for (const secret of secrets) expect(error.message).not.toContain(secret);
});
