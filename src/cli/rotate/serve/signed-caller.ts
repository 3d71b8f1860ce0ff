import { createHash } from "node:crypto";
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from "jose";
import type { Clock } from "../../../time/clock";

/** A refused request, with the status of the answer. */
export class RefusedCaller extends Error {
  override readonly name = "RefusedCaller";

  constructor(
    readonly status: 401 | 403,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface CallerRules {
  /** The URL of Pulumi Cloud, which signs the tokens. */
  readonly issuer: string;
  /** The URL of this service in the configuration of ESC. */
  readonly audience: string;
  /** The environments that may rotate keys, such as `acme/prod`. */
  readonly environment: readonly string[];
}

/** The greatest difference between the clocks of the issuer and of this machine. */
const CLOCKS_APART_S = 30;

/**
 * Checks the token that comes with each request. Source: Pulumi's documentation of external providers, "JWT
 * Authentication".
 */
export class Callers {
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  /** The used tokens, with their expiry in epoch seconds. */
  readonly #used = new Map<string, number>();
  /** In epoch seconds. An earlier process may have accepted a token from before this. */
  readonly #startedAtS: number;

  constructor(
    private readonly rules: CallerRules,
    private readonly clock: Clock,
  ) {
    this.#keys = createRemoteJWKSet(new URL(`${rules.issuer}/oidc/.well-known/jwks`));
    this.#startedAtS = clock.timeOfDay() / 1000;
  }

  /**
   * The environment that sends the request. Each token is valid for one request with the signed body. Rejects with
   * RefusedCaller.
   */
  async environmentOf(authorization: string | undefined, body: Buffer): Promise<string> {
    const claims = await this.#claimsOf(authorization);
    const { body_hash: hash, current_env: environment, jti = "", exp = 0, iat = Infinity } = claims;
    if (iat < this.#startedAtS - CLOCKS_APART_S)
      throw new RefusedCaller(401, "The token is older than this service, which cannot know whether it was used.");
    if (hash !== `sha256-${createHash("sha256").update(body).digest("base64")}`)
      throw new RefusedCaller(401, "The token was signed for another body.");
    if (typeof environment !== "string" || !this.rules.environment.includes(environment))
      throw new RefusedCaller(403, `The environment ${JSON.stringify(environment)} may not rotate keys here.`);
    const nowS = this.clock.timeOfDay() / 1000;
    for (const [used, until] of this.#used) if (until < nowS - CLOCKS_APART_S) this.#used.delete(used);
    if (this.#used.has(jti)) throw new RefusedCaller(401, "The token was used before.");
    this.#used.set(jti, exp);
    return environment;
  }

  async #claimsOf(authorization: string | undefined): Promise<JWTPayload> {
    const [, token] = /^Bearer (\S+)$/.exec(authorization ?? "") ?? [];
    if (token === undefined) throw new RefusedCaller(401, "The request has no bearer token.");
    const { issuer, audience } = this.rules;
    try {
      const { payload } = await jwtVerify(token, this.#keys, {
        algorithms: ["RS256"],
        issuer: [issuer, `${issuer}/oidc`],
        audience,
        requiredClaims: ["exp", "jti", "body_hash", "current_env"],
        currentDate: new Date(this.clock.timeOfDay()),
        clockTolerance: CLOCKS_APART_S,
      });
      return payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      throw new RefusedCaller(401, `The token is not accepted: ${error.message}.`, { cause: error });
    }
  }
}
