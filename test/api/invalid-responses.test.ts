import { deflateSync, gzipSync } from "node:zlib";
import { InvalidResponseError } from "../../src/api/errors";
import { bench, CANARY, rejection } from "./support/api-fixture";
import { ids, sampleApiKeyCreate } from "./support/samples";

describe("when the answer cannot be used", () => {
  it("reports HTML as such, and points to the base URL", async () => {
    const page = `<!doctype html><title>${CANARY}</title>`;
    const headers = { "content-type": "text/html; charset=utf-8" };
    const { api, server } = await bench(() => ({ status: 200, body: page, headers }));
    const error = await rejection(api.apiKeys.get(ids.key));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ code: "INVALID_RESPONSE", defect: "not-json" });
    expect(error.message).toContain("is text/html instead of JSON");
    expect(error.message).toContain("base URL");
    expect(error.message).not.toContain("doctype");
    expect(server.arrived).toHaveLength(1);
  });

  it("repeats a GET cut before content-length, then fails", async () => {
    const { api, server } = await bench(() => (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"id":"', () => response.destroy());
    });
    const error = await rejection(api.apiKeys.get(ids.key));
    expect(error).toMatchObject({ failure: "broken", effect: "unknown" });
    expect(server.arrived).toHaveLength(5);
  });

  it("repeats a GET after cut JSON, but not a POST", async () => {
    const { api, server } = await bench(() => ({ status: 200, body: '{"id":"secret-part' }));
    const error = await rejection(api.apiKeys.get(ids.key));
    expect(error).toMatchObject({ defect: "cut-short", effect: "unknown" });
    expect(error.message).not.toContain("secret-part");
    expect(server.arrived).toHaveLength(5);
    await rejection(api.apiKeys.create(sampleApiKeyCreate()));
    expect(server.arrived).toHaveLength(6);
  });

  it.each([
    ["is compressed (gzip)", gzipSync("{}"), {}],
    ["is compressed (deflate)", deflateSync("{}"), { "content-encoding": "deflate" }],
    ["begins with a byte order mark", Buffer.from("\ufeff{}", "utf8"), {}],
    ["is in UTF-16", Buffer.from("\ufeff{}", "utf16le"), {}],
    ["is in UTF-16, or", Buffer.from("{}", "utf16le"), {}],
  ])("says that an answer %s", async (fault, body, headers) => {
    const { api } = await bench(() => (response) => {
      response.writeHead(200, { "content-type": "application/json", ...headers }).end(body);
    });
    const error = await rejection(api.apiKeys.get(ids.key));
    expect(error).toMatchObject({ defect: "cut-short", effect: "unknown" });
    expect(error.message).toContain(fault);
  });

  it("gives up an endless answer", async () => {
    const { api } = await bench(() => (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1 << 20, 32)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    expect(await rejection(api.apiKeys.get(ids.key))).toMatchObject({ defect: "too-large" });
  });

  it("reports an empty answer to a creation", async () => {
    const { api } = await bench(() => ({ status: 204 }));
    const error = await rejection(api.apiKeys.create(sampleApiKeyCreate()));
    expect(error).toMatchObject({ defect: "empty", effect: "unknown" });
  });
});
