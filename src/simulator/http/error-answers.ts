import type { FastifyReply } from "fastify";
import { ApiError, type ErrorType } from "../model/api-error";
import { formatTimestamp } from "../model/timestamp";
import type { HttpError } from "../schemas/http-error";

const typeOfStatus: Readonly<Record<number, ErrorType>> = {
  400: "VALIDATION_ERROR",
  401: "INVALID_TOKEN_ERROR",
  403: "AUTHORIZATION_ERROR",
  404: "NOT_FOUND_ERROR",
  405: "METHOD_NOT_ALLOWED_ERROR",
  409: "CONFLICT_ERROR",
  413: "PAYLOAD_TOO_LARGE_ERROR",
  415: "UNSUPPORTED_MEDIA_TYPE_ERROR",
  429: "RATE_LIMIT_ERROR",
};

/** HTTPError (section 7.1) of a refusal. */
export function httpErrorOf(error: ApiError, requestId: string, nowMs: number): HttpError {
  return {
    type: error.type,
    message: error.message,
    request_id: requestId,
    timestamp: formatTimestamp(nowMs),
    context: { parameters: { ...error.parameters } },
  };
}

/** The refusal for a fault's status. */
export function faultError(statusCode: number): ApiError {
  const type = typeOfStatus[statusCode] ?? (statusCode >= 500 ? "INTERNAL_ERROR" : "SIMULATED_FAULT_ERROR");
  return new ApiError(statusCode, type, `simulated fault: ${statusCode}`);
}

/** A server in front of the service answers in its own words, without error body and request id. */
export function answerAsIngress(reply: FastifyReply, statusCode: number): void {
  void reply.removeHeader("x-request-id").code(statusCode).type("text/html").send(`default backend - ${statusCode}\n`);
}

/** A thrown value as a refusal. Undefined for a mistake of the simulator. */
export function refusalOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  // By their members, because errors of Node and Fastify are not always Errors of this realm.
  if (typeof error !== "object" || error === null || !("statusCode" in error)) return undefined;
  if (typeof error.statusCode !== "number") return undefined;
  const { statusCode } = error;
  if (statusCode < 400 || statusCode > 499) return undefined;
  if (statusCode === 413) return new ApiError(413, "PAYLOAD_TOO_LARGE_ERROR", "the body is too large");
  if (statusCode === 415) {
    return new ApiError(415, "UNSUPPORTED_MEDIA_TYPE_ERROR", "the body must be application/json");
  }
  return new ApiError(400, "VALIDATION_ERROR", "invalid parameters: body", { body: "must be valid JSON" });
}
