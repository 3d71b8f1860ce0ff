import type { PluginCalls } from "../../src/dynamic/plugin-calls";
import type { RunOptions } from "../../src/lifecycle/run/run";
import { startSimulator, type Simulator } from "../../src/simulator";
import { definitions } from "../../src/resources/registry";
import { descriptorOf, sampleOf } from "../kinds";
import { loadBalancerObject } from "../kinds/nks-load-balancer";
import { clusterObject } from "../kinds/nks-node-pool";
import { plain, type Declaration } from "./mini-state";
import { sent, startRun, type TestRun, type TestRunOptions } from "./lifecycle";
import { SimulatorClient, type WireObject } from "./simulator-client";
import { VirtualClock } from "./virtual-clock";

export type { WireObject };

/** The id of no object. */
export const NOWHERE = "00000000-0000-4000-8000-00000000dead";

export interface WorldRunOptions extends TestRunOptions, Pick<RunOptions, "environment"> {
  /** How far this machine's clock is ahead of the API's at the moment. */
  readonly aheadMs?: number | (() => number);
}

/** The ids of the objects that a simulator has from the start. */
const SEEDED = /^0{8}-/;

/** A simulator and the lifecycle on one virtual clock, so that waiting takes no time. */
export class World extends SimulatorClient {
  readonly clock = new VirtualClock(Date.parse("2026-06-15T12:00:00Z"));
  #simulator: Simulator | undefined;

  private constructor(private readonly dialect: "spec" | "nirvana" = "spec") {
    super();
  }

  static async start(): Promise<World> {
    const world = new World();
    await world.#open();
    return world;
  }

  /** A world for the tests of a file. It is reset after each test, with its faults and its clock. */
  static forSuite(dialect?: "spec" | "nirvana"): World {
    const world = new World(dialect);
    beforeAll(() => world.#open());
    afterEach(() => world.reset());
    afterAll(() => world.close());
    return world;
  }

  get simulator(): Simulator {
    if (this.#simulator === undefined) throw new Error("the world has not begun: use it in a test or a hook");
    return this.#simulator;
  }

  async #open(): Promise<void> {
    const { clock, dialect } = this;
    this.#simulator = await startSimulator({ clock, dialect, operationTime: "1s", validateResponses: true });
    await this.#furnish();
  }

  /** The plugin process of one engine operation. */
  run(
    config: Readonly<Record<string, string | undefined>> = {},
    { aheadMs = 0, ...parts }: WorldRunOptions = {},
  ): TestRun {
    const { url, apiKey, projectId, region } = this.simulator;
    const { clock, dialect } = this;
    // A machine with a wrong clock waits as long as any other.
    const ahead = (): number => (typeof aheadMs === "number" ? aheadMs : aheadMs());
    const own = {
      now: () => clock.now() + ahead(),
      timeOfDay: () => clock.timeOfDay() + ahead(),
      sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms, signal),
    };
    return startRun(
      { baseUrl: url, apiKey, projectId, region, dialect, costQuotes: "true", preflight: "fail", ...config },
      own,
      parts,
    );
  }

  /** Valid arguments of a kind that include these. */
  args(type: string, given: object = {}): Record<string, unknown> {
    return argsOf(type, this.simulator, given);
  }

  /** Does what the engine does for a new resource with these arguments, and valid ones: check, then create. */
  async create(
    type: string,
    args: object = {},
    { name = "x", run = this.run() }: { readonly name?: string; readonly run?: TestRun } = {},
  ): Promise<{ id: string; inputs: Record<string, unknown>; outs: Record<string, unknown>; lifecycle: PluginCalls }> {
    const lifecycle = run.of(type);
    const { inputs, failures } = await lifecycle.check({}, sent(type, name, this.args(type, args), false));
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
    return { inputs, lifecycle, ...(await lifecycle.create(inputs)) };
  }

  /** A resource of a program, with valid arguments that include these. */
  declare(type: string, args: object = {}, name = "x"): Declaration {
    return { type, name, args: () => this.args(type, args) };
  }

  /** The objects of a kind in the simulator. */
  async objects(type: string): Promise<WireObject[]> {
    const { collection } = descriptorOf(type);
    const found = (await this.state())[collection];
    if (!found) throw new Error(`the simulator has no collection ${collection}`);
    return found;
  }

  /** The objects of a kind that the tests have created. */
  async made(type: string): Promise<WireObject[]> {
    const { comesAlong } = descriptorOf(type);
    const objects = await this.objects(type);
    return objects.filter(
      (object) => object["managed"] !== true && !SEEDED.test(object.id) && comesAlong?.(object) !== true,
    );
  }

  /** Their ids. */
  async ids(type: string): Promise<string[]> {
    return (await this.made(type)).map(({ id }) => id);
  }

  /** The requests since the start or the last reset, as `METHOD path` without ids. */
  async requests(): Promise<string[]> {
    return (await this.requestsWithIds()).map((request) => request.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID"));
  }

  async requestsWithIds(): Promise<string[]> {
    return (await this.log()).map(({ method, path }) => `${method} ${path}`);
  }

  /** Answers each request for the audit log with 403, as for a key without `audit_log:read`. */
  forbidAuditLog(): Promise<void> {
    const body = '{"type":"AUTHORIZATION_ERROR"}';
    return this.fault({ method: "GET", path: "/audit_logs", status: 403, body, every: 1 });
  }

  /** Sets how late the API shows changes. Kinds that are not named have no lag. */
  async lag(lag: Readonly<Partial<Record<"reads" | "lists" | "audit", string>>>): Promise<void> {
    await this.control("POST", "/lag", lag);
  }

  /** The unit price of each dimension. */
  async prices(): Promise<Readonly<Record<string, string>>> {
    return (await this.control("GET", "/prices")) as Record<string, string>;
  }

  /** Another person's request to the API. */
  api(method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
    return this.call(method, path, body);
  }

  /** The secret of a new API key with these permissions, such as `vpc:read`. */
  async keyWith(permissions: readonly string[], others: object = {}): Promise<string> {
    const { key } = await this.api("POST", "/v1/api_keys", {
      ...{ name: "other", project_ids: [this.simulator.projectId], expires_at: "2026-12-31T00:00:00Z" },
      permissions: permissions.map((text) => {
        const [resource_type, permission] = text.split(":");
        return { resource_type, permission };
      }),
      ...others,
    });
    return String(key);
  }

  /** The API's answer to a client that signs in with this key. */
  override signIn(key: unknown): Promise<number> {
    return super.signIn(String(plain(key)));
  }

  async reset(): Promise<void> {
    this.clock.restart();
    await this.lag({});
    this.simulator.reset();
    await this.#furnish();
  }

  close(): Promise<void> {
    return this.simulator.close();
  }

  /** The objects that tests need and that the simulator does not have from the start. */
  async #furnish(): Promise<void> {
    await this.place("nksClusters", clusterObject);
    await this.place("nksLoadBalancers", loadBalancerObject);
  }
}

/** Valid arguments of each kind that include these. */
export function argsOf(type: string, simulator: Simulator, given: object = {}): Record<string, unknown> {
  return sampleOf(type, { ...given }, simulator);
}

/** The path for creating objects of a kind, as a pattern. */
export function collectionPath(type: string): string {
  const path = definitions.find((definition) => definition.type === type)?.path ?? "";
  return path.replace(/\{\w+\}/g, "[^/]+");
}

/** Where the objects that `argsOf` describes are made. */
export function collectionOf(type: string, simulator: Simulator): string {
  const { path = "" } = definitions.find((definition) => definition.type === type) ?? {};
  const args = argsOf(type, simulator);
  return path.replaceAll(/\{(\w+)\}/g, (_all, input: string) => String(args[input]));
}
