import { bench, CANARY, clientFor, rejection } from "./support/api-fixture";
import { makeCertificate } from "./support/certificate";
import { listen, listenWithTls } from "./support/listeners";
import { ids, sampleApiKeyCreate } from "./support/samples";
import { forSuite } from "../support/suite";

const elsewhere = forSuite(() => listen());
const elsewhereWithTls = forSuite(() => listenWithTls(makeCertificate(["127.0.0.1"])));

const targets: readonly (readonly [string, () => string])[] = [
  ["another port", () => `http://127.0.0.1:${elsewhere.port}/v1/api_keys`],
  ["another host", () => `http://localhost:${elsewhere.port}/v1/api_keys`],
  ["another host, without a scheme", () => `//localhost:${elsewhere.port}/v1/api_keys`],
  ["https", () => `https://127.0.0.1:${elsewhereWithTls.port}/v1/api_keys`],
  ["a host with a user before it", () => `http://${CANARY}@127.0.0.1:${elsewhere.port}/`],
  ["an address with the key in its path", () => `http://127.0.0.1:${elsewhere.port}/${CANARY}`],
];

describe.each(targets)("when the answer is a redirect to %s", (_where, location) => {
  it.each([301, 302, 303, 307, 308])("does not follow %i to another host", async (status) => {
    const { api, server, clock } = await bench(() => ({ status, headers: { location: location() } }));
    for (const call of [() => api.apiKeys.get(ids.key), () => api.apiKeys.create(sampleApiKeyCreate())]) {
      const error = await rejection(call());
      expect(error).toMatchObject({ code: "REDIRECTED", name: "RedirectError" });
      expect(error.message).toMatch(/points to (the host (127\.0\.0\.1|localhost):\d+|another path\.$)/m);
      expect(error.message).toContain("The provider does not follow redirects");
      expect(error.message).not.toContain(CANARY);
    }
    expect(server.arrived).toHaveLength(2);
    expect(clock.slept).toEqual([]);
    expect([elsewhere.connections(), elsewhereWithTls.connections()]).toEqual([0, 0]);
  });
});

it("does not follow a redirect to itself", async () => {
  const { api, server } = await bench(() => ({ status: 308, headers: { location: "/v2/api_keys" } }));
  const error = await rejection(api.apiKeys.get(ids.key));
  expect(error.message).toContain("it points to another path");
  expect(server.arrived).toHaveLength(1);
});

it("ignores the alternative service that an answer offers", async () => {
  const offers = {
    "alt-svc": `h2="127.0.0.1:${elsewhere.port}"; ma=60`,
    refresh: `0; url=http://127.0.0.1:${elsewhere.port}/`,
  };
  const { api, server } = await bench(() => ({ status: 503, headers: offers }));
  await rejection(api.apiKeys.get(ids.key));
  expect(server.arrived).toHaveLength(5);
  expect(elsewhere.connections()).toBe(0);
});

it("the stand-in target of the redirect receives requests", async () => {
  const { api } = clientFor(`http://127.0.0.1:${elsewhere.port}`, { requestTimeoutMs: 500 });
  await rejection(api.apiKeys.get(ids.key, { retry: false }));
  expect(elsewhere.received()).toContain(CANARY);
});
