import * as pulumi from "@pulumi/pulumi";
import { startSimulator, type Simulator } from "../../src/simulator";
import { storage } from "../kinds/volume";

const SUBNET_ID = "00000000-0000-4000-8000-000000000004";

/** A request as the control port shows it. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

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
  return (await (await fetch(`${api.controlUrl}/requests`)).json()) as LoggedRequest[];
}

/** A request of the owner that does not use the client. */
export async function post(api: Simulator, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(api.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${api.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
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
