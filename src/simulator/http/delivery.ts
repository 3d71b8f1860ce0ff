import type { OutgoingHttpHeaders } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { notFound } from "../model/rejection";
import type { Call } from "../services/call";
import type { EndpointAnswer, Endpoint } from "../services/endpoint";

/** Answers a request with the service's lag: lists show an earlier state, and the address of a new object is 404. */
export function lateAnswers(endpoints: readonly Endpoint[]): (endpoint: Endpoint, call: Call) => EndpointAnswer {
  const collections = new Set(
    endpoints.flatMap(({ method, path, audit }) => (method === "POST" && audit ? [path] : [])),
  );
  return (endpoint, call) => {
    if (endpoint.method !== "GET") return endpoint.handle(call);
    if (!endpoint.path.endsWith("}")) return call.world.listing(() => endpoint.handle(call));
    const answer = endpoint.handle(call);
    const isObject = collections.has(endpoint.path.replace(/\/[^/]*$/, ""));
    const { created_at: createdAt } = Object(answer.body) as { readonly created_at?: string };
    const ageMs = createdAt === undefined ? Infinity : call.nowMs - Date.parse(createdAt);
    if (isObject && call.world.lag.readsMs > 0 && ageMs < call.world.lag.readsMs) throw notFound("object");
    return answer;
  };
}

type Serialize = (answer: unknown) => string;

export const plainSerializer: Serialize = (answer) => JSON.stringify(answer);

/**
 * Reads the JSON again with the response's schema. A missing, malformed or undeclared member is an error of the
 * simulator.
 */
export function checkingSerializer(schema: z.ZodType, where: string): Serialize {
  return (answer) => {
    const text = JSON.stringify(answer);
    const sent: unknown = JSON.parse(text);
    const result = schema.safeParse(sent);
    if (!result.success) throw new Error(`the answer of ${where} does not match its schema: ${result.error.message}`);
    if (!isDeepStrictEqual(result.data, sent)) throw new Error(`the answer of ${where} has undeclared members`);
    return text;
  };
}

/**
 * Sends an answer as faults and latency require: late, cut off, or not at all. The request has already had its effect.
 * `send` lets Fastify write the payload.
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

/** Announces the complete body in its headers, sends a part of it, and closes the connection. */
function truncate(request: FastifyRequest, reply: FastifyReply, payload: unknown, keep: number | true): void {
  const body = Buffer.from(typeof payload === "string" ? payload : "");
  const part = body.subarray(0, keep === true ? Math.floor(body.length / 2) : Math.min(keep, body.length - 1));
  reply.hijack();
  const headers = reply.getHeaders() as OutgoingHttpHeaders;
  reply.raw.writeHead(reply.statusCode, { ...headers, "content-length": body.length });
  reply.raw.write(part, () => request.raw.socket.destroySoon());
}
