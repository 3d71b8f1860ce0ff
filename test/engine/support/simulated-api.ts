import { definitions, kinds } from "../../../src/resources/registry";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../../src/simulator";
import { seededIds } from "../../../src/simulator/model/catalogs";
import { descriptorOf, madeTypes } from "../../kinds";
import { loadBalancerObject } from "../../kinds/nks-load-balancer";
import { clusterObject } from "../../kinds/nks-node-pool";
import { SimulatorClient, type WireObject } from "../../support/simulator-client";

/** The objects in the simulator by collection, without the initial ones. Tests access them by name. */
export interface ObjectsByCollection extends Readonly<Record<string, readonly WireObject[]>> {
  readonly apiKeys: readonly WireObject[];
  readonly connections: readonly WireObject[];
  readonly firewallRules: readonly WireObject[];
}

/** Paths of collections, for faults and direct requests. */
export const paths = {
  apiKeys: "/v1/api_keys",
  connections: "/v1/networking/connect/connections",
  rulesOf: (vpcId: string) => `/v1/networking/vpcs/${vpcId}/firewall_rules`,
} as const;

/** The simulator in this process, for stacks of the real engine. */
export class SimulatedApi extends SimulatorClient {
  /** The objects that exist besides every stack. */
  readonly others = new Set<string>([...Object.values(seededIds), clusterObject.id, loadBalancerObject.id]);

  private constructor(readonly simulator: Simulator) {
    super();
  }

  static async start(options: SimulatorOptions = {}): Promise<SimulatedApi> {
    const api = new SimulatedApi(await startSimulator({ operationTime: "0", ...options }));
    await api.place("nksClusters", clusterObject); // node pools need one
    await api.place("nksLoadBalancers", loadBalancerObject);
    return api;
  }

  /** The path of the seeded VPC's rules. */
  get rules(): string {
    return paths.rulesOf(this.simulator.vpcId);
  }

  /** The API's answer to a client that changes something with this key. The audit log records such requests. */
  async changeWith(key: string, userAgent = "client/1.0"): Promise<number> {
    const response = await fetch(`${this.simulator.url}/v1/networking/vpcs/${this.simulator.vpcId}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "user-agent": userAgent },
      body: JSON.stringify({ tags: ["used"] }),
    });
    return response.status;
  }

  async held(): Promise<ObjectsByCollection> {
    const state = await this.state();
    const own = kinds.map(({ type }) => {
      const { collection, comesAlong } = descriptorOf(type);
      return [
        collection,
        state[collection]?.filter((object) => !this.others.has(object.id) && comesAlong?.(object) !== true),
      ];
    });
    return Object.fromEntries(own) as ObjectsByCollection;
  }

  /** Everything that a stack could have made. */
  async objects(): Promise<readonly WireObject[]> {
    return Object.values(await this.held()).flat();
  }

  /** The ids of everything that a stack could have made. */
  async heldIds(): Promise<string[]> {
    return (await this.objects()).map(({ id }) => id).sort();
  }

  /** The ids of the keys that a stack could have made, sorted. */
  async keyIds(): Promise<string[]> {
    return (await this.held()).apiKeys.map(({ id }) => id).sort();
  }

  /** What the organization pays a month, as each quote reports it. */
  async bill(): Promise<string> {
    const { projectId, region } = this.simulator;
    const body = { name: "asked", subnet_name: "asked", project_id: projectId, region };
    const { current_summary: bill } = await this.call("POST", "/v1/networking/vpcs/cost", body);
    return (bill as { readonly monthly_cost: string }).monthly_cost;
  }

  /**
   * The requests that `action` caused, in order, as `POST connections/cost`, without the prefix. Ids are `:id`; the id
   * of no object is `:none`.
   */
  async during<T>(action: () => Promise<T>): Promise<{ readonly result: T; readonly requests: string[] }> {
    const before = (await this.log()).length;
    const result = await action();
    return { result, requests: (await this.log()).slice(before).map(shortened) };
  }

  /** The number of answers of each kind since the start: `POST 202`, `quote 200`, `poll 429`. */
  async answers(): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    for (const { method, path, status } of await this.log()) {
      const kind = path.endsWith("/cost") ? "quote" : path.startsWith("/v1/operations") ? "poll" : method;
      counts[`${kind} ${status}`] = (counts[`${kind} ${status}`] ?? 0) + 1;
    }
    return counts;
  }

  async close(): Promise<void> {
    await this.simulator.close();
  }
}

function shortened({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${shortPath(path.replaceAll(/0{8}-[0-]{27}/g, ":none").replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id"))}`;
}

/** A path from the collection on: `connections/cost`. */
function shortPath(path: string): string {
  return path.replace(/^\/v1\/(networking\/(connect\/|vpcs\/:id\/(?!cost|availability))?|compute\/|rpc_nodes\/)?/, "");
}

/** The names of the collections of all kinds with a creation, such as `connections`; or only of those with quotes. */
export function shortCollections({ areQuoted = false }: { readonly areQuoted?: boolean } = {}): readonly string[] {
  const made = definitions.filter(({ type }) => madeTypes.includes(type));
  const quoted = made.filter(({ isQuoted }) => !areQuoted || isQuoted !== false);
  return quoted.map(({ path }) => shortPath(path.replaceAll(/\{\w+\}/g, ":id"))).sort();
}
