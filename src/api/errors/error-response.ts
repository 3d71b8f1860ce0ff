import { parseJson } from "../../text/json";
import { z } from "zod";
import { withoutSecrets } from "../../text/redaction";
import { clipped, printable } from "../../text/terminal-text";
import { dateTime } from "../../time/date-time";
import type { RequestLine } from "./cloudinfra-error";
import { baseUrlName } from "../../engine/settings-list";

/** The content of an error response (specification section 7.1), without secrets. */
interface ErrorContent {
  /** The machine-readable error type. Undefined if the body is not the API's own. */
  readonly type?: string | undefined;
  readonly message?: string | undefined;
  readonly requestId?: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The content of an error response, with its request and its credential. */
export interface ErrorResponse extends ErrorContent {
  readonly line: RequestLine;
  readonly status: number;
  /** True if the body is the API's own, with every field (specification section 7.1), and not that of a proxy. */
  readonly isComplete?: boolean;
  readonly credentialSource: string;
  /** What to do if the present credential is refused, as a sentence. */
  readonly credentialRemedy: string;
  readonly attempts: number;
  readonly retryAfterMs?: number | undefined;
}

/** HTTPError of specification section 7.1, with all its required fields. */
const completeHttpError = z.looseObject({
  type: z.string(),
  message: z.string(),
  request_id: z.string(),
  timestamp: dateTime,
  context: z.looseObject({ parameters: z.looseObject({}) }),
});

/** As `completeHttpError`, but any field may be missing, because proxies answer with their own bodies. */
const httpError = z.looseObject({
  type: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  request_id: z.string().optional().catch(undefined),
  context: z
    .looseObject({ parameters: z.record(z.string(), z.unknown()) })
    .optional()
    .catch(undefined),
});

interface ErrorBody extends ErrorContent {
  readonly isComplete: boolean;
}

const MAX_TEXT_LENGTH = 500;

/**
 * Reads an error body. `scrub` removes secrets that the API may repeat. The result has no values if the body is not an
 * HTTPError.
 */
export function readErrorBody(text: string, scrub: (text: string) => string): ErrorBody {
  const body = parseJson(text);
  const { success, data } = httpError.safeParse(body);
  if (!success) return { parameters: {}, isComplete: false };
  const clean = (value: string | undefined): string | undefined =>
    value === undefined ? undefined : sanitized(scrub(value));
  const parameters = Object.entries(data.context?.parameters ?? {}).map(([name, reason]) => [
    clean(name),
    clean(typeof reason === "string" ? reason : JSON.stringify(reason)),
  ]);
  return {
    type: clean(data.type),
    message: clean(data.message),
    requestId: clean(data.request_id),
    parameters: Object.fromEntries(parameters) as Record<string, string>,
    isComplete: completeHttpError.safeParse(body).success,
  };
}

/** One line of the API's text, without control characters, and of readable length. */
export function sanitized(text: string): string {
  return clipped(printable(withoutSecrets(text)).trim(), MAX_TEXT_LENGTH);
}

/**
 * True if a refusal seems to say that a region has no capacity. It only changes the advice, and no decision depends on
 * it.
 */
export function isCapacityRefusal(words: string): boolean {
  return /\bcapacity\b/i.test(words);
}

export function isQuotaRefusal({ type, parameters }: ErrorResponse): boolean {
  return /quota/i.test(type ?? "") || Object.keys(parameters).some((name) => name.startsWith("quota."));
}

/** The advice for an error, by its type (specification section 7) or its status. Empty if there is none. */
export function advise(response: ErrorResponse): string {
  const byType = response.type === undefined ? undefined : adviceByType[response.type];
  return (byType ?? adviceByStatus(response.status))(response);
}

type Advice = (response: ErrorResponse) => string;

const refusedKey: Advice = ({ credentialSource, credentialRemedy }) =>
  `The API key from ${credentialSource} was refused: it may be mistyped, cut short, deleted, expired, not valid yet, or ` +
  `made for another environment. ${credentialRemedy}`;

/**
 * A used-up quota is a conflict, but neither a refresh nor another name helps. A deletion conflicts with what still
 * needs the object.
 */
const conflict: Advice = (response) =>
  isQuotaRefusal(response)
    ? "The organization's quota is used up. Delete what is no longer needed, use another region, or ask for a higher " +
      "quota; getQuota shows limits and use."
    : isCapacityRefusal(response.message ?? "")
      ? "There is no capacity now: run again later, or choose another region or type."
      : response.line.method === "DELETE"
        ? "Something still needs it, or it is changing now. Delete or move what the answer names, then run again."
        : "It conflicts with the resource's present state, a name in use, or a quota. Refresh, then run again.";

const adviceByType: Readonly<Record<string, Advice>> = {
  AUTHORIZATION_HEADER_REQUIRED_ERROR: ({ credentialSource }) =>
    `The API key from ${credentialSource} was sent but did not arrive: a proxy may strip the Authorization header.`,
  AUTHORIZATION_FORMAT_INVALID_ERROR: ({ credentialSource }) =>
    `The API key from ${credentialSource} did not arrive as one word: check it for spaces and line breaks.`,
  INVALID_TOKEN_ERROR: refusedKey,
  AUTHORIZATION_ERROR: ({ line, credentialSource }) =>
    `The API key from ${credentialSource} is valid, but lacks the permission ` +
    `("${line.method === "GET" || /\/(cost|availability)$/.test(line.path) ? "read" : "edit"}" for this kind of resource), or the resource is in a project outside ` +
    `the key's scope. Add the permission or the project to the key, or use another key.`,
  IP_RESTRICTED_ERROR: ({ credentialSource }) =>
    `The IP rules of the API key from ${credentialSource} block this machine's address, or do not list it. ` +
    `Add the address to the key's allowed list, or run from an allowed network.`,
  PERMISSION_ESCALATION: ({ credentialSource }) =>
    `A key cannot give another key a permission that it lacks itself. Take it out of "permissions", or use a key ` +
    `that holds it instead of the one from ${credentialSource}.`,
  PROJECT_SCOPE_ESCALATION: ({ credentialSource }) =>
    `A key cannot give another key access to a project outside its own scope. Take the project out of the project ids, ` +
    `or use a key scoped to it instead of the one from ${credentialSource}.`,
};

function adviceByStatus(status: number): Advice {
  if (status >= 300 && status < 400)
    return ({ line }) =>
      `The provider does not follow redirects, to protect the API key. Check the ${baseUrlName(line.provider)}.`;
  switch (status) {
    case 400:
    case 422:
      return ({ parameters }) => (Object.keys(parameters).length > 0 ? "Correct what is listed and run again." : "");
    case 401:
      return refusedKey;
    case 403:
      return ({ type, credentialSource }) =>
        `The API key from ${credentialSource} may not do this${type === undefined ? ", or a server in front of the API refuses it" : ""}.`;
    case 404:
      return ({ line }) =>
        `It does not exist, or no longer does. If the state has it, run \`pulumi refresh\`. If everything answers 404, check the ${baseUrlName(line.provider)}.`;
    case 409:
      return conflict;
    case 429:
      return ({ retryAfterMs }) =>
        retryAfterMs === undefined
          ? "The API limits the rate of requests. Run again later: other runs with the same key share the limit."
          : `The API limits the rate of requests, and asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`;
    default:
      return status >= 500
        ? () =>
            "The fault is on the API's side. Run again later. If it stays, give the request id to the API's support."
        : () => "";
  }
}
