import { Agent, request } from "undici";
import { startSimulator, type SimulatorOptions } from "../../../src/simulator";
import { volumeType } from "../../../src/simulator/nouns/volume";
import { protocol } from "../../../src/simulator/nouns/firewall-rule";

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

/** 1 March 2026, noon: not the beginning or end of a day or month. */
export const startOfTime = Date.parse("2026-03-01T12:00:00Z");

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
  const control = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> =>
    send(controlUrl, method, path, { key: null, body, ...(headers ? { headers } : {}) });
  const state = async (): Promise<Record<string, Json[]>> =>
    (await control("GET", "/state")).body as Record<string, Json[]>;

  return {
    simulator,
    dialect: options.dialect ?? ("spec" as const),
    ...{ url, apiKey, projectId, region, vpcId, controlUrl },
    call,
    control,
    state,
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
    fault: async (fault: Json): Promise<void> => {
      const { status, body } = await control("POST", "/faults", fault);
      if (status !== 201) throw new Error(JSON.stringify(body));
    },
    requests: async (): Promise<Json[]> => (await control("GET", "/requests")).body as unknown as Json[],
    /** Creates a key, and returns its secret. */
    newKey: async (permissions: readonly string[], more: Json = {}): Promise<string> => {
      const body = { ...keyRequest(projectId), permissions: permissions.map(permissionOf), ...more };
      return String((await call("POST", "/v1/api_keys", { body })).body["key"]);
    },
    newProject: async (): Promise<string> =>
      String((await call("POST", "/v1/projects", { body: { name: "second" } })).body["id"]),
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

/** A minimal APIKeyCreateRequest (section 2.3). */
export function keyRequest(projectId: string): Json {
  return {
    name: "deployer",
    expires_at: "2026-06-01T00:00:00Z",
    project_ids: [projectId],
    permissions: [{ resource_type: "vm", permission: "edit" }],
  };
}

/** A minimal ConnectConnectionCreateRequest (section 2.7). */
export function connectionRequest(projectId: string, region: string): Json {
  return {
    name: "link",
    project_id: projectId,
    region,
    bandwidth_mbps: 200,
    cidrs: ["10.0.0.0/16"],
    provider_cidrs: ["172.16.0.0/16"],
  };
}

/** A minimal FirewallRuleCreateRequest (section 2.8), for the seeded VPC. */
export const ruleRequest: Json = {
  name: "https",
  protocol: protocol.options[0],
  source_address: "0.0.0.0/0",
  destination_address: "10.0.0.0/25",
  destination_ports: ["443"],
};

/** A minimal request for a VPC. */
export function vpcRequest(projectId: string, region: string): Json {
  return { name: "net", project_id: projectId, region, subnet_name: "subnet" };
}

/** A minimal request for a volume. */
export function volumeRequest(projectId: string, region: string): Json {
  return { name: "data", project_id: projectId, region, size: 20, type: volumeType.options[1] };
}

/** A minimal request for a VM in the seeded VPC. */
export function vmRequest(projectId: string, region: string): Json {
  return {
    name: "web",
    project_id: projectId,
    region,
    instance_type: "n1-standard-2",
    os_image_name: "ubuntu-noble-2026-05-18",
    subnet_id: "00000000-0000-4000-8000-000000000004",
    public_ip_enabled: true,
    ssh_key: { public_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGl2" },
    boot_volume: { size: 64, type: volumeType.options[0] },
  };
}

/** This number of different tags. */
export const tags = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag-${index}`);

/** The invalid parameters that an error names. */
export function badParameters(reply: Reply): string[] {
  const { parameters } = reply.body["context"] as { parameters: Json };
  return Object.keys(parameters).sort();
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
