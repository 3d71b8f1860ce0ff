import { ConfigurationError } from "../errors/cloudinfra-error";
import { toWire, type Dialect } from "../dialect";
import type { Credential } from "./credentials";

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The segments behind the base URL. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** With the specification's member names; the dialect's are put in their place. */
  readonly body?: object;
  /** It changes nothing although it is a POST or PATCH (a cost quote), so that it is retried as a GET is. */
  readonly idempotent?: boolean;
  /** It asks how far operations are. If the rate is limited, it lets other requests pass. */
  readonly isPoll?: boolean;
}

export interface CallOptions {
  /** Ends the call early, with an AbortedError. */
  readonly signal?: AbortSignal;
  /**
   * For all attempts and the pauses between them together. While other requests of the process go first, the wait counts from
   * the last answer that any of them got. Default: two minutes, and at least twice the time limit of a request.
   */
  readonly deadlineMs?: number;
  /**
   * The latest end of all requests of the call together, such as the pages of a list, in epoch milliseconds of this machine. It
   * does not move, also while others go first.
   */
  readonly endsAt?: number;
  /** `false`: one attempt only; one that was refused for the rate (429) is none. Default `true`. */
  readonly retry?: boolean;
  /** For error texts: `create FirewallRule "allow-https"`. */
  readonly purpose?: string;
  /** A comment of the `User-Agent`, which the audit log shows. */
  readonly comment?: string | undefined;
  /** Signs in with this one instead of the process's own. Then its refusal is final. */
  readonly credential?: Credential;
}

/** A request as it is sent: `path` for messages, `target` with the query. Throws ConfigurationError for an impossible path. */
export function encodeRequest(
  { path: segments, query = {}, body }: ApiRequest,
  dialect: Dialect,
): { readonly path: string; readonly target: string; readonly body: string | undefined } {
  const path = encodePath(segments);
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const search = new URLSearchParams(given).toString();
  return {
    path,
    target: search === "" ? path : `${path}?${search}`,
    body: body === undefined ? undefined : JSON.stringify(toWire(dialect, body)),
  };
}

/** A path from its segments, each percent-encoded. Throws ConfigurationError for a segment that would change the path. */
export function encodePath(segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeSegment(segment)}`).join("");
}

function encodeSegment(segment: string): string {
  if (segment === "" || segment === "." || segment === ".." || loneSurrogate.test(segment)) {
    throw new ConfigurationError(`${JSON.stringify(segment)} cannot be the id or name of anything in the API.`);
  }
  return encodeURIComponent(segment);
}

/** Half a character, which has no encoding. */
const loneSurrogate = /\p{Cs}/u;
