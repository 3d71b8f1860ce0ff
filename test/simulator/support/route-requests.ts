import { nounsOf } from "../../../src/simulator/nouns/noun-registry";
import type { Endpoint } from "../../../src/simulator/services/endpoint";
import { type Harness, type Json, type RequestOptions } from "./harness";
import { type Ids, idsFor } from "./populated";
import { sampleOf } from "./samples";

/** A request to a route, without its path. */
export interface RouteRequest {
  readonly search: string;
  readonly sending: RequestOptions;
}

/** The path of a route to an existing object, or with `x` for a parameter without a sample. */
export function targetOf({ method, path }: Endpoint, ids: Ids): string {
  return path.replaceAll(/\{(\w+)\}/g, (parameter, name: string) => {
    const values = idsFor(ids, method, path, name);
    return values?.at(path.endsWith(parameter) ? -1 : 0) ?? "x";
  });
}

/** A valid request to the route. */
export function goodRequest(api: Harness, endpoint: Endpoint, ids: Ids): RouteRequest {
  const headers = endpoint.needsIdempotencyKey ? { "idempotency-key": "attempt-1" } : {};
  if (endpoint.body) return { search: "", sending: { body: goodBody(api, endpoint, ids), headers } };
  if (endpoint.needsIdempotencyKey) return { search: "", sending: { headers } };
  return { search: `?project_id=${api.projectId}`, sending: {} };
}

/** Requests that are rejected with 400, 413 or 415 if they are read at all. */
export function badRequests({ method }: Endpoint): readonly RouteRequest[] {
  if (method === "GET") return [{ search: "?limit=nonsense", sending: {} }];
  return [
    { search: "", sending: { body: "{ not json" } },
    { search: "", sending: { body: { name: 1 } } },
    { search: "", sending: { body: "x".repeat(300_000) } },
    { search: "", sending: { body: "a=b", headers: { "content-type": "text/plain" } } },
  ];
}

/** Everything that requests can change, except the audit logs, which also record rejected requests (section 2.4). */
export async function effectsOf(api: Harness): Promise<Json> {
  const { body: quotas } = await api.call("GET", "/v1/quotas");
  return { ...(await api.state()), auditLogs: [], quotas };
}

/** The bodies of routes that belong to no noun. */
const ownBodies: Readonly<Record<string, Json>> = {
  "/v1/user/security": { source_ip_rule: { allowed: ["127.0.0.0/8"] } },
  "/v1/organizations/{organization_id}/billing/topup": { amount: "10.00" },
};

/** A valid body for an endpoint. Empty if no sample has one. */
function goodBody(api: Harness, { method, path }: Endpoint, ids: Ids): Json {
  const own = ownBodies[path];
  if (own) return own;
  const [, collection = path] = /^(.*?)(?:\/\{\w+\})?(?:\/(?:cost|availability|[a-z]+))?$/.exec(path) ?? [];
  const nouns = nounsOf(api.dialect);
  const noun = nouns.find((one) => one.path === path) ?? nouns.find((one) => one.path === collection);
  const action = /\}\/([a-z]+)$/.exec(path)?.[1] ?? "";
  if (!noun) return method === "PATCH" ? { name: "renamed" } : {};
  const sample = sampleOf(noun);
  if (noun.actions?.[action]) return sample.actions?.[action]?.(ids) ?? {};
  return method === "PATCH" ? sample.update : (sample.create?.(ids) ?? {});
}
