import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientAddress } from "../model/addresses";
import { Rejection, forbidden, invalid } from "../model/rejection";
import type { Caller } from "../model/callers";
import { keptText, type LoggedRequest } from "../model/records";
import { formatTimestamp } from "../model/time";
import type { World } from "../model/world";
import type { FaultRequest } from "../schemas/faults";
import type { Endpoint } from "../services/endpoint";
import type { Simulation } from "../simulation";
import { cut } from "./delivery";
import { answerAsIngress, faultError, type RouteRefusal } from "./error-answers";

/** What the HTTP layer knows about a request in progress. */
interface Exchange {
  readonly world: World;
  readonly logged: LoggedRequest;
  readonly clientIp: string;
  readonly endpoint: Endpoint | undefined;
  /** Set once the request is authenticated. */
  caller: Caller | undefined;
  fault: FaultRequest | undefined;
  /** True once neither a fault nor the rate limit has answered the request. */
  isAdmitted: boolean;
  targetId: string | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    exchange: Exchange;
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

/** Begins to log a request, and attaches what the HTTP layer knows about it. */
export function beginExchange(simulation: Simulation, request: FastifyRequest, reply: FastifyReply): void {
  request.exchange = {
    world: simulation.world,
    logged: simulation.requests.add(request.method, pathOf(request.url)),
    clientIp: clientAddress(request.raw.socket.remoteAddress),
    endpoint: request.routeOptions.config.endpoint,
    caller: undefined,
    fault: undefined,
    isAdmitted: false,
    targetId: undefined,
  };
  reply.header("date", new Date(simulation.clock.now()).toUTCString());
  reply.header("x-request-id", request.id);
}

/** The path without its query. A request may name a complete URL with a user and a password. */
function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "");
}

/** Checks a request in the order of sections 5 and 7: credential, rate limit, address, permission, route. */
export function admit(
  { rateLimit, faults }: Simulation,
  refusalOfRoute: RouteRefusal,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const { exchange } = request;
  try {
    exchange.caller = authenticate(exchange.world, request.headers.authorization);
    const refused = rateLimit.take(exchange.caller.actor.id);
    if (refused) {
      const headers = { "retry-after": String(refused.retryAfterSeconds) };
      throw new Rejection(429, "RATE_LIMIT_ERROR", "too many requests", {}, headers);
    }
    const fault = faults.meet(exchange.logged.method, exchange.logged.path);
    exchange.fault = fault;
    if (fault?.drop === "before") {
      setTimeout(() => {
        cut(request, reply);
      }, fault.delayMs ?? 0).unref();
      return;
    }
    if (fault?.ingress !== undefined) {
      answerAsIngress(reply, fault.ingress);
      return;
    }
    if (fault?.status !== undefined) throw faultError(fault.status);
    exchange.isAdmitted = true;
    refuseImproperHead(request.headers, request.raw.httpVersion);
    authorize(exchange.caller, exchange.clientIp, exchange.endpoint);
    if (!exchange.endpoint) throw refusalOfRoute(exchange.logged.method, pathOf(request.url));
    done();
  } catch (error) {
    done(error as Error);
  }
}

/**
 * Finds the caller by the Authorization header (sections 5.2, 7.2). It checks the format first. All unknown keys get
 * the same answer.
 */
function authenticate(world: World, header: string | undefined): Caller {
  if (header === undefined) {
    throw new Rejection(401, "AUTHORIZATION_HEADER_REQUIRED_ERROR", "authorization header required");
  }
  // A separator is a space or a tab. A no-break space is part of a field.
  const [scheme, token, ...rest] = header.split(/[ \t]+/).filter((field) => field !== "");
  if (scheme?.toLowerCase() !== "bearer" || token === undefined || rest.length > 0) {
    throw new Rejection(
      401,
      "AUTHORIZATION_FORMAT_INVALID_ERROR",
      "invalid authorization format, use the Bearer scheme: Authorization: Bearer <API_KEY>",
    );
  }
  const caller = world.authenticate(token);
  if (!caller) throw new Rejection(401, "INVALID_TOKEN_ERROR", "invalid token");
  return caller;
}

/** Rejects a request of HTTP/1.1 without a host, and an unknown expectation, as HTTP requires. */
function refuseImproperHead({ host, expect }: IncomingHttpHeaders, version: string): void {
  if (host === undefined && version !== "1.0") throw invalid({ Host: "the header is required" });
  if (expect !== undefined && expect.toLowerCase() !== "100-continue")
    throw new Rejection(417, "VALIDATION_ERROR", "unknown expectation", { Expect: "must be 100-continue" });
}

/** Checks the client's address (section 7.3) and the permission, before the rest of the request is read. */
function authorize(caller: Caller, clientIp: string, endpoint: Endpoint | undefined): void {
  if (!caller.mayComeFrom(clientIp)) {
    throw new Rejection(403, "IP_RESTRICTED_ERROR", "the address of the client is not allowed for the key");
  }
  const needs = endpoint?.needs;
  if (needs && !caller.may(needs.resourceType, needs.level)) {
    throw forbidden(`the key lacks the permission ${needs.resourceType}:${needs.level}`);
  }
  const oneOf = endpoint?.needsOneOf;
  if (oneOf && !oneOf.some((resourceType) => caller.may(resourceType, "read"))) {
    throw forbidden(`the key may read none of ${oneOf.join(", ")}`);
  }
}

/**
 * Writes the audit log of a mutating request (section 2.4), even if it was rejected. A request without a known caller
 * gets no log.
 */
export function leaveAuditLog(request: FastifyRequest, statusCode: number): void {
  const { world, endpoint, caller, clientIp, isAdmitted, logged, targetId } = request.exchange;
  const audit = endpoint?.audit;
  if (!audit || !caller || !isAdmitted) return;
  const params = request.params as Readonly<Record<string, string>> | undefined;
  const target = targetId ?? (audit.targetParameter === undefined ? undefined : params?.[audit.targetParameter]);
  world.auditLogs.insert({
    // A new id is a concatenation that takes many times its length in memory. Most audit logs are never read, so copy
    // it now.
    id: keptText(randomUUID()),
    action: audit.action,
    actor: caller.actor,
    client_ip: clientIp,
    created_at: formatTimestamp(world.clock.now()),
    method: logged.method,
    path: logged.path,
    status_code: statusCode,
    user_agent: keptText(request.headers["user-agent"] ?? ""),
    target: target === undefined ? null : { id: target, type: audit.targetType },
  });
}
