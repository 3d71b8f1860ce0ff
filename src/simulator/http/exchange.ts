import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Caller } from "../model/callers";
import type { FaultEffects } from "../model/faults";
import { keptText, type LoggedRequest } from "../model/records";
import { formatTimestamp } from "../model/time";
import type { World } from "../model/world";
import type { Endpoint } from "../services/endpoint";

/** The facts about a request on its way through the adapter. */
export interface Exchange {
  readonly world: World;
  readonly logged: LoggedRequest;
  readonly clientIp: string;
  readonly endpoint: Endpoint | undefined;
  /** Set once the request is authenticated. */
  caller: Caller | undefined;
  fault: FaultEffects | undefined;
  /** Set once the request got past what a fault or the rate limit would have answered. */
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

/** Writes the audit log of a mutating request (section 2.4), also of a refused one. A request without a known caller gets none. */
export function leaveAuditLog(request: FastifyRequest, statusCode: number): void {
  const { world, endpoint, caller, clientIp, isAdmitted, logged, targetId } = request.exchange;
  const audit = endpoint?.audit;
  if (!audit || !caller || !isAdmitted) return;
  const params = request.params as Readonly<Record<string, string>> | undefined;
  const target = targetId ?? (audit.targetParameter === undefined ? undefined : params?.[audit.targetParameter]);
  world.auditLogs.insert({
    // A new id is a rope of its parts, many times as large, until something makes one text of it: most logs nobody reads.
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
