import { encodePath } from "./base-url";
import { toWire, type Dialect } from "../dialect";

/** A request of the API, before anything is encoded. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The segments behind the base URL. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** With the specification's member names; the dialect's are put in their place. */
  readonly body?: object;
  /** It changes nothing although it is a POST or PATCH (a cost quote), so that it is retried as a GET is. */
  readonly idempotent?: boolean;
  /** It looks how far operations are, so that it lets others pass where the rate is limited. */
  readonly isPoll?: boolean;
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
