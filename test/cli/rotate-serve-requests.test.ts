import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, request } from "undici";
import type { JWTPayload } from "jose";
import { makeCertificate } from "../api/support/certificate";
import { folderForSuite, forSuite } from "../support/suite";
import { DAY_MS } from "./rotate-fixture";
import { AUDIENCE, bodyOf, ENVIRONMENT, Issuer, rotatorForSuite } from "./rotate-serve-fixture";
import { runCli } from "./support";

/* How `cloudinfra rotate serve` listens, and which flags, requests and tokens it refuses. */

const pems = folderForSuite("pems");
const { clock, issuer, start, rotator, made } = rotatorForSuite();

it("closes each connection after the answer", async () => {
  const body = bodyOf(null);
  const { headers } = await rotator.post(body, await issuer.token(body, clock.now()));
  expect(headers.get("connection")).toBe("close");
});

it("serves HTTPS", async () => {
  const { cert, key } = makeCertificate(["127.0.0.1"]);
  writeFileSync(join(pems, "cert.pem"), cert);
  writeFileSync(join(pems, "key.pem"), key);
  const served = await start("--cert", join(pems, "cert.pem"), "--key", join(pems, "key.pem"));
  const body = bodyOf(null);
  const token = await issuer.token(body, clock.now());
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const dispatcher = new Agent({ connect: { ca: cert } });
  const { statusCode } = await request(served.url, { method: "POST", headers, body, dispatcher });
  expect(statusCode).toBe(200);
  await dispatcher.close();
  await served.close();
});

it.each([
  ["that is missing", "no.pem", "there is no such file"],
  ["that is no certificate", "junk.pem", "is not the private key"],
])("reports a certificate file %s", async (_case, file, said) => {
  writeFileSync(join(pems, "junk.pem"), "junk");
  const { environment } = rotator;
  const flags = ["--audience", AUDIENCE, "--environment", ENVIRONMENT, "--issuer", issuer.url];
  const path = join(pems, file);
  const { code, stderr } = await runCli(["rotate", "serve", ...flags, "--cert", path, "--key", path], { environment });
  expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(`^error: .*${file}.*${said}`, "s"))]);
});

it.each([
  ["an argument that it does not take", null, { permission: [] }, /takes name, permissions.*has permission/],
  ["a wrong permission", null, { permissions: [{ resourceType: "vpn", permission: "edit" }] }, /resourceType.*vpn/],
  ["no lifetime", null, { lifetime: undefined }, /request\.lifetime/],
  ["a lifetime of two years", null, { lifetime: "730d" }, /lifetime/],
  ["a state that it has not answered", { id: 5 }, {}, /"state" must be/],
])("the server refuses %s", async (_case, last, changes, said) => {
  const { status, answer: refusal } = await rotator.ask(last, changes);
  expect([status, refusal.message]).toEqual([400, expect.stringMatching(said)]);
  expect(await made()).toEqual([]);
});

describe("an invalid token", () => {
  const body = bodyOf(null);
  const stranger = forSuite(() => Issuer.start());

  it.each<[string, number, () => Promise<string | undefined>]>([
    ["is missing", 401, () => Promise.resolve(undefined)],
    ["is no token", 401, () => Promise.resolve("abc")],
    ["is for another service", 401, () => issuer.token(body, clock.now(), { aud: "https://other.example.com" })],
    ["is of another issuer", 401, () => issuer.token(body, clock.now(), { iss: "https://other.example.com" })],
    ["is signed by somebody else", 401, () => stranger.token(body, clock.now(), { iss: issuer.url })],
    ["has expired", 401, () => issuer.token(body, clock.now() - DAY_MS)],
    ["is older than the service", 401, () => issuer.token(body, clock.now() - 60_000)],
    ["is for another body", 401, () => issuer.token(`${body} `, clock.now())],
    ["has no id", 401, () => issuer.token(body, clock.now(), { jti: undefined } as unknown as JWTPayload)],
    ["is of another environment", 403, () => issuer.token(body, clock.now(), { current_env: "acme/dev" })],
    ["is not signed", 401, () => Promise.resolve(`${base64({ alg: "none" })}.${base64({ aud: AUDIENCE })}.`)],
  ])("makes no key for a token that %s", async (_case, status, token) => {
    const response = await rotator.post(body, await token());
    expect(response.status).toBe(status);
    expect(await made()).toEqual([]);
  });

  it("takes each token once", async () => {
    const token = await issuer.token(body, clock.now());
    const statuses = [await rotator.post(body, token), await rotator.post(body, token)].map(({ status }) => status);
    expect(statuses).toEqual([200, 401]);
  });
});

it("refuses a body that is too long", async () => {
  const body = bodyOf(null, { tags: ["x".repeat(70_000)] });
  expect((await rotator.post(body, await issuer.token(body, clock.now()))).status).toBe(413);
});

it.each([
  [["--audience", "http://rotator.example.com"], "It must be a URL that begins with https://"],
  [["--audience", AUDIENCE, "--host", "0.0.0.0"], "secrets would leave this machine unencrypted"],
  [["--audience", AUDIENCE, "--cert", "a.pem"], "give --cert and --key together"],
  [["--audience", AUDIENCE, "--issuer", "http://api.example.com"], "It must be a URL that begins with https://"],
  [["--audience", AUDIENCE, "--environment", "prod"], "It must be the whole name, such as acme/prod"],
])("refuses the flags %j", async (flags, said) => {
  const { code, stderr } = await runCli(["rotate", "serve", "--environment", ENVIRONMENT, ...flags]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
});

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
