import { baseUrlName, waysToSet } from "../../engine/settings-list";
import { ConfigurationError, NotFoundError, NotTheApiError } from "../errors";
import { isLoopback } from "../../process/loopback";
import type { ApiRequest, CallOptions } from "./request";
import type { ApiResponse } from "./response";
import { isTransient } from "./retry";

/** The address of requests: origin, path prefix without a slash at its end, and the host for messages. */
export interface BaseUrl {
  readonly origin: string;
  readonly prefix: string;
  readonly host: string;
  readonly isLoopback: boolean;
}

/**
 * Reads a base URL, of the explicit provider if one is given. Throws ConfigurationError without the URL in its text,
 * because the URL may contain a password.
 */
export function parseBaseUrl(text: string, allowInsecure = false, provider?: string): BaseUrl {
  const subject = `The ${baseUrlName(provider)}`;
  if (!URL.canParse(text))
    throw new ConfigurationError(`${subject} is not a URL: it must have the form https://host/path.`);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new ConfigurationError(
      `${subject} must start with https:// (or http:// on this machine), not ${url.protocol}`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigurationError(
      `${subject} contains a user name or password. Remove it: the API key is the credential.`,
    );
  }
  if (/[?#]/.test(text)) {
    const meant = `${url.origin}${url.pathname}`;
    throw new ConfigurationError(
      `${subject} must not contain "?" or "#". Set it with ${waysToSet("baseUrl", meant, provider)}.`,
    );
  }
  const isLocal = isLoopback(url.hostname);
  if (url.protocol === "http:" && !isLocal && !allowInsecure) {
    throw new ConfigurationError(
      `${subject} is http:// on ${url.host}: anybody on the way could read the API key. ` +
        `Use https://, or allow it with ${waysToSet("allowInsecure", "true", provider)}.`,
    );
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, ""), host: url.host, isLoopback: isLocal };
}

/** The URL that a text without http:// or https:// probably means. Undefined if the text may have a password. */
export function withScheme(text: string): string | undefined {
  const rest = text.replace(/^\w+:\/\//, "").replace(/[?#].*$/s, "");
  if (text.includes("@") || !URL.canParse(`https://${rest}`)) return undefined;
  return `${isLoopback(new URL(`https://${rest}`).hostname) ? "http" : "https"}://${rest}`;
}

/** Every API has this list, and every valid key may read it. So a server that answers 404 to it is not the API. */
const REGIONS: ApiRequest = { method: "GET", path: ["v1", "regions"] };
const DEADLINE_MS = 15_000;

/**
 * Finds out, once in a process, if the base URL is right. Only then does a 404 mean that an object does not exist. With
 * a wrong base URL, for example one with a segment too many, everything answers 404.
 */
export class BaseUrlCheck {
  #isRight = false;
  #check: Promise<void> | undefined;

  /** `read` throws if the response is not a list. */
  constructor(
    private readonly baseUrl: string,
    private readonly ask: (request: ApiRequest, options: CallOptions) => Promise<ApiResponse>,
    private readonly read: (response: ApiResponse) => void,
  ) {}

  /** Records that the API has answered a request as the specification says, so that the base URL is right. */
  recordResponse(): void {
    this.#isRight = true;
  }

  /** Rejects with NotTheApiError unless the base URL is known to be right. */
  async confirm(notFound: NotFoundError, { purpose, deadlineMs, endsAt }: CallOptions): Promise<void> {
    if (this.#isRight) return;
    try {
      await this.#askOnce({ deadlineMs: Math.min(DEADLINE_MS, deadlineMs ?? Infinity), ...(endsAt && { endsAt }) });
    } catch (cause) {
      const { path, method, effect } = notFound;
      throw new NotTheApiError(
        { line: { path, method, purpose }, effect, baseUrl: this.baseUrl, evidence: evidenceOf(cause) },
        { cause },
      );
    }
  }

  /** Asks once for all callers, and again only after a temporary failure. */
  #askOnce(limits: CallOptions): Promise<void> {
    this.#check ??= this.ask(REGIONS, { ...limits, purpose: "check the base URL" })
      .then((response) => this.read(response))
      .catch((error: unknown) => {
        if (isTransient(error)) this.#check = undefined;
        throw error;
      });
    return this.#check;
  }
}

function evidenceOf(cause: unknown): string {
  if (cause instanceof NotFoundError) return "GET /v1/regions, which every API has, got the same answer";
  const reason = cause instanceof Error ? cause.message.split("\n")[0] : "";
  return `the API answered nothing else in this run, and GET /v1/regions failed: ${reason}`;
}
