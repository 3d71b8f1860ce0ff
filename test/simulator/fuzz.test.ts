import fc from "fast-check";
import { endpointsOf } from "../../src/simulator/services/endpoints";
import {
  connectionRequest,
  type Harness,
  type Json,
  keyRequest,
  ruleRequest,
  startHarness,
  vpcRequest,
} from "./support/harness";

let api: Harness;
beforeAll(async () => {
  api = await startHarness({ operationTime: "0" });
});
afterAll(() => api.close());

const oddText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "",
    "0.0.0.0/0",
    "::/0",
    "999.1.1.1/8",
    "2026-02-30T00:00:00Z",
    "+275760-09-13T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "1e400",
    "__proto__",
    "🗝",
  ),
);
const oddValue = fc.oneof(
  oddText,
  fc.double(),
  fc.constantFrom(null, true, [], {}, [null], [[]]),
  fc.array(oddText, { maxLength: 60 }),
  fc.object({ maxDepth: 2 }),
);

/** A request like a good one, with some members made odd, taken away or added. */
function oddBody(good: Json): fc.Arbitrary<unknown> {
  const members = Object.keys(good);
  const mutated = fc
    .dictionary(fc.constantFrom(...members, "tags", "extra", "constructor"), oddValue, { maxKeys: 4 })
    .map((changes) => ({ ...good, ...changes }));
  return fc.oneof({ weight: 5, arbitrary: mutated }, oddValue);
}

test("whatever is sent, the answer is in an envelope and never a 500", async () => {
  const good = (path: string): Json => {
    if (path.includes("api_keys")) return keyRequest(api.projectId);
    if (path.includes("connections")) return connectionRequest(api.projectId, api.region);
    return path.includes("firewall_rules") ? ruleRequest : vpcRequest(api.projectId, api.region);
  };
  const names = ["project_id", "cursor", "limit", "sort", "name", "tags", "status", "x"];
  for (const { method, path } of endpointsOf("spec")) {
    const ids = fc.oneof(
      fc.constantFrom(api.vpcId, api.region, api.projectId, "%00", "..", "a%2Fb", "constructor"),
      oddText.map(encoded),
    );
    const parameters = Array.from(path.matchAll(/\{\w+\}/g), () => ids);
    const requests = fc.record({
      ids: fc.tuple(...parameters),
      query: fc.dictionary(fc.constantFrom(...names), oddText, { maxKeys: 3 }),
      body: oddBody(good(path)),
    });
    await fc.assert(
      fc.asyncProperty(requests, async ({ ids: values, query, body }) => {
        let index = 0;
        const target = path.replaceAll(/\{\w+\}/g, () => values[index++] ?? "");
        const search = Object.entries(query).map(([name, value]) => `${name}=${encoded(value)}`);
        const reply = await api.call(
          method,
          `${target}?${search.join("&")}`,
          method === "GET" ? {} : { body: JSON.stringify(body) },
        );
        expect(reply.status).toBeLessThan(500);
        if (reply.status >= 400) expect(reply.body["request_id"]).toBe(reply.headers["x-request-id"]);
      }),
      { numRuns: 25 },
    );
  }
}, 60_000);

/** Percent-encoded; lone surrogates, which have no encoding, by way of UTF-8. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}
