import type { z } from "zod";
import { apiKeys } from "./nouns/api-keys";
import { auditLog, auditLogQuery } from "./nouns/audit-logs";
import type { Caller } from "./http/caller";
import { CollectionAt, type CollectionPlace } from "./collection";
import type { Listable } from "./lists/collection-reader";
import { Quotes } from "./quotes";
import type { CallOptions } from "./http/request";
import type { Api } from "./client";
import { connectConnections } from "./nouns/connect-connections";
import { connectRoute } from "./nouns/connect-routes";
import { dialects } from "./dialect";
import { firewallRules } from "./nouns/firewall-rules";
import { operation, type Operation } from "./operations/operation";
import { OperationWaiter, type WaiterParts } from "./operations/operations";
import { listAll, readPage } from "./lists/pages";
import { project } from "./nouns/projects";
import { quota } from "./nouns/quotas";
import { readAs, type Answer } from "./http/answer";
import { region } from "./nouns/regions";
import { inEitherCase } from "./same-id";
import { vpc } from "./nouns/vpcs";

const vpcsPath = ["v1", "networking", "vpcs"];
const operationsPath = ["v1", "operations"];

type Nouns = Omit<
  Api,
  | "dialect"
  | "credentialSource"
  | "signsInWith"
  | "knowsCredential"
  | "useCredential"
  | "serverNow"
  | "hasHeardTime"
  | "close"
>;

/** Every endpoint of the client, by noun. */
export function endpoints(caller: Caller, waiting: Omit<WaiterParts, "source">): Nouns {
  const one = async <T>(schema: z.ZodType<T>, path: readonly string[], call?: CallOptions): Promise<T> =>
    readAs(schema, await caller.request({ method: "GET", path }, call), caller.dialect);
  const all = <T>(schema: z.ZodType<T>, path: readonly string[], query: Query, call?: CallOptions): AsyncIterable<T> =>
    listAll(caller, schema, { path, query }, call);

  const lookAt = async (id: string, call?: CallOptions): Promise<Operation> => {
    const ask = (spelled: string): Promise<Answer> =>
      caller.request({ method: "GET", path: [...operationsPath, spelled], isPoll: true }, call);
    return readAs(operation, await inEitherCase(id, ask), caller.dialect);
  };
  const { newestFirst } = dialects[caller.dialect];
  const waiter = new OperationWaiter({
    ...waiting,
    source: {
      get: lookAt,
      newest: async (projectId, count, call) => {
        const query = { limit: String(count), project_id: projectId, ...newestFirst };
        return (await readPage(caller, operation, { path: operationsPath, query, isPoll: true }, undefined, call))
          .items;
      },
    },
  });

  const quotes = new Map<string, Quotes>();
  const collections = new Map<string, unknown>();

  return {
    collection: <T extends Listable>(place: CollectionPlace<T>) => {
      const { noun, path, query, isQuoted } = place;
      const key = JSON.stringify([path, query]);
      const quotesOf = quotes.get(noun) ?? new Quotes(caller, noun, isQuoted);
      quotes.set(noun, quotesOf);
      const known = collections.get(key) as CollectionAt<T> | undefined;
      const collection = known ?? new CollectionAt(caller, place, quotesOf);
      collections.set(key, collection);
      return collection;
    },
    apiKeys: apiKeys(caller),
    connectConnections: connectConnections(caller),
    firewallRules: firewallRules(caller),
    vpcs: {
      get: (id, call) => one(vpc, [...vpcsPath, id], call),
      list: (projectId, call) => all(vpc, vpcsPath, { project_id: projectId }, call),
    },
    regions: { list: (call) => all(region, ["v1", "regions"], {}, call) },
    projects: { list: (call) => all(project, ["v1", "projects"], {}, call) },
    quotas: { get: (name, call) => one(quota, ["v1", "quotas", name], call) },
    connectRoutes: { list: (call) => all(connectRoute, ["v1", "networking", "connect", "routes"], {}, call) },
    auditLogs: {
      list: (options = {}) => all(auditLog, ["v1", "audit_logs"], auditLogQuery(caller.dialect, options), options),
    },
    operations: {
      get: lookAt,
      list: (projectId, query, call) => all(operation, operationsPath, { ...query, project_id: projectId }, call),
      wait: (pending, options) => waiter.wait(pending, options).finally(() => caller.noteChange()),
    },
  };
}

type Query = Readonly<Record<string, string>>;
