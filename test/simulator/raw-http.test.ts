import { createApiServer } from "../../src/simulator/http/api-app";
import { readOptions } from "../../src/simulator/options";
import { Simulation } from "../../src/simulator/simulation";
import { harnessForSuite, paths, requests } from "./support/harness";
import { type Bytes, exchange, head } from "./support/raw-connection";
import { effectsOf } from "./support/route-requests";

const api = harnessForSuite({ apiKey: "owner" });

const authorization = "Bearer owner";
const get = (path: string, headers = {}): string => head(`GET ${path}`, { authorization, ...headers });
const regions = "/v1/regions";

/** A creation of a firewall rule with a body of these bytes, with the right length unless headers set another. */
function post(body: Bytes, headers: Readonly<Record<string, string>> = {}): Bytes[] {
  const bytes = Buffer.from(body);
  const type = { "content-type": "application/json" };
  const length = "transfer-encoding" in headers ? {} : { "content-length": String(bytes.length) };
  return [head(`POST ${paths.rules}`, { authorization, ...type, ...length, ...headers }), bytes];
}

const rule = JSON.stringify(requests.rule);
/** The rule with a member replaced or added, as text, because JSON.stringify cannot write some of these cases. */
const ruleWith = (member: string): string => `${rule.slice(0, -1)},${member}}`;
const chunk = (body: Bytes): Buffer =>
  Buffer.concat([Buffer.from(`${Buffer.byteLength(body).toString(16)}\r\n`), Buffer.from(body), Buffer.from("\r\n")]);
const chunked = { "transfer-encoding": "chunked" };
/** A rule that is valid except for its name, which is not UTF-8. */
const invalidUtf8 = Buffer.from(rule.replace("https", "\xff\xfe\xc3"), "latin1");

/** Checks that nothing has changed, no answer was a 5xx, and the next request is served. */
async function expectUnharmed(before: unknown): Promise<void> {
  expect(await effectsOf(api)).toEqual(before);
  expect((await api.requests()).filter(({ status }) => Number(status) >= 500)).toEqual([]);
  expect(Object.keys(Object.prototype)).toEqual([]);
}

/** Cases: the bytes to send, and the statuses of the answers until the connection is closed. */
type Case = readonly [title: string, bytes: () => readonly Bytes[], statuses: readonly number[]];

const headers = (count: number, value: string) => Object.fromEntries(many(count, (n) => [`x-${n}`, value]));
const upgrade = { connection: "upgrade, close", upgrade: "websocket" };

const heads: readonly Case[] = [
  ["900 headers", () => [get(regions, headers(900, "y"))], [200]],
  ["headers of 20 KB together", () => [get(regions, headers(1000, "y".repeat(20)))], [431]],
  ["a header of 1 MB", () => [get(regions, { "x-large": "y".repeat(1_000_000) })], [431]],
  ["a credential of 10 KB", () => [head(`GET ${regions}`, { authorization: `Bearer ${"k".repeat(10_000)}` })], [401]],
  ["a null byte in a header", () => [get(regions, { "x-odd": "a\u0000b" })], [400]],
  ["a header without a colon", () => [get(regions).replace("connection: close", "connection close")], [400]],
  ["two lengths", () => post(rule, { "Content-Length": "7" }), [400]],
  ["a length that is no number", () => post(rule, { "content-length": "many" }), [400]],
  ["a negative length", () => post(rule, { "content-length": "-1" }), [400]],
  ["a length beyond all numbers", () => post(rule, { "content-length": "9".repeat(30) }), [400]],
  ["a length and chunks", () => post(chunk(rule), { ...chunked, "content-length": "5" }), [400]],
  ["an unknown transfer encoding", () => post(rule, { "transfer-encoding": "zip" }), [400]],
  ["no host", () => [get(regions).replace("host: 127.0.0.1\r\n", "")], [400]],
  ["an older version of HTTP", () => [get(regions).replace("HTTP/1.1", "HTTP/1.0")], [200]],
  ["HTTP/2 without asking", () => ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"], [400]],
  ["an upgrade to another protocol", () => [get(regions, upgrade)], [200]],
  ["an unknown expectation", () => [get(regions, { expect: "nonsense" })], [417]],
  ["CONNECT", () => [head("CONNECT 192.168.1.1:443", { authorization })], []],
  ["an unknown method", () => [head(`FETCH ${regions}`, { authorization })], [400]],
  ["a TLS greeting", () => [Buffer.from("16030100c8010000c403035365637265740000", "hex")], [400]],
];

const targets: readonly Case[] = [
  ["a very long path", () => [get(`/v1/regions/${"r".repeat(10_000)}`)], [404]],
  ["a path beyond all measure", () => [get(`/v1/regions/${"r".repeat(100_000)}`)], [431]],
  ["a long query", () => [get(`${regions}?cursor=${"c".repeat(10_000)}`)], [400]],
  ["1,000 times the same parameter", () => [get(`${regions}?${many(1000, () => "limit=1").join("&")}`)], [400]],
  ["an encoded slash", () => [get("/v1/regions/us-sva-2%2f..")], [404]],
  ["a way up", () => [get("/v1/regions/../api_keys")], [404]],
  ["an encoded way up", () => [get("/v1/regions/%2e%2e/%2e%2e/etc/passwd")], [404]],
  ["a way up as an id", () => [get("/v1/api_keys/..%2f..%2fetc%2fpasswd")], [404]],
  ["two slashes", () => [get("//v1/regions")], [404]],
  ["backslashes", () => [get("\\v1\\regions")], [400]],
  ["an encoded null byte", () => [get("/v1/regions/us-sva-2%00")], [404]],
  ["a null byte", () => [get("/v1/regions/us-sva-2\u0000")], [400]],
  ["half an encoding", () => [get("/v1/regions/%e0%a4%a")], [404]],
  ["invalid UTF-8, encoded", () => [get("/v1/regions/%ff%fe")], [404]],
  ["a complete URL of another host", () => [get("http://a:b@elsewhere.example/v1/nowhere")], [404]],
  ["an asterisk", () => [head("OPTIONS *", { authorization })], [404]],
  ["names of JavaScript's own", () => [get("/v1/regions/__proto__?__proto__=x&constructor=y")], [404]],
];

const bodies: readonly Case[] = [
  ["more than 256 KiB", () => post(JSON.stringify({ name: "n".repeat(300_000) })), [413]],
  ["more than 256 KiB, chunked", () => post(Buffer.concat(many(10, () => chunk("n".repeat(30_000)))), chunked), [413]],
  ["1 GB, announced", () => post("", { "content-length": "1000000000" }), [413]],
  ["another type", () => post(rule, { "content-type": "application/x-www-form-urlencoded" }), [415]],
  ["a type that is none", () => post(rule, { "content-type": ";;;" }), [415]],
  ["an empty type", () => post(rule, { "content-type": "" }), [415]],
  ["invalid UTF-8", () => post(invalidUtf8), [400]],
  ["invalid UTF-8, chunked", () => post(Buffer.concat([chunk(invalidUtf8), chunk("").subarray(0, 5)]), chunked), [400]],
  ["UTF-16", () => post(Buffer.from(rule, "utf16le")), [400]],
  ["compressed bytes", () => post(Buffer.from("1f8b0800", "hex"), { "content-encoding": "gzip" }), [400]],
  ["null bytes", () => post("\u0000\u0000\u0000\u0000"), [400]],
  ["100,000 arrays in each other", () => post("[".repeat(100_000) + "]".repeat(100_000)), [400]],
  ["40,000 objects in each other", () => post('{"a":'.repeat(40_000) + "1" + "}".repeat(40_000)), [400]],
  ["a deep member", () => post(ruleWith(`"tags":${"[".repeat(50_000)}${"]".repeat(50_000)}`)), [400]],
  ["a prototype", () => post(ruleWith('"__proto__":{"isOwner":true}')), [400]],
  ["a prototype, escaped", () => post(ruleWith('"\\u005f_proto__":{"isOwner":true}')), [400]],
  ["a constructor's prototype", () => post(ruleWith('"constructor":{"prototype":{"isOwner":true}}')), [400]],
  ["an unknown member named as a method", () => post(ruleWith('"toString":1,"hasOwnProperty":2')), [400]],
  ["20,000 unknown members", () => post(ruleWith(many(20_000, (n) => `"m${n}":0`).join(","))), [400]],
  ["a number beyond all numbers", () => post(ruleWith('"name":1e400')), [400]],
  ["a number of 100,000 digits", () => post(ruleWith(`"name":${"9".repeat(100_000)}`)), [400]],
  ["a name twice, the second one bad", () => post(ruleWith('"name":1')), [400]],
  ["a chunk of no length", () => post("zz\r\n{}\r\n0\r\n\r\n", chunked), [400]],
  ["a chunk larger than it says", () => post("2\r\n{}}}}}\r\n0\r\n\r\n", chunked), [400]],
];

describe.each([
  ["heads", heads],
  ["paths", targets],
  ["bodies", bodies],
])("unusual %s", (_kind, cases) => {
  it.each(cases)("nothing changes with %s", async (_case, bytes, statuses) => {
    const before = await effectsOf(api);
    const answers = await exchange(api.url, bytes());
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    await expectUnharmed(before);
  });
});

it.each([
  ["without a host", get(regions).replace("host: 127.0.0.1\r\n", ""), "Host"],
  ["with an unknown expectation", get(regions, { expect: "nonsense" }), "Expect"],
])("a request %s gets the API's error", async (_case, bytes, header) => {
  const [answer] = await exchange(api.url, [bytes]);
  expect(JSON.parse(answer?.body ?? "")).toMatchObject({
    type: "VALIDATION_ERROR",
    context: { parameters: { [header]: expect.any(String) as string } },
  });
});

it("an empty body may have any type", async () => {
  const { at } = await api.create(paths.vms, requests.vm);
  await api.advance("8s");
  const headers = { "content-type": "text/plain" };
  expect((await api.call("POST", `${at}/restart`, { headers, body: "" })).status).toBe(202);
});

it("two Authorization headers are rejected (section 5.2, rule 2)", async () => {
  for (const second of ["Bearer owner", "Bearer other"]) {
    const twice = `GET ${regions} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer owner\r\nauthorization: ${second}\r\nconnection: close\r\n\r\n`;
    const [answer] = await exchange(api.url, [twice]);
    expect(answer?.status).toBe(401);
    expect(JSON.parse(answer?.body ?? "")).toMatchObject({ type: "AUTHORIZATION_FORMAT_INVALID_ERROR" });
  }
});

const inChunks = Buffer.concat([...Array.from(rule, chunk), Buffer.from("0\r\n\r\n")]);

it.each<Case>([
  ["a body in many chunks", () => post(inChunks, chunked), [202]],
  ["a byte order mark", () => post(`\ufeff${rule}`), [202]],
  ["a name twice, the last one good", () => post(`{"name":1,${rule.slice(1)}`), [202]],
  ["the header Expect: 100-continue", () => post(rule, { expect: "100-continue" }), [100, 202]],
])("creates the rule once with %s", async (_case, bytes, statuses) => {
  expect((await exchange(api.url, bytes())).map(({ status }) => status)).toEqual(statuses);
  expect((await api.state())["firewallRules"]).toMatchObject([{ name: "https" }]);
});

it.each<readonly [string, () => readonly Bytes[]]>([
  ["in the head", () => [get(regions).slice(0, 30)]],
  ["before the body", () => [post(rule)[0] ?? ""]],
  ["in the body", () => [post(rule)[0] ?? "", rule.slice(0, 20)]],
  ["in a chunk", () => [post("", chunked)[0] ?? "", "ff\r\n{"]],
  ["between chunks", () => [post("", chunked)[0] ?? "", chunk(rule)]],
])("a connection cut %s creates nothing", async (_where, bytes) => {
  const before = await effectsOf(api);
  const answers = await exchange(api.url, bytes(), true);
  expect(answers.filter(({ status }) => status < 400 || status >= 500)).toEqual([]);
  await expectUnharmed(before);
});

it("100 requests at once are answered in order", async () => {
  const keep = { connection: "keep-alive" };
  const requests = many(100, (n) => get(n % 2 === 0 ? regions : "/v1/nowhere", n === 99 ? {} : keep));
  const statuses = (await exchange(api.url, requests)).map(({ status }) => status);
  expect(statuses).toEqual(many(100, (n) => (n % 2 === 0 ? 200 : 404)));
});

it("garbage behind a request closes the connection", async () => {
  const before = await effectsOf(api);
  const answers = await exchange(api.url, [get(regions, { connection: "keep-alive" }), "\u0001\u0002garbage\r\n\r\n"]);
  expect(answers.at(-1)).toMatchObject({ status: 400 });
  expect(JSON.parse(answers.at(-1)?.body ?? "")).toMatchObject({ type: "VALIDATION_ERROR" });
  await expectUnharmed(before);
});

it("a slow body is 408", async () => {
  const simulation = new Simulation(readOptions({ apiKey: "owner" }));
  const server = await createApiServer(simulation);
  expect(server.server.requestTimeout).toBe(30_000);
  Object.assign(server.server, { headersTimeout: 1, requestTimeout: 1 });
  const url = await server.listen({ host: "127.0.0.1", port: 0 });
  const answers = await exchange(url, [post(rule)[0] ?? "", rule.slice(0, 20)]);
  expect(answers.map(({ status }) => status)).toEqual([408]);
  expect(simulation.world.partition("firewallRules", api.vpcId).size).toBe(0);
  await server.close();
});

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
