import * as pulumi from "@pulumi/pulumi";
import { startSimulator, type Simulator } from "../../src/simulator";

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

/** The error that a function is rejected with. */
export async function refusalOf(call: Promise<unknown>): Promise<pulumi.RunError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (pulumi.RunError.isInstance(error)) return error;
  throw new Error(`not a RunError: ${String(error)}`);
}
