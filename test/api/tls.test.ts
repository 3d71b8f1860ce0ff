import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { CANARY, clientFor, rejection } from "./support/api-fixture";
import { makeCertificate, type Certificate } from "./support/certificate";
import { listen, listenWithTls, type Listener } from "./support/listeners";
import { ids, sampleApiKey, sampleApiKeyCreate } from "./support/samples";

const known = getCACertificates("default");
const listeners: Listener[] = [];

afterEach(async () => {
  setDefaultCACertificates(known);
  await Promise.all(listeners.splice(0).map((listener) => listener.close()));
});

/** A service with this certificate. This machine trusts it as if an authority had signed it. */
async function serve(certificate: Certificate, { isTrusted }: { readonly isTrusted: boolean }): Promise<Listener> {
  if (isTrusted) setDefaultCACertificates([...known, certificate.cert]);
  const listener = await listenWithTls(certificate, sampleApiKey());
  listeners.push(listener);
  return listener;
}

describe("when the API's certificate", () => {
  it("sends the key if the certificate is trusted and valid", async () => {
    const listener = await serve(makeCertificate(["127.0.0.1"]), { isTrusted: true });
    const { api } = clientFor(`https://127.0.0.1:${listener.port}`);
    await expect(api.apiKeys.get(ids.key)).resolves.toMatchObject({ id: ids.key });
    expect(listener.received()).toContain(`authorization: Bearer ${CANARY}`);
  });

  const DATE = "Check the date on both sides";
  it.each([
    ["signs itself", ["127.0.0.1"], {}, false, "not trusted", "NODE_EXTRA_CA_CERTS"],
    ["is for another name", ["api.example.test"], {}, true, "is for another name", "Check the base URL"],
    ["has expired", ["127.0.0.1"], { fromDay: -9, toDay: -2 }, true, "has expired", DATE],
    ["is not valid yet", ["127.0.0.1"], { fromDay: 2, toDay: 9 }, true, "not valid yet", DATE],
  ])("sends no key if the certificate %s, and says so once", async (_case, names, validity, isTrusted, ...words) => {
    const listener = await serve(makeCertificate(names, validity), { isTrusted });
    const { api, clock } = clientFor(`https://127.0.0.1:${listener.port}`);
    for (const call of [() => api.apiKeys.get(ids.key), () => api.apiKeys.create(sampleApiKeyCreate())]) {
      const error = await rejection(call());
      expect(error).toMatchObject({ code: "CONNECTION_ERROR", failure: "tls", effect: "none" });
      for (const word of words) expect(error.message).toContain(word);
      expect(error.message).toContain(`127.0.0.1:${listener.port}`);
    }
    expect(listener.connections()).toBe(2);
    expect(listener.received()).toBe("");
    expect(clock.slept).toEqual([]);
  });
});

it("fails at once without TLS, and sends no key", async () => {
  const listener = await listen();
  listeners.push(listener);
  const { api, clock } = clientFor(`https://127.0.0.1:${listener.port}`);
  const error = await rejection(api.apiKeys.create(sampleApiKeyCreate()));
  expect(error).toMatchObject({ failure: "tls", effect: "none" });
  expect(error.message).toContain("the server there does not speak TLS");
  expect(error.message).toContain(`127.0.0.1:${listener.port}`);
  expect([listener.connections(), clock.slept]).toEqual([1, []]);
  expect(listener.received()).not.toContain(CANARY.slice(7, 20));
});
