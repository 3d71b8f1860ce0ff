import type { Dispatcher } from "undici";
import type { FaultProxy } from "../../support/proxy/fault-proxy";
import type { VirtualClock } from "../../support/virtual-clock";
import type { Sabotage } from "./sabotage";
import type { Service } from "./service";
import type { Hits } from "./wire";

/** What a schedule is played on. */
export interface Laboratory {
  readonly service: Service;
  /** What stands before it. */
  readonly proxy: FaultProxy;
  /** The service's, and each machine's but for its skew. */
  readonly clock: VirtualClock;
  /** The connection to the service. */
  readonly agent: Dispatcher;
  /** How often each fault has happened is added here. */
  readonly hits: Hits;
  /** What is broken on purpose. */
  readonly sabotage?: Sabotage;
}
