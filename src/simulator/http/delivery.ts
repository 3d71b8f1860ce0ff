import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Sends an answer as faults and latency require: late, cut off, or not at all. The request has already had its effect. `send`
 * lets Fastify write the payload.
 */
export function deliver(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  latencyMs: number,
  send: (payload: unknown) => void,
): void {
  const { fault, logged } = request.exchange;
  const write = (): void => {
    if (fault?.drop === "after") {
      cut(request, reply);
      return;
    }
    logged.status = reply.statusCode;
    if (fault?.truncate === undefined) send(payload);
    else truncate(request, reply, payload, fault.truncate);
  };
  const delayMs = latencyMs + (fault?.delayMs ?? 0);
  if (delayMs > 0) setTimeout(write, delayMs).unref();
  else write();
}

/** Cuts the connection without an answer. */
export function cut(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  request.raw.socket.destroy();
}

/** Promises the complete body, sends a part of it, and closes. */
function truncate(request: FastifyRequest, reply: FastifyReply, payload: unknown, keep: number | true): void {
  const body = Buffer.from(typeof payload === "string" ? payload : "");
  const part = body.subarray(0, keep === true ? Math.floor(body.length / 2) : Math.min(keep, body.length - 1));
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, { ...headersOf(reply), "content-length": body.length });
  reply.raw.write(part, () => request.raw.socket.destroySoon());
}

function headersOf(reply: FastifyReply): Record<string, string | number | string[]> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders()).filter(
      (header): header is [string, string | number | string[]] => header[1] !== undefined,
    ),
  );
}
