import type { FaultEffects } from "../model/faults";
import type { Caller } from "../model/permissions";
import type { LoggedRequest } from "../model/request-log";
import type { World } from "../model/world";
import type { AnyEndpoint } from "../services/endpoint";

/** The facts about a request on its way through the adapter. */
export interface Exchange {
  readonly world: World;
  readonly logged: LoggedRequest;
  readonly clientIp: string;
  readonly endpoint: AnyEndpoint | undefined;
  /** Set once the request is authenticated. */
  caller: Caller | undefined;
  /** Set when the request meets a fault. */
  fault: FaultEffects | undefined;
  /** Set once the request got past what a fault or the rate limit would have answered. */
  isAdmitted: boolean;
  /** The id of the created object. */
  targetId: string | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    exchange: Exchange;
  }
  interface FastifyContextConfig {
    endpoint?: AnyEndpoint;
  }
}
