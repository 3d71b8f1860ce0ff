import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Caller } from "../model/callers";
import type { FaultEffects } from "../model/faults";
import { keptText, type LoggedRequest } from "../model/records";
import { formatTimestamp } from "../model/time";
import type { World } from "../model/world";
import type { Endpoint } from "../services/endpoint";

/** What the HTTP layer knows about a request in progress. */
interface Exchange {
  readonly world: World;
  readonly logged: LoggedRequest;
  readonly clientIp: string;
  readonly endpoint: Endpoint | undefined;
  /** Set once the request is authenticated. */
  caller: Caller | undefined;
  fault: FaultEffects | undefined;
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
