import { createHash } from "node:crypto";
import { formsOf, maskSecret } from "../../text/redaction";
import { ConfigurationError } from "../errors/cloudinfra-error";

/** The usual advice for a refused key. */
export const USUAL_REMEDY = "Put a valid key there.";

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
  constructor(credential: Credential) {
    this.#list = [requireUsable(credential)];
    this.#current = credential;
    maskSecret(credential.apiKey);
  }

  get current(): Credential {
    return this.#current;
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

/** Throws ConfigurationError for a key that cannot be sent. The text does not show it. */
export function requireUsable(credential: Credential): Credential {
  const { apiKey, source } = credential;
  if (/^[\x21-\x7e]+$/.test(apiKey)) return credential;
  throw new ConfigurationError(
    /^Bearer\s/i.test(apiKey)
      ? `The API key from ${source} begins with "Bearer". Leave out "Bearer": give the key alone.`
      : `The API key from ${source} is empty, or holds spaces, line breaks or letters that a key never has. Copy it again.`,
  );
}
