import type { Project } from "../schemas/organization";
import type { ConnectConnection } from "../schemas/connect";
import type { FirewallRule } from "../schemas/firewall-rule";
import type { Vpc } from "../schemas/vpc";
import { ApiKeys, hashSecret } from "./api-keys";
import { AuditLogs } from "./audit-logs";
import type { Dialect } from "./dialect";
import { Lifecycle } from "./lifecycle";
import { Operations } from "./operations";
import type { Caller } from "./permissions";
import { Prices } from "./prices";
import { Quotas } from "./quotas";
import { RunningUsage } from "./running-usage";
import { ownerCaller, seed } from "./seed";
import type { SimulatedClock } from "./simulated-clock";
import { Table } from "./table";
import { usageOfConnection, usageOfFirewallRule, usageOfVpc } from "./usage";

/** What a world is made with. */
export interface WorldOptions {
  readonly clock: SimulatedClock;
  readonly dialect: Dialect;
  readonly ownerKey: string;
  /** How long an operation takes. */
  readonly operationTimeMs: number;
}

/** All that the organization has: the state behind the services. A reset replaces it by a new one. */
export class World {
  readonly clock: SimulatedClock;
  readonly dialect: Dialect;
  readonly apiKeys = new ApiKeys();
  readonly projects = new Table<Project>(() => "");
  readonly vpcs = new Table<Vpc>((vpc) => vpc.project_id);
  readonly firewallRules = new Table<FirewallRule>((rule) => rule.vpc_id);
  readonly connections = new Table<ConnectConnection>((connection) => connection.project_id);
  readonly auditLogs = new AuditLogs();
  readonly operations: Operations;
  readonly vpcLifecycle: Lifecycle<Vpc>;
  readonly firewallRuleLifecycle: Lifecycle<FirewallRule>;
  readonly connectionLifecycle: Lifecycle<ConnectConnection>;
  readonly prices = new Prices();
  readonly quotas = new Quotas();
  readonly running = new RunningUsage();
  readonly #ownerHash: string;
  #subnets = 0;
  #links = 0;

  constructor({ clock, dialect, ownerKey, operationTimeMs }: WorldOptions) {
    this.clock = clock;
    this.dialect = dialect;
    this.operations = new Operations(clock, operationTimeMs);
    this.vpcLifecycle = new Lifecycle("vpc", this.vpcs, this.operations, {
      projectOf: (vpc) => vpc.project_id,
      onReady: () => {
        this.running.add(usageOfVpc());
      },
      onGone: ({ region }, wasReady) => {
        this.quotas.release(region, "vpcs");
        if (wasReady) this.running.remove(usageOfVpc());
      },
    });
    this.firewallRuleLifecycle = new Lifecycle("firewall_rule", this.firewallRules, this.operations, {
      projectOf: (rule) => this.vpcs.get(rule.vpc_id)?.project_id ?? "",
      onReady: () => {
        this.running.add(usageOfFirewallRule());
      },
      onGone: (_rule, wasReady) => {
        if (wasReady) this.running.remove(usageOfFirewallRule());
      },
    });
    this.connectionLifecycle = new Lifecycle("connect_connection", this.connections, this.operations, {
      projectOf: (connection) => connection.project_id,
      whenReady: () => linkEnds(this.#links++),
      onReady: (connection) => {
        this.running.add(usageOfConnection(connection));
      },
      onGone: (connection, wasReady) => {
        if (this.dialect === "nirvana") this.quotas.release(connection.region, "connect_connections");
        if (wasReady) this.running.remove(usageOfConnection(connection));
      },
    });
    this.#ownerHash = hashSecret(ownerKey);
    seed(this);
  }

  /** Who signs in with a bearer token now; undefined when it is not valid (section 7.2). */
  authenticate(token: string): Caller | undefined {
    const secretHash = hashSecret(token);
    if (secretHash === this.#ownerHash) return ownerCaller;
    return this.apiKeys.authenticate(secretHash, this.clock.now());
  }

  /** The number of the next VPC's subnet. */
  nextSubnet(): number {
    return this.#subnets++;
  }
}

/** What a finished creation fills in on a connect connection (section 2.7): a /30 of 169.254.0.0/16 for its two routers. */
function linkEnds(index: number): Pick<ConnectConnection, "asn" | "provider_asn" | "router_ip" | "provider_router_ip"> {
  const network = `169.254.${(index >> 6) & 255}`;
  const host = (index & 63) * 4;
  return {
    asn: 64_512,
    provider_asn: 64_513 + (index % 1000),
    router_ip: `${network}.${host + 1}`,
    provider_router_ip: `${network}.${host + 2}`,
  };
}
