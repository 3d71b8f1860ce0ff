import { createHash } from "node:crypto";
import { formsOf, maskSecret } from "../../text/shown-text";
import { USUAL_REMEDY } from "../errors/error-response";
import { ConfigurationError } from "../errors/cloudinfra-error";

/** An API key, and its source in words: `config cloudinfra:apiKey`. */
export interface Credential {
  readonly apiKey: string;
  readonly source: string;
  /** What to do if the API refuses the key, as a sentence. Default: `USUAL_REMEDY`. */
  readonly remedy?: string | undefined;
}

/** Shorter secrets are not replaced in texts, because they also occur as parts of ordinary words. */
const SHORTEST_KEY = 4;

export class Credentials {
  readonly #list: Credential[];
  readonly #hints = new Set<string>();
  #current: Credential;

  /** Throws ConfigurationError for a key that cannot be sent. */
  constructor(
    credentials: readonly Credential[],
    private readonly onWarning: ((message: string) => void) | undefined,
  ) {
    const [first] = credentials;
    if (first === undefined) throw new ConfigurationError("There is no API key to sign in with.");
    this.#list = credentials.map(requireUsable);
    this.#current = first;
    for (const { apiKey } of this.#list) maskSecret(apiKey);
  }

  get current(): Credential {
    return this.#current;
  }

  /** After a 401: moves on to the next credential, if there is one. Many requests may report the same refusal. */
  moveOn(refused: Credential): boolean {
    if (refused !== this.#current) return true;
    const next = this.#list[this.#list.lastIndexOf(refused) + 1];
    if (next === undefined) return false;
    this.#current = next;
    this.onWarning?.(
      `The API refused the API key from ${refused.source}. The run continues with the one from ${next.source}.`,
    );
    return true;
  }

  /** A hash of the key in use. Another key may belong to another account. */
  get hash(): string {
    return createHash("sha256").update(this.current.apiKey).digest("hex").slice(0, 16);
  }

  /** True if the process signs in, or has signed in, with this key. */
  has(apiKey: string): boolean {
    return this.#list.some((credential) => credential.apiKey === apiKey);
  }

  /**
   * Signs in with another credential from now on, such as the successor of a rotated key. Texts still hide the former
   * keys.
   */
  use(credential: Credential): void {
    this.#list.push(requireUsable(credential));
    maskSecret(credential.apiKey);
    this.#current = credential;
  }

  /** Adds a hint to the error of a refused key: where a valid one may be. */
  addHint(hint: string): void {
    this.#hints.add(hint);
  }

  remedyOf({ remedy = USUAL_REMEDY }: Credential): string {
    return [remedy, ...this.#hints].join(" ");
  }

  /** Removes all credentials, plain or encoded, from a text of the API. */
  scrub(text: string): string {
    const secrets = this.#list.map(({ apiKey }) => apiKey).filter(({ length }) => length >= SHORTEST_KEY);
    return secrets.flatMap(formsOf).reduce((cleaned, secret) => cleaned.replaceAll(secret, "[credential]"), text);
  }
}

function requireUsable(credential: Credential): Credential {
  const fault = keyFault(credential);
  if (fault === undefined) return credential;
  throw new ConfigurationError(fault);
}

/** Why a key cannot be sent. The text does not show it. */
export function keyFault({ apiKey, source }: Credential): string | undefined {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return undefined;
  if (/^Bearer\s/i.test(apiKey))
    return `The API key from ${source} begins with "Bearer". Leave out "Bearer": give the key alone.`;
  return `The API key from ${source} is empty, or holds spaces, line breaks or letters that a key never has. Copy it again.`;
}
