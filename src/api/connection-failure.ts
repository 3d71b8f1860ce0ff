import type { ConnectionFailure } from "./connection-error";
import type { Effect } from "./cloudinfra-error";

/** Where a connection failed, and whether the request may have arrived. `started`: its first byte was on the way. */
export function classifyFailure(error: Error, started: boolean): { failure: ConnectionFailure; effect: Effect } {
  const failure = failureOf(error, started);
  const beforeSending = failure === "dns" || failure === "refused" || failure === "tls";
  return { failure, effect: !started || beforeSending ? "none" : "unknown" };
}

function failureOf(error: Error, started: boolean): ConnectionFailure {
  const code = codeOf(error);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "dns";
  if (code === "ECONNREFUSED") return "refused";
  if (tlsCodes.test(code) && !started) return "tls";
  return started ? "broken" : "unreachable";
}

/** Certificate and handshake failures, by Node's and OpenSSL's codes. */
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_)/;

/** The system's code: of the error, of what caused it, or of the first of several addresses that were tried. */
function codeOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return codeOf(error instanceof AggregateError ? error.errors[0] : error.cause, depth + 1);
}
