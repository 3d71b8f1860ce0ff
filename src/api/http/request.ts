import { ConfigurationError } from "../errors/cloudinfra-error";
import { toDialect, type Dialect } from "../dialect";
import type { Credential } from "./credentials";

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The segments behind the base URL. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** With the specification's member names. The caller translates them into those of the dialect. */
  readonly body?: object;
  /** True if it changes nothing although it is a POST or PATCH, such as a cost quote. It is then retried like a GET. */
  readonly idempotent?: boolean;
}

export interface CallOptions {
  /**
   * Aborted when a person cancels the run. It ends the waits of a change before its attempts, with an AbortedError, and
   * never an attempt, because its effect would be unknown.
   */
  readonly cancelled?: AbortSignal | undefined;
  /**
   * The time limit for all attempts and the pauses between them. While other requests of the process go first, the time
   * counts from the last response to any of them. Default: two minutes, and at least twice the time limit of a request.
   */
  readonly deadlineMs?: number;
  /**
   * The latest end of all requests of the call, such as the pages of a list, in epoch milliseconds of this machine. It
   * stays the same while other requests go first.
   */
  readonly endsAt?: number;
  /** Called before the request is sent again because the API has refused it. */
  readonly beforeSentAgain?: () => Promise<unknown>;
  /** `false`: sends it once only. An attempt that was refused for the rate (429) does not count. Default: `true`. */
  readonly retry?: boolean;
  /**
   * A version of an object that was seen before. A GET of it asks again if the response is older. `updatedAt`: epoch
   * milliseconds.
   */
  readonly seen?: { readonly id: string; readonly updatedAt: number } | undefined;
  /** True if a 404 to the GET of an object is expected and counts at once. Default: `false`, it is asked again once. */
  readonly mayBeMissing?: boolean;
  /** For error texts: `create FirewallRule "allow-https"`. */
  readonly purpose?: string;
  /** A comment of the `User-Agent`, which the audit log shows. */
  readonly comment?: string | undefined;
  /** Signs in with this credential instead of the process's own. A refusal of it is final. */
  readonly credential?: Credential;
}

export function isChange({ method, idempotent }: ApiRequest): boolean {
  return method !== "GET" && idempotent !== true;
}

/**
 * Encodes a request: `path` for messages, `target` with the query. Throws ConfigurationError for an impossible path.
 */
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
    body: body === undefined ? undefined : JSON.stringify(toDialect(dialect, body)),
  };
}

/** Joins the percent-encoded segments of a path. Throws ConfigurationError for a segment that would change the path. */
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
