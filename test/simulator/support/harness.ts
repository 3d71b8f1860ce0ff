import { Agent, request } from "undici";
import { startSimulator, type SimulatorOptions } from "../../../src/simulator";
import { seededIds } from "../../../src/simulator/model/catalogs";
import { protocol } from "../../../src/simulator/nouns/firewall-rule";
import { volumeType } from "../../../src/simulator/nouns/volume";

export type Json = Record<string, unknown>;

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Json;
}

export interface RequestOptions {
  readonly body?: unknown;
  /** The bearer token. Default: the owner's. Null: no header. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
}

/** A page of a list. */
export interface Page {
  readonly names: readonly unknown[];
  readonly next: string | null;
  readonly previous: string | null;
  readonly total: unknown;
}

/** 1 March 2026, noon: not the beginning or end of a day or month. */
export const startOfTime = Date.parse("2026-03-01T12:00:00Z");
/** The times of an object that was created then. */
export const startTimes = { created_at: "2026-03-01T12:00:00Z", updated_at: "2026-03-01T12:00:00Z" };

export type Harness = Awaited<ReturnType<typeof startHarness>>;

/** A simulator on a stopped clock. Every response is checked against its schema. */
export async function startHarness(options: SimulatorOptions = {}) {
  const simulator = await startSimulator({
    operationTime: "8s",
    validateResponses: true,
    clock: { now: () => startOfTime },
    ...options,
  });
  const { url, apiKey, projectId, region, vpcId, controlUrl } = simulator;
  let agent = new Agent();

  async function send(target: string, method: string, path: string, sending: RequestOptions): Promise<Reply> {
    const { body, key = apiKey, headers = {} } = sending;
    const answer = await request(target + path, {
      dispatcher: agent,
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const isJson = String(answer.headers["content-type"]).startsWith("application/json");
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: text === "" ? {} : isJson ? (JSON.parse(text) as Json) : { text },
    };
  }

  const call = (method: string, path: string, sending: RequestOptions = {}): Promise<Reply> =>
    send(url, method, path, sending);
  const control = (method: string, path: string, body?: unknown): Promise<Reply> =>
    send(controlUrl, method, path, { key: null, body });
  const state = async (): Promise<Record<string, Json[]>> =>
    (await control("GET", "/state")).body as Record<string, Json[]>;
  /** Creates an object. Returns the answer, and the id and the path of the object. */
  const create = async (collection: string, body: Json, key = apiKey) => {
    const reply = await call("POST", collection, { body, key });
    const id = String(reply.body["resource_id"] ?? reply.body["id"]);
    return { ...reply, id, at: `${collection}/${id}` };
  };

  return {
    simulator,
    dialect: options.dialect ?? ("spec" as const),
    ...{ url, apiKey, projectId, region, vpcId, controlUrl },
    ...{ call, control, state, create },
    /** The body of the answer to a GET. */
    get: async (path: string, key = apiKey): Promise<Json> => (await call("GET", path, { key })).body,
    reset: () => {
      simulator.reset();
    },
    close: async (): Promise<void> => {
      await agent.destroy();
      agent = new Agent();
      await simulator.close();
    },
    /** Moves the clock forward. */
    advance: async (duration: string): Promise<void> => {
      const { status } = await control("POST", "/clock", { advance: duration });
      if (status !== 200) throw new Error(`the clock refused ${duration}`);
    },
    /** Places objects, by collection. */
    place: async (objects: Json): Promise<Reply> => {
      const reply = await control("POST", "/state", objects);
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
      return reply;
    },
    fault: async (fault: Json): Promise<void> => {
      const { status, body } = await control("POST", "/faults", fault);
      if (status !== 201) throw new Error(JSON.stringify(body));
    },
    requests: async (): Promise<Json[]> => (await control("GET", "/requests")).body as unknown as Json[],
    /** Creates a key, and returns its secret. */
    newKey: async (permissions: readonly string[], more: Json = {}): Promise<string> => {
      const body = { ...requests.key, permissions: permissions.map(permissionOf), ...more };
      return String((await create(paths.apiKeys, body)).body["key"]);
    },
    newProject: async (): Promise<string> => (await create("/v1/projects", { name: "second" })).id,
    /** The keys in the simulator, without those of the system. */
    ownKeys: async (): Promise<Json[]> => ((await state())["apiKeys"] ?? []).filter(({ managed }) => !managed),
    /** Adds firewall rules to the seeded VPC, alternately even and odd. */
    addRules: async (count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1)
        await create(paths.rules, {
          ...requests.rule,
          name: `rule-${index}`,
          tags: [index % 2 === 0 ? "even" : "odd", "all"],
        });
    },
    /** Reads a page of a list. Fails if the answer is not 200. */
    page: async (path: string): Promise<Page> => {
      const { status, body } = await call("GET", path);
      expect(status).toBe(200);
      const { next_cursor, previous_cursor, total_count } = body["pagination"] as Json;
      return {
        names: (body["items"] as Json[]).map(({ name }) => name),
        next: next_cursor as string | null,
        previous: previous_cursor as string | null,
        total: total_count,
      };
    },
  };
}

/** Runs an action with its own harness. */
export async function withHarness<T>(options: SimulatorOptions, run: (api: Harness) => Promise<T>): Promise<T> {
  const api = await startHarness(options);
  try {
    return await run(api);
  } finally {
    await api.close();
  }
}

/** A harness for the tests of a file. It is reset before each test, unless `keeps` is set. */
export function harnessForSuite(options?: SimulatorOptions, { keeps = false } = {}): Harness {
  const api = {} as Harness;
  beforeAll(async () => {
    Object.assign(api, await startHarness(options));
  });
  beforeEach(() => {
    if (!keeps) api.reset();
  });
  afterAll(() => api.close());
  return api;
}

/** Parses `vpc:edit` into a permission of the API. */
export function permissionOf(text: string): Json {
  const [resource_type, permission] = text.split(":");
  return { resource_type, permission };
}

/** The paths of collections. */
export const paths = {
  apiKeys: "/v1/api_keys",
  connections: "/v1/networking/connect/connections",
  /** The rules of the seeded VPC. */
  rules: `/v1/networking/vpcs/${seededIds.vpc}/firewall_rules`,
  vms: "/v1/compute/vms",
  volumes: "/v1/compute/volumes",
  vpcs: "/v1/networking/vpcs",
};

/** The seeded project, and the region that has everything. */
export const location = { project_id: seededIds.project, region: "us-sva-2" };

/** Minimal creations. */
export const requests = {
  key: {
    name: "deployer",
    expires_at: "2026-06-01T00:00:00Z",
    project_ids: [seededIds.project],
    permissions: [permissionOf("vm:edit")],
  },
  connection: {
    name: "link",
    ...location,
    bandwidth_mbps: 200,
    cidrs: ["10.0.0.0/16"],
    provider_cidrs: ["172.16.0.0/16"],
  },
  /** In the seeded VPC. */
  rule: {
    name: "https",
    protocol: protocol.options[0],
    source_address: "0.0.0.0/0",
    destination_address: "10.0.0.0/25",
    destination_ports: ["443"],
  },
  vpc: { name: "net", ...location, subnet_name: "subnet" },
  volume: { name: "data", ...location, size: 20, type: volumeType.options[1] },
  /** In the seeded VPC. */
  vm: {
    name: "web",
    ...location,
    instance_type: "n1-standard-2",
    os_image_name: "ubuntu-noble-2026-05-18",
    subnet_id: seededIds.subnet,
    public_ip_enabled: true,
    ssh_key: { public_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGl2" },
    boot_volume: { size: 64, type: volumeType.options[0] },
  },
};

/** Members, separated by spaces, that a request does not have. */
export const withNone = (members: string): Json =>
  Object.fromEntries(members.split(" ").map((name) => [name, undefined]));

/** This number of different tags. */
export const tags = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag-${index}`);

/** The invalid parameters that an error names. */
export function badParameters(reply: Reply): string[] {
  const { parameters } = reply.body["context"] as { parameters: Json };
  return Object.keys(parameters).sort();
}

/** Expects a conflict that a client must not repeat. */
export function expectConflict({ status, body, headers }: Reply): void {
  expect([status, body["type"], headers["x-should-retry"]]).toEqual([409, "CONFLICT_ERROR", "false"]);
}

/**
 * Expects that each path answers 400 to this body, and that the error names exactly the parameters in `bad`, separated
 * by spaces.
 */
export async function expectRejected(
  api: Pick<Harness, "call">,
  method: string,
  paths: readonly string[],
  body: unknown,
  bad: string,
): Promise<void> {
  for (const path of paths) {
    const reply = await api.call(method, path, { body });
    expect([path, reply.status, reply.body["type"]]).toEqual([path, 400, "VALIDATION_ERROR"]);
    expect(badParameters(reply)).toEqual(bad.split(" ").sort());
  }
}
