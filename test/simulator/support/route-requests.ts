import type { AnyEndpoint } from "../../../src/simulator/services/endpoint";
import {
  connectionRequest,
  type Harness,
  type Json,
  keyRequest,
  ruleRequest,
  type Sending,
  vpcRequest,
} from "./harness";
import type { Ids } from "./populated";

/** What is sent to a route, behind its path. */
export interface RouteRequest {
  readonly search: string;
  readonly sending: Sending;
}

/** Where a route leads, to something that is there; what is made up stands for a parameter that nobody has thought of yet. */
export function targetOf({ path }: AnyEndpoint, ids: Ids): string {
  return path.replaceAll(/\{(\w+)\}/g, (parameter, name: string) => {
    const values = ids[name] ?? ["x"];
    return values.at(path.endsWith(parameter) ? -1 : 0) ?? "x";
  });
}

/** The request as it should be. */
export function goodRequest(api: Harness, endpoint: AnyEndpoint): RouteRequest {
  if (endpoint.body) return { search: "", sending: { body: goodBody(api, endpoint) } };
  return { search: `?project_id=${api.projectId}`, sending: {} };
}

/** Requests that are refused with 400, 413 or 415 once they are looked at. */
export function badRequests({ method }: AnyEndpoint): readonly RouteRequest[] {
  if (method === "GET") return [{ search: "?limit=nonsense", sending: {} }];
  return [
    { search: "", sending: { body: "{ not json" } },
    { search: "", sending: { body: { name: 1 } } },
    { search: "", sending: { body: "x".repeat(300_000) } },
    { search: "", sending: { body: "a=b", headers: { "content-type": "text/plain" } } },
  ];
}

/** All that requests can have an effect on, but for the audit logs, where refused ones stand too (section 2.4). */
export async function effectsOf(api: Harness): Promise<Json> {
  const { body: quotas } = await api.call("GET", "/v1/quotas");
  return { ...(await api.state()), auditLogs: [], quotas };
}

/** A body that an endpoint takes; an empty one where nobody has thought of it yet. */
function goodBody(api: Harness, { method, path }: AnyEndpoint): Json {
  if (method === "PATCH") return { name: "renamed" };
  const { projectId, region } = api;
  const requests: Readonly<Record<string, Json>> = {
    api_keys: keyRequest(projectId),
    projects: { name: "third" },
    connections: connectionRequest(projectId, region),
    firewall_rules: ruleRequest,
    vpcs: vpcRequest(projectId, region),
  };
  const noun = path.split("/").findLast((part) => part in requests);
  return requests[noun ?? ""] ?? {};
}
