import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { ApiError } from "../model/api-error";
import type { Simulation } from "../simulation";
import { httpErrorOf } from "./error-answers";

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
  const refusal = new ApiError(status, "VALIDATION_ERROR", "malformed request");
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
