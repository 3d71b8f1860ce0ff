import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { FastifyReply } from "fastify";
import { Rejection, type ErrorType, methodNotAllowed, notFound } from "../model/rejection";
import { formatTimestamp } from "../model/time";
import type { HttpError } from "../schemas/answers";
import type { Endpoint } from "../services/endpoint";
import type { Simulation } from "../simulation";

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

/** Builds the HTTPError (section 7.1) for a rejection. */
export function httpErrorOf(error: Rejection, requestId: string, nowMs: number): HttpError {
  return {
    type: error.type,
    message: error.message,
    request_id: requestId,
    timestamp: formatTimestamp(nowMs),
    context: { parameters: { ...error.parameters } },
  };
}

/** Builds the rejection for a fault's status. */
export function faultError(statusCode: number): Rejection {
  const type = typeOfStatus[statusCode] ?? (statusCode >= 500 ? "INTERNAL_ERROR" : "SIMULATED_FAULT_ERROR");
  return new Rejection(statusCode, type, `simulated fault: ${statusCode}`);
}

/** Answers like a server in front of the service: in HTML, without an error body or a request id. */
export function answerAsIngress(reply: FastifyReply, statusCode: number): void {
  void reply.removeHeader("x-request-id").code(statusCode).type("text/html").send(`default backend - ${statusCode}\n`);
}

/** Converts a thrown value into a rejection. Undefined for an error of the simulator itself. */
export function refusalOf(error: unknown): Rejection | undefined {
  if (error instanceof Rejection) return error;
  // Checks members, because errors of Node and Fastify are not always `Error`s of this realm.
  const { statusCode } = Object(error) as { readonly statusCode?: unknown };
  if (typeof statusCode !== "number" || statusCode < 400 || statusCode > 499) return undefined;
  if (statusCode === 413) return new Rejection(413, "PAYLOAD_TOO_LARGE_ERROR", "the body is too large");
  if (statusCode === 415) {
    return new Rejection(415, "UNSUPPORTED_MEDIA_TYPE_ERROR", "the body must be application/json");
  }
  return new Rejection(400, "VALIDATION_ERROR", "invalid parameters: body", { body: "must be valid JSON" });
}

export type RouteRefusal = (method: string, path: string) => Rejection;

/**
 * Answers 405 with the path's methods. Answers 404 if the path has none, or if its id is too long or cannot be decoded.
 */
export function missingRoute(endpoints: readonly Endpoint[]): RouteRefusal {
  const paths = [...new Set(endpoints.map(({ path }) => path))];
  const routes = paths.map((path) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    parameters: path.split("{").length,
    methods: endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method),
  }));
  // A fixed path segment is matched before a parameter.
  routes.sort((a, b) => a.parameters - b.parameters);
  return (method, path) => {
    const methods: readonly string[] = routes.find(({ pattern }) => pattern.test(path))?.methods ?? [];
    return methods.length === 0 || methods.includes(method) ? notFound("path") : methodNotAllowed(methods);
  };
}

const statusLines: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};

/** Answers a request that is not HTTP, or has too large headers, with an HTTPError, and closes the connection. */
export function answerBrokenRequest(simulation: Simulation, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason] = statusLines[error.code ?? ""] ?? ([400, "Bad Request"] as const);
  const nowMs = simulation.clock.now();
  const requestId = randomUUID();
  const refusal = new Rejection(status, "VALIDATION_ERROR", "malformed request");
  const body = JSON.stringify(httpErrorOf(refusal, requestId, nowMs));
  socket.end(
    [
      `HTTP/1.1 ${status} ${reason}`,
      `Date: ${new Date(nowMs).toUTCString()}`,
      `X-Request-Id: ${requestId}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
