import { createHash, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { Agent, request } from "undici";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from "jose";
import { startSimulator, type Simulator } from "../../src/simulator";
import { makeApiKey, send } from "../functions/support";
import { makeCertificate } from "../api/support/certificate";
import { HttpStandIn, type StandInAnswer } from "../support/http-stand-in";
import { answer, dropAfter, holdBefore, rewriteRequest } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { folderForSuite, forEachTest, forSuite } from "../support/suite";
import { VirtualClock } from "../support/virtual-clock";
import { DAY_MS, OWNER_KEY } from "./rotate-fixture";
import { runCli, type CliResult, waitFor } from "./support";

const AUDIENCE = "https://rotator.example.com/cloudinfra";
const ENVIRONMENT = "acme/prod";
const [state, pems] = [folderForSuite("rotator"), folderForSuite("pems")];

/** Pulumi Cloud, as far as it signs tokens. */
class Issuer extends HttpStandIn {
  private constructor(
    private readonly key: CryptoKey,
    private readonly jwk: JWK,
  ) {
    super();
  }

  static async start(): Promise<Issuer> {
    const { publicKey, privateKey } = await generateKeyPair("RS256");
    return new Issuer(privateKey, { ...(await exportJWK(publicKey)), kid: "1", alg: "RS256" }).start();
  }

  get url(): string {
    return this.origin;
  }

  protected override answer({ url }: IncomingMessage): StandInAnswer {
    return { status: url === "/oidc/.well-known/jwks" ? 200 : 404, body: { keys: [this.jwk] } };
  }

  token(body: string, now: number, claims: JWTPayload = {}): Promise<string> {
    const hash = createHash("sha256").update(body).digest("base64");
    const nowS = Math.floor(now / 1000);
    return new SignJWT({
      ...{ iss: this.url, aud: AUDIENCE, iat: nowS, exp: nowS + 300, jti: randomUUID() },
      ...{ current_env: ENVIRONMENT, body_hash: `sha256-${hash}` },
      ...claims,
    })
      .setProtectedHeader({ alg: "RS256", kid: "1" })
      .sign(this.key);
  }
}

const clock = new VirtualClock(Date.parse("2026-03-01T12:00:00Z"));
const api = forSuite<Simulator>(
  () => startSimulator({ apiKey: OWNER_KEY, validateResponses: true, clock }),
  (made) => {
    clock.restart();
    made.reset();
  },
);
const issuer = forSuite(() => Issuer.start());

/** `cloudinfra rotate serve`. It ends with the test. */
class Rotator {
  said = "";
  #ended!: Promise<CliResult>;
  readonly #stop = new AbortController();
  url = "";
  environment: Record<string, string> = {};

  static async start(baseUrl: string, more: readonly string[] = []): Promise<Rotator> {
    const rotator = new Rotator();
    rotator.environment = {
      ...{ CLOUDINFRA_API_KEY: OWNER_KEY, CLOUDINFRA_BASE_URL: baseUrl, XDG_STATE_HOME: state },
      CLOUDINFRA_PROJECT_ID: api.projectId,
    };
    const flags = ["--audience", AUDIENCE, "--environment", ENVIRONMENT, "--port", "0", "--issuer", issuer.url];
    await new Promise<void>((resolve, reject) => {
      rotator.#ended = runCli(["rotate", "serve", ...flags, ...more], {
        signal: rotator.#stop.signal,
        clock,
        environment: rotator.environment,
        onStdout: (text) => {
          rotator.said += text;
          const [, url] = /serves \S+ at (\S+)/.exec(text) ?? [];
          if (url === undefined) return;
          rotator.url = `${url}/cloudinfra`;
          resolve();
        },
      });
      rotator.#ended.then(({ stderr }) => reject(new Error(stderr)), reject);
    });
    return rotator;
  }

  async close(): Promise<CliResult> {
    this.#stop.abort();
    return this.#ended;
  }

  post(body: string, token: string | undefined, signal?: AbortSignal): Promise<Response> {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { "content-type": "application/json", ...authorization };
    return fetch(this.url, { method: "POST", headers, body, signal: signal ?? null });
  }

  async ask(last: unknown, changes: object = {}): Promise<{ readonly status: number; readonly answer: RotatorAnswer }> {
    const body = bodyOf(last, changes);
    const response = await this.post(body, await issuer.token(body, clock.now()));
    return { status: response.status, answer: (await response.json()) as RotatorAnswer };
  }
}

interface RotatorAnswer {
  readonly id: string;
  readonly key: string;
  readonly replaced: readonly string[];
  readonly message?: string;
}

const proxy = forEachTest(() => FaultProxy.start(api.url));
const rotator = forEachTest(() => Rotator.start(proxy.url));

function bodyOf(last: unknown, changes: object = {}): string {
  const permissions = [{ resourceType: "vpc", permission: "edit" }];
  return JSON.stringify({ request: { name: "deployer", permissions, lifetime: "90d", ...changes }, state: last });
}

const isAccepted = async (secret: string): Promise<boolean> =>
  (await fetch(`${api.url}/v1/regions`, { headers: { authorization: `Bearer ${secret}` } })).status === 200;
async function made(): Promise<readonly string[]> {
  const { items } = await send(api, "GET", "/v1/api_keys?limit=100");
  return (items as { id: string; name: string }[]).flatMap(({ id, name }) =>
    name.startsWith("deployer ") ? [id] : [],
  );
}

it("keeps the replaced key until the next rotation", async () => {
  const { answer: first } = await rotator.ask(null);
  const { answer: second } = await rotator.ask(first);
  expect([first.replaced, second.replaced]).toEqual([[], [first.id]]);
  expect(await Promise.all([first, second].map(({ key }) => isAccepted(key)))).toEqual([true, true]);
  const { answer: third } = await rotator.ask(second);
  expect(third.replaced).toEqual([second.id]);
  expect(await Promise.all([first, second, third].map(({ key }) => isAccepted(key)))).toEqual([false, true, true]);
  expect([...(await made())].sort()).toEqual([second.id, third.id].sort());
});

it("gives the same key for the same state", async () => {
  const answers = await Promise.all([rotator.ask(null), rotator.ask(null)]);
  answers.push(await rotator.ask(null));
  expect(new Set(answers.map(({ answer: { key } }) => key)).size).toBe(1);
  expect(await made()).toHaveLength(1);
});

it("answers an outdated state with a working key", async () => {
  const answers = [await rotator.ask(null)];
  for (let nth = 1; nth < 4; nth += 1) answers.push(await rotator.ask(answers.at(-1)!.answer));
  const { answer: again } = await rotator.ask(answers[0]!.answer);
  expect(await isAccepted(again.key)).toBe(true);
});

it("gives the new key if the others cannot be listed", async () => {
  proxy.on({ method: "GET", path: /^\/v1\/api_keys$/ }, answer(403, { type: "FORBIDDEN", message: "no" }));
  const { status, answer: first } = await rotator.ask(null);
  expect([status, await isAccepted(first.key)]).toEqual([200, true]);
  expect(rotator.said).toContain("could not look for keys that the state does not know");
});

it("warns of a key missing in the caller's state", async () => {
  const { answer: lost } = await rotator.ask(null);
  clock.advance(2 * 3_600_000);
  const { answer: second } = await rotator.ask(null);
  expect(second.id).not.toBe(lost.id);
  expect(rotator.said).toContain(`the state does not know ${lost.id}`);
});

it("does not touch a key that it has not made", async () => {
  const { id: other } = await makeApiKey(api, { expires_at: new Date(clock.now() + 30 * DAY_MS).toISOString() });
  const { status, answer: rotated } = await rotator.ask({ id: randomUUID(), replaced: [other] });
  expect(status).toBe(200);
  expect(rotated.replaced).not.toContain(other);
  expect(await send(api, "GET", `/v1/api_keys/${other}`)).toMatchObject({ status: "active" });
  expect(rotator.said).toContain(`key ${other} stays`);
});

it("tries a failed deletion again", async () => {
  const { answer: first } = await rotator.ask(null);
  const { answer: second } = await rotator.ask(first);
  proxy.on({ method: "DELETE" }, answer(403, { type: "FORBIDDEN", message: "no" }));
  const { answer: third } = await rotator.ask(second);
  expect(third.replaced).toEqual([second.id, first.id]);
  proxy.clear();
  await rotator.ask(third);
  expect(await isAccepted(first.key)).toBe(false);
});

it("makes one usable key if the response is lost", async () => {
  proxy.on({ method: "POST", path: /^\/v1\/api_keys$/, nth: 1 }, dropAfter);
  const { answer: rotated } = await rotator.ask(null);
  expect(await isAccepted(rotated.key)).toBe(true);
  expect(await made()).toEqual([rotated.id]);
});

it("deletes a key that is not as requested", async () => {
  const withOtherTags = rewriteRequest((body) => ({ ...body, tags: ["other"] }));
  proxy.on({ method: "POST", path: /^\/v1\/api_keys$/ }, withOtherTags);
  const { status, answer: said } = await rotator.ask(null);
  expect([status, said.message]).toEqual([502, expect.stringMatching(/does not show it.*has deleted the new key/s)]);
  expect(await made()).toEqual([]);
});

it("closes each connection after the answer", async () => {
  const body = bodyOf(null);
  const { headers } = await rotator.post(body, await issuer.token(body, clock.now()));
  expect(headers.get("connection")).toBe("close");
});

it("does not warn of a key of a request in progress", async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  proxy.on({ method: "GET", path: /^\/v1\/api_keys$/, nth: 1 }, holdBefore(released));
  const first = rotator.ask(null);
  await waitFor(async () => (await made()).length === 1);
  await rotator.ask(null, { name: "deployer of another environment" });
  release();
  await first;
  expect((await rotator.close()).stderr).toBe("");
});

it("reports a key to the doctor if the caller disconnects", async () => {
  const given = new AbortController();
  const listed = new Promise((resolve) => given.signal.addEventListener("abort", resolve));
  proxy.on({ method: "GET", path: /^\/v1\/api_keys$/ }, holdBefore(listed));
  const body = bodyOf(null);
  const asking = rotator.post(body, await issuer.token(body, clock.now()), given.signal);
  await waitFor(async () => (await made()).length === 1);
  given.abort();
  await expect(asking).rejects.toThrow();
  const [id] = await made();
  await waitFor(() => rotator.said.includes(`made key ${id}`));
  const { stdout } = await runCli(["doctor"], { environment: rotator.environment });
  expect(stdout).toContain(id);
  // ESC had the answer all the same.
  expect((await rotator.ask({ id, replaced: [] })).answer.replaced).toEqual([id]);
  expect((await runCli(["doctor"], { environment: rotator.environment })).stdout).not.toContain(id);
});

it("serves HTTPS", async () => {
  const { cert, key } = makeCertificate(["127.0.0.1"]);
  writeFileSync(join(pems, "cert.pem"), cert);
  writeFileSync(join(pems, "key.pem"), key);
  const served = await Rotator.start(proxy.url, ["--cert", join(pems, "cert.pem"), "--key", join(pems, "key.pem")]);
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

it("says why no key was made, without a secret", async () => {
  proxy.on({ method: "POST", path: /^\/v1\/api_keys$/ }, answer(422, { type: "X", message: "no room" }));
  const { status, answer: said } = await rotator.ask(null);
  expect([status, said.message]).toEqual([502, expect.stringContaining("no room")]);
  expect(JSON.stringify(said)).not.toContain(OWNER_KEY);
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
