import { z } from "zod";
import type { Caller } from "../http/caller";
import { CollectionAt, collectionsIn, type Collection, type Listed, type ReadFromLists } from "../collection";
import { Quotes } from "../quotes";
import { dateTime, resourceStatus } from "../schema";

/** Specification section 2.7, ConnectConnection. `external_provider` never returns the account id. */
export const connectConnection = z.looseObject({
  id: z.string(),
  name: z.string(),
  project_id: z.string(),
  region: z.string(),
  status: resourceStatus,
  bandwidth_mbps: z.number().int(),
  cidrs: z.array(z.string()),
  provider_cidrs: z.array(z.string()),
  asn: z.number().int().nullable(),
  provider_asn: z.number().int().nullable(),
  router_ip: z.string().nullable(),
  provider_router_ip: z.string().nullable(),
  external_provider: z.looseObject({ region: z.string() }).nullable(),
  tags: z.array(z.string()),
  created_at: dateTime,
  updated_at: dateTime,
});
export type ConnectConnection = z.infer<typeof connectConnection>;

/** Specification section 2.7. */
export interface ConnectConnectionCreateRequest {
  readonly name: string;
  readonly project_id: string;
  readonly region: string;
  readonly bandwidth_mbps: number;
  readonly cidrs: readonly string[];
  readonly provider_cidrs: readonly string[];
  readonly external_provider?: { readonly account_id: string; readonly region: string };
  readonly tags?: readonly string[];
}

/** Specification section 2.7: nothing else can be changed. */
export interface ConnectConnectionUpdateRequest {
  readonly name?: string;
  readonly tags?: readonly string[];
}

/** Connections, listed by project. */
export type ConnectConnections = Collection<
  ConnectConnection,
  ConnectConnectionCreateRequest,
  ConnectConnectionUpdateRequest
> &
  Listed<ConnectConnection, [projectId: string]> &
  ReadFromLists<ConnectConnection, [projectId: string]>;

/** `/v1/networking/connect/connections` (section 4). */
export function connectConnections(caller: Caller): ConnectConnections {
  type Connections = CollectionAt<ConnectConnection, ConnectConnectionCreateRequest, ConnectConnectionUpdateRequest>;
  const place = {
    path: ["v1", "networking", "connect", "connections"],
    item: connectConnection,
    noun: "connect connections",
  };
  const quotes = new Quotes(caller, "connect connections");
  const connections: Connections = new CollectionAt(caller, place, quotes);
  /** Only a project's can be listed. */
  const ofProject = collectionsIn(
    (projectId): Connections => new CollectionAt(caller, { ...place, query: { project_id: projectId } }, quotes),
  );
  return {
    create: (body, call) => connections.create(body, call),
    get: (id, call) => connections.get(id, call),
    update: (id, body, call) => connections.update(id, body, call),
    delete: (id, call) => connections.delete(id, call),
    list: (projectId, call) => ofProject(projectId).list(call),
    read: (projectId, id, call) => ofProject(projectId).read(id, call),
    quoteCreate: (body, call) => connections.quoteCreate(body, call),
    quoteUpdate: (id, body, call) => connections.quoteUpdate(id, body, call),
  };
}
