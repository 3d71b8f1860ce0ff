import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from "jose";
import { startSimulator, type Simulator } from "../../src/simulator";
import { send } from "../functions/support";
import { HttpStandIn, type StandInAnswer } from "../support/http-stand-in";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { folderForSuite, forEachTest, forSuite } from "../support/suite";
import { VirtualClock } from "../support/virtual-clock";
import { OWNER_KEY } from "./rotate-fixture";
import { runCli, type CliResult } from "./support";

export const AUDIENCE = "https://rotator.example.com/cloudinfra";
export const ENVIRONMENT = "acme/prod";

/** Pulumi Cloud, as far as it signs tokens. */
export class Issuer extends HttpStandIn {
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

interface Surroundings {
  readonly clock: VirtualClock;
  readonly issuer: Issuer;
  readonly api: Simulator;
  /** The folder of the journal. */
  readonly state: string;
  readonly url: string;
}

/** `cloudinfra rotate serve`. It ends with the test. */
class Rotator {
  said = "";
  #ended!: Promise<CliResult>;
  readonly #stop = new AbortController();
  url = "";
  environment: Record<string, string> = {};

  private constructor(private readonly around: Surroundings) {}

  static async start(around: Surroundings, more: readonly string[]): Promise<Rotator> {
    const { clock, issuer, api, state, url: baseUrl } = around;
    const rotator = new Rotator(around);
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
    const { issuer, clock } = this.around;
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

/** The body of a request, as ESC sends it. */
export function bodyOf(last: unknown, changes: object = {}): string {
  const permissions = [{ resourceType: "vpc", permission: "edit" }];
  return JSON.stringify({ request: { name: "deployer", permissions, lifetime: "90d", ...changes }, state: last });
}

/** A simulator, and for each test a rotator with a proxy between them. */
export function rotatorForSuite() {
  const state = folderForSuite("rotator");
  const clock = new VirtualClock(Date.parse("2026-03-01T12:00:00Z"));
  const api = forSuite<Simulator>(
    () => startSimulator({ apiKey: OWNER_KEY, validateResponses: true, clock }),
    (made) => {
      clock.restart();
      made.reset();
    },
  );
  const issuer = forSuite(() => Issuer.start());
  const proxy = forEachTest(() => FaultProxy.start(api.url));
  const start = (...flags: readonly string[]): Promise<Rotator> =>
    Rotator.start({ clock, issuer, api, state, url: proxy.url }, flags);
  const rotator = forEachTest(() => start());
  /** The ids of the keys that rotators have made. */
  async function made(): Promise<readonly string[]> {
    const { items } = await send(api, "GET", "/v1/api_keys?limit=100");
    return (items as { id: string; name: string }[]).flatMap(({ id, name }) =>
      name.startsWith("deployer ") ? [id] : [],
    );
  }
  return { clock, api, issuer, proxy, start, rotator, made };
}
