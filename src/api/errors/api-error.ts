import { RequestError, describeRequest, type Effect } from "./cloudinfra-error";
import { advise, isQuotaRefusal, type ErrorResponse } from "./error-response";

export class ApiError extends RequestError {
  readonly code: string = "API_ERROR";
  readonly status: number;
  readonly type: string | undefined;
  readonly requestId: string | undefined;
  /** The response in one line, without the request: `404 NOT_FOUND_ERROR: VPC not found (request id …)`. */
  readonly responseText: string;
  /** As `responseText`, without what differs from request to request. */
  readonly words: string;
  /** Shared, because a refused key fails for every resource. */
  override readonly sharedAdvice: string;

  constructor(response: ErrorResponse) {
    super(describe(response), response.line, effectOf(response));
    this.sharedAdvice = response.status === 401 || response.status === 403 ? advise(response) : "";
    this.status = response.status;
    this.type = response.type;
    this.requestId = response.requestId;
    this.responseText = textOf(response);
    this.words = wordsIn(response);
  }
}

/** 400 or 422: the request is wrong. `parameters` has a reason for each bad parameter. */
export class BadRequestError extends ApiError {
  override readonly code = "BAD_REQUEST";
  readonly parameters: Readonly<Record<string, string>>;
  readonly #response: ErrorResponse;

  constructor(response: ErrorResponse) {
    super(response);
    this.parameters = response.parameters;
    this.#response = response;
  }

  /** A copy of the error with reworded parameters and reasons. */
  reworded(parameters: Readonly<Record<string, string>>): BadRequestError {
    return new BadRequestError({ ...this.#response, parameters });
  }
}

/** 401: the credential was refused (section 7.2); `credentialSource` says which one. */
export class UnauthorizedError extends ApiError {
  override readonly code = "UNAUTHORIZED";
  readonly credentialSource: string;

  constructor(response: ErrorResponse) {
    super(response);
    this.credentialSource = response.credentialSource;
  }
}

/** 403: the credential is valid, but may not do this (section 7.3). The object may exist. */
export class ForbiddenError extends ApiError {
  override readonly code = "FORBIDDEN";
}

/**
 * True if the API itself says that a credential is not valid, or lacks a permission. A block by IP rules does not
 * count, and neither does the refusal of a proxy, which has no error type.
 */
export function isRefusedCredential(error: unknown): error is ApiError {
  const isRefused = error instanceof UnauthorizedError || error instanceof ForbiddenError;
  return isRefused && error.type !== undefined && !isBlockedAddress(error);
}

/** True if the key's own IP rules block this machine's address (section 7.3). */
export function isBlockedAddress(error: unknown): boolean {
  return error instanceof ForbiddenError && error.type === "IP_RESTRICTED_ERROR";
}

/** 404: the object does not exist. */
export class NotFoundError extends ApiError {
  override readonly code = "NOT_FOUND";
}

/** 409: a conflict with the present state of the resource. */
export class ConflictError extends ApiError {
  override readonly code = "CONFLICT";
}

/**
 * True if the API has refused the request. That does not prove that nothing happened: the network may have delivered it
 * twice, and the API may have carried out the first delivery.
 */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.effect === "none";
}

/**
 * True if the API has refused this delivery. An earlier one, by the network, may have had an effect. A request that is
 * answered with 408 may go on.
 */
export function isRefusedDelivery(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 408;
}

/** 429, even after the retries. */
export class RateLimitedError extends ApiError {
  override readonly code = "RATE_LIMITED";
  readonly retryAfterMs: number | undefined;

  constructor(response: ErrorResponse) {
    super(response);
    this.retryAfterMs = response.retryAfterMs;
  }
}

/** 5xx, even after the retries that the method allows. */
export class ServerError extends ApiError {
  override readonly code = "SERVER_ERROR";
}

/** 3xx. Redirects are never followed, because the credential must not go to another host. */
class RedirectError extends ApiError {
  override readonly code = "REDIRECTED";
}

export function apiErrorFor(response: ErrorResponse): ApiError {
  const { status } = response;
  if (status >= 300 && status < 400) return new RedirectError(response);
  if (status === 400 || status === 422) return new BadRequestError(response);
  if (status === 401) return new UnauthorizedError(response);
  if (status === 403) return new ForbiddenError(response);
  if (status === 404) return new NotFoundError(response);
  if (status === 409) return new ConflictError(response);
  if (status === 429) return new RateLimitedError(response);
  if (status >= 500) return new ServerError(response);
  return new ApiError(response);
}

/** Refusals of the request or its sender by any server, before the API carries out anything. */
const REFUSALS: readonly number[] = [400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 422, 428, 429, 431];
/**
 * Even if the API itself answers one of these 4xx, an earlier delivery may have had an effect. `provenBy` does not take
 * them for a proof in the audit log either, nor those after which the client sends the request again.
 */
const INCONCLUSIVE: readonly number[] = [408, 409, 423, 424, 425];

/**
 * The effect of all deliveries, because a gateway may repeat the request. A conflict (409) may be the result of an
 * earlier delivery, which has taken the name or used up a quota. 408 and 5xx may come from a gateway while its backend
 * continues.
 */
function effectOf(response: ErrorResponse): Effect {
  const { status, isComplete } = response;
  const isOwnRefusal = isComplete === true && status >= 400 && status < 500 && !INCONCLUSIVE.includes(status);
  return (isOwnRefusal || REFUSALS.includes(status)) && !isQuotaRefusal(response) ? "none" : "unknown";
}

function describe(response: ErrorResponse): string {
  const headline = `${describeRequest(response.line)} failed: ${textOf(response)}`;
  const reasons = Object.entries(response.parameters).map(([name, reason]) => `  - ${name}: ${reason}`);
  const advice = advise(response);
  // A row shows the whole message in one line.
  const end = reasons.length === 0 && !headline.endsWith(".") ? "." : "";
  return [`${headline}${end}`, ...reasons, advice].filter((text) => text !== "").join("\n");
}

function textOf(response: ErrorResponse): string {
  const { requestId, attempts } = response;
  const facts = [
    requestId === undefined ? undefined : `request id ${requestId}`,
    attempts > 1 ? `${attempts} attempts` : undefined,
  ].filter(Boolean);
  return `${wordsIn(response)}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`;
}

function wordsIn({ status, type, message }: ErrorResponse): string {
  return `${[status, type].filter(Boolean).join(" ")}${message ? `: ${message}` : ""}`;
}
