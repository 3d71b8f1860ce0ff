import type { ConnectionFailure, FailedConnection } from "./connection-error";

/** Where a connection failed, and whether the request may have arrived. `started`: its first byte was on the way. */
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

/** Certificate and handshake failures, by Node's and OpenSSL's codes. */
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_)/;

/** The system's code: of the error, of the first of several addresses that were tried, or of what caused it. */
function codeOf(error: unknown, depth = 0): string {
  if (typeof error !== "object" || error === null || depth > 4) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  if ("errors" in error && Array.isArray(error.errors)) return codeOf(error.errors[0], depth + 1);
  return "cause" in error ? codeOf(error.cause, depth + 1) : "";
}
