import * as pulumi from "@pulumi/pulumi";
import { startSimulator, type Simulator } from "../../src/simulator";
import { storage } from "../kinds/volume";
import { sendAs, type LoggedRequest } from "../support/simulator-client";

const SUBNET_ID = "00000000-0000-4000-8000-000000000004";

/** A simulator that checks its answers against its own schemas. */
export function startApi(): Promise<Simulator> {
  return startSimulator({ operationTime: 0, validateResponses: true });
}

/** Resets the organization and the program's configuration. */
export function configure(api: Simulator, config: Readonly<Record<string, string>> = {}): void {
  api.reset();
  for (const name of Object.keys(process.env))
    if (name.startsWith("CLOUDINFRA_")) Reflect.deleteProperty(process.env, name);
  const all = { apiKey: api.apiKey, baseUrl: api.url, ...config };
  pulumi.runtime.setAllConfig(
    Object.fromEntries(Object.entries(all).map(([key, value]) => [`cloudinfra:${key}`, value])),
    ["cloudinfra:apiKey"],
  );
}

/** The requests to the simulator, in order. */
export async function requestsOf(api: Simulator): Promise<readonly LoggedRequest[]> {
  return (await sendAs(api.apiKey, "GET", `${api.controlUrl}/requests`)) as LoggedRequest[];
}

/** A request of the owner that does not use the client. */
export function post(api: Simulator, path: string, body: object): Promise<Record<string, unknown>> {
  return send(api, "POST", path, body);
}

/** As `post`, with any method and headers, and perhaps by another key. */
export async function send(
  api: Simulator,
  method: string,
  path: string,
  body?: object,
  { apiKey = api.apiKey, ...headers }: { readonly apiKey?: string; readonly "user-agent"?: string } = {},
): Promise<Record<string, unknown>> {
  return (await sendAs(apiKey, method, api.url + path, body, headers)) as Record<string, unknown>;
}

/** A request to the control port. */
export async function sendControl(api: Simulator, path: string, body?: object, method = "POST"): Promise<void> {
  await sendAs(api.apiKey, method, api.controlUrl + path, body);
}

/** Makes an API key for VPCs, with these members of its body. */
export async function makeApiKey(
  api: Simulator,
  members: object = {},
): Promise<{ readonly id: string; readonly secret: string }> {
  const body = {
    name: "made",
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    project_ids: [api.projectId],
    permissions: [{ resource_type: "vpc", permission: "edit" }],
    ...members,
  };
  const { id, key } = await post(api, "/v1/api_keys", body);
  return { id: String(id), secret: String(key) };
}

/** The id of a new VM. */
export async function makeVm(api: Simulator, name: string): Promise<string> {
  const body = {
    ...{ name, project_id: api.projectId, region: api.region, subnet_id: SUBNET_ID, public_ip_enabled: false },
    ...{ instance_type: "n1-standard-2", os_image_name: "ubuntu-noble-2025-10-01", tags: [name] },
    ssh_key: { public_key: "ssh-ed25519 AAAAIGtleQ==" },
    boot_volume: { size: 64, type: storage },
  };
  return (await post(api, "/v1/compute/vms", body))["resource_id"] as string;
}

/** The error that a function is rejected with. */
export async function refusalOf(call: Promise<unknown>): Promise<pulumi.RunError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (pulumi.RunError.isInstance(error)) return error;
  throw new Error(`not a RunError: ${String(error)}`);
}
