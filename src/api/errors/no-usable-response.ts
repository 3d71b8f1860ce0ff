import { baseUrlName, settingName } from "../../engine/settings-list";
import { fileLimits } from "../../text/file-fault";
import { NOTHING_SENT, RequestError, describeRequest, type Effect, type RequestLine } from "./cloudinfra-error";

type ConnectionFailure = "dns" | "refused" | "unreachable" | "tls" | "broken";

/** The failure of a connection; `code` is Node's or OpenSSL's word for it, or the response of a proxy. */
interface FailedConnection {
  readonly failure: ConnectionFailure;
  readonly effect: Effect;
  readonly code: string;
}

/** There was no complete response. */
abstract class NoResponseError extends RequestError {
  override readonly sharedAdvice: string;

  constructor(line: RequestLine, [fact, advice = ""]: Sentences, effect: Effect, options?: ErrorOptions) {
    const words = [fact, advice].filter(Boolean).join(" ");
    super(`${describeRequest(line)} failed: ${words}${effectText(line, effect)}`, line, effect, options);
    this.sharedAdvice = advice;
  }
}

/** The connection could not be made, or broke before the complete response arrived. */
export class ConnectionError extends NoResponseError {
  readonly code = "CONNECTION_ERROR";
  readonly failure: ConnectionFailure;

  constructor(line: RequestLine, host: string, { failure, effect, code }: FailedConnection, options?: ErrorOptions) {
    super(line, sentences[failure](host, code, `the ${baseUrlName(line.provider)}`), effect, options);
    this.failure = failure;
  }
}

/** Rounds, because the rest of a deadline is some milliseconds less than the configured value. */
function roundedMs(timeoutMs: number): number {
  return timeoutMs < 1_000 ? timeoutMs : Math.ceil(timeoutMs / 100) * 100;
}

/** The time that a request may take. `isConfigured`: it is the setting, so a higher one helps. */
export interface TimeLimit {
  readonly ms: number;
  readonly isConfigured: boolean;
}

export class TimeoutError extends NoResponseError {
  readonly code = "TIMEOUT";

  constructor(line: RequestLine, host: string, limit: TimeLimit, effect: Effect) {
    const fact = `no complete answer from ${host} within ${roundedMs(limit.ms)} ms.`;
    const advice = `If the API is only slow, raise ${settingName("requestTimeout", line.provider)}.`;
    super(line, limit.isConfigured ? [fact, advice] : [fact], effect);
  }
}

/**
 * The API limits the rate of requests for longer than the request may wait. Its earlier attempts may have been refused
 * too.
 */
export class PausedError extends RequestError {
  readonly code = "PAUSED";

  constructor(line: RequestLine, host: string, pauseMs: number | undefined, deadlineMs: number) {
    const [pause, deadline] = [pauseMs ?? 0, deadlineMs].map((time) => `${Math.ceil(time / 1000)} s`);
    const asked = pauseMs === undefined ? "" : `, and has asked for a pause of ${pause}`;
    super(
      `${describeRequest(line)} failed: ${host} limits the rate of requests${asked}; this request waits ${deadline} at most. ` +
        `Run again ${asked === "" ? "later" : "after the pause"}: other runs with the same key share the limit.`,
      line,
      "none",
    );
  }
}

/** The caller's AbortSignal ended the request. */
export class AbortedError extends RequestError {
  readonly code = "ABORTED";

  constructor(line: RequestLine, effect: Effect, options?: ErrorOptions) {
    const advice = line.method === "GET" ? "" : " Run again.";
    super(`${describeRequest(line)} was interrupted.${effectText(line, effect)}${advice}`, line, effect, options);
  }
}

type Sentences = readonly [fact: string, advice?: string];

const sentences: Readonly<Record<ConnectionFailure, (host: string, code: string, baseUrl: string) => Sentences>> = {
  dns: (host, _, baseUrl) => [`the name of ${host} is not known (DNS).`, `Check ${baseUrl} and the network.`],
  refused: (host, _, baseUrl) => [
    `nothing listens at ${host} (connection refused).`,
    `Check ${baseUrl}, and that the API or the simulator runs.`,
  ],
  unreachable: (host, code, baseUrl) => {
    const limit = fileLimits[code];
    return limit === undefined
      ? [`${host} cannot be reached (${code}).`, `Check ${baseUrl}, the network and the proxy.`]
      : [`${host} cannot be reached: ${limit}.`];
  },
  tls: (host, code, baseUrl) => {
    const [fact, advice] = tlsReason(code, baseUrl);
    return [`no secure (TLS) connection to ${host}: ${fact}`, advice];
  },
  broken: (host) => [`the connection to ${host} broke before the complete answer arrived.`],
};

function tlsReason(code: string, baseUrl: string): readonly [fact: string, advice: string] {
  switch (code) {
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
    case "EPROTO":
      return [`the server there does not speak TLS (${code}).`, `Check ${baseUrl}: https:// may be wrong.`];
    case "CERT_HAS_EXPIRED":
      return [`its certificate has expired (${code}).`, "Check the date on both sides."];
    case "CERT_NOT_YET_VALID":
      return [`its certificate is not valid yet (${code}).`, "Check the date on both sides."];
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return [`its certificate is for another name (${code}).`, `Check ${baseUrl}.`];
    default:
      if (code.startsWith("ERR_SSL_")) return [`the handshake failed (${code}).`, `Check ${baseUrl} and the proxy.`];
      return [
        `its certificate is not trusted (${code}).`,
        "If your company has its own certificate authority, set NODE_EXTRA_CA_CERTS.",
      ];
  }
}

/** Not for a GET: it may check the result of a request that was sent, so "Nothing was sent." would be misleading. */
function effectText({ method }: RequestLine, effect: Effect): string {
  return effect === "none" && method !== "GET" ? NOTHING_SENT : "";
}

/**
 * Finds out in which step a connection failed, and whether the request may have arrived. `started`: its first byte was
 * sent.
 */
export function classifyFailure(cause: unknown, started: boolean): FailedConnection {
  const code = codeOf(cause) || "no code";
  const failure = failureOf(code, started);
  const beforeSending = failure === "dns" || failure === "refused" || failure === "tls";
  return { failure, code, effect: !started || beforeSending ? "none" : "unknown" };
}

function failureOf(code: string, started: boolean): ConnectionFailure {
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "dns";
  if (code === "ECONNREFUSED") return "refused";
  if (tlsCodes.test(code) && !started) return "tls";
  return started ? "broken" : "unreachable";
}

/**
 * Certificate and handshake failures, by Node's and OpenSSL's codes. TLS alerts do not count: they may be temporary.
 */
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_(?!.*ALERT)|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_)/;

/** The system's error code, from the error itself, from the first of several addresses, or from the cause. */
function codeOf(error: unknown, depth = 0): string {
  if (typeof error !== "object" || error === null || depth > 4) return "";
  // undici has one code for all responses of a proxy. Its text has the status.
  const [, status] = ("message" in error && /^Proxy response \((\d{3})\)/.exec(String(error.message))) || [];
  if (status !== undefined) return `the proxy answered ${status}`;
  if ("code" in error && typeof error.code === "string") return error.code;
  if ("errors" in error && Array.isArray(error.errors)) return codeOf(error.errors[0], depth + 1);
  return "cause" in error ? codeOf(error.cause, depth + 1) : "";
}

/**
 * The fault of a response: not JSON, JSON that is cut off, too large, empty, an endless list, a missing or mistyped
 * member, a name of the other dialect, or an outdated version of an object.
 */
type ResponseDefect =
  "not-json" | "cut-short" | "too-large" | "empty" | "endless" | "schema" | "other-dialect" | "outdated";

/** A success status with an unusable body. The request was probably carried out. */
export class InvalidResponseError extends RequestError {
  readonly code = "INVALID_RESPONSE";
  readonly defect: ResponseDefect;

  constructor(line: RequestLine, defect: ResponseDefect, explanation: string) {
    super(`${describeRequest(line)}: ${explanation}`, line, "unknown");
    this.defect = defect;
  }
}

interface ForeignResponse {
  readonly line: RequestLine;
  readonly effect: Effect;
  /** The base URL in use, as messages name it. */
  readonly baseUrl: string;
  /** The reason, as a clause for the message: it describes the response, or the result of asking for the regions. */
  readonly evidence: string;
}

/**
 * A 404 that did not come from the API, but from an ingress, a proxy or another service, often because the base URL is
 * wrong. The object may exist, so no code may treat it as deleted.
 */
export class NotTheApiError extends RequestError {
  readonly code = "NOT_THE_API";
  readonly status = 404;

  constructor({ line, effect, baseUrl, evidence }: ForeignResponse, options?: ErrorOptions) {
    super(
      `${describeRequest(line)} failed: 404, but not from the API: ${evidence}.\n` +
        `${baseUrlAdvice(baseUrl)} "cloudinfra doctor" shows where the base URL is set, and tries it. Then run again.`,
      line,
      effect,
      options,
    );
  }
}

/** Each request adds /v1, so a base URL that already ends with it is probably wrong. */
function baseUrlAdvice(baseUrl: string): string {
  const shorter = baseUrl.replace(/\/v1\/?$/, "");
  if (shorter !== baseUrl)
    return `The base URL is ${baseUrl}. Each request adds /v1, so the base URL should probably not end with it: try ${shorter}.`;
  return (
    `Check the base URL, ${baseUrl} (the part before /v1), and the servers in front of the API at ` +
    `${new URL(baseUrl).host}: an ingress or a proxy may answer instead of the API.`
  );
}
