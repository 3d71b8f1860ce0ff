import type { z } from "zod";
import { apiKey, type ApiKey, type ApiKeyCreateRequest, type ApiKeyUpdateRequest } from "./api-keys";
import { auditLog } from "./audit-logs";
import type { Caller } from "./caller";
import type { CallOptions } from "./call-options";
import type { Api } from "./client";
import { CollectionAt } from "./collection";
import { connectConnection } from "./connect-connections";
import type {
  ConnectConnection,
  ConnectConnectionCreateRequest,
  ConnectConnectionUpdateRequest,
} from "./connect-connections";
import { connectRoute } from "./connect-routes";
import { dialects } from "./dialect";
import {
  firewallRule,
  type FirewallRule,
  type FirewallRuleCreateRequest,
  type FirewallRuleUpdateRequest,
} from "./firewall-rules";
import { operation } from "./operation";
import { OperationWaiter, type WaiterParts } from "./operations";
import { listAll, readPage } from "./pages";
import { project } from "./projects";
import { quota } from "./quotas";
import { Quotes } from "./quotes";
import { readAs } from "./read-response";
import { region } from "./regions";
import { vpc } from "./vpcs";

const vpcsPath = ["v1", "networking", "vpcs"];
const operationsPath = ["v1", "operations"];

type Nouns = Omit<Api, "dialect" | "credentialSource" | "useCredential" | "serverNow" | "close">;

/** Every endpoint of the client, by noun. */
export function endpoints(caller: Caller, waiting: Omit<WaiterParts, "source">): Nouns {
  const one = async <T>(schema: z.ZodType<T>, path: readonly string[], call?: CallOptions): Promise<T> =>
    readAs(schema, await caller.request({ method: "GET", path }, call), caller.dialect);
  const all = <T>(schema: z.ZodType<T>, path: readonly string[], query: Query, call?: CallOptions): AsyncIterable<T> =>
    listAll(caller, schema, { path, query }, call);

  const { newestFirst } = dialects[caller.dialect];
  const waiter = new OperationWaiter({
    ...waiting,
    source: {
      get: (id, call) => one(operation, [...operationsPath, id], call),
      newest: async (projectId, call) => {
        const query = { project_id: projectId, ...newestFirst };
        return (await readPage(caller, operation, { path: operationsPath, query }, undefined, call)).items;
      },
    },
  });

  return {
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
    auditLogs: { list: (call) => all(auditLog, ["v1", "audit_logs"], {}, call) },
    operations: {
      get: (id, call) => one(operation, [...operationsPath, id], call),
      list: (projectId, query, call) => all(operation, operationsPath, { ...query, project_id: projectId }, call),
      wait: (pending, options) => waiter.wait(pending, options),
    },
  };
}

type Query = Readonly<Record<string, string>>;

function apiKeys(caller: Caller): Api["apiKeys"] {
  const keys = new CollectionAt<ApiKey, ApiKeyCreateRequest, ApiKeyUpdateRequest>(caller, {
    path: ["v1", "api_keys"],
    item: apiKey,
    quotes: new Quotes(caller, "API keys", dialects[caller.dialect].quotes.apiKeys),
  });
  return {
    create: (body, call) => keys.create(body, call),
    get: (id, call) => keys.get(id, call),
    update: (id, body, call) => keys.update(id, body, call),
    delete: (id, call) => keys.delete(id, call),
    list: (call) => keys.list({}, call),
    quoteCreate: (body, call) => keys.quoteCreate(body, call),
    quoteUpdate: (id, body, call) => keys.quoteUpdate(id, body, call),
  };
}

function connectConnections(caller: Caller): Api["connectConnections"] {
  const connections = new CollectionAt<
    ConnectConnection,
    ConnectConnectionCreateRequest,
    ConnectConnectionUpdateRequest
  >(caller, {
    path: ["v1", "networking", "connect", "connections"],
    item: connectConnection,
    quotes: new Quotes(caller, "connect connections", dialects[caller.dialect].quotes.connectConnections),
  });
  return {
    create: (body, call) => connections.create(body, call),
    get: (id, call) => connections.get(id, call),
    update: (id, body, call) => connections.update(id, body, call),
    delete: (id, call) => connections.delete(id, call),
    list: (projectId, call) => connections.list({ project_id: projectId }, call),
    quoteCreate: (body, call) => connections.quoteCreate(body, call),
    quoteUpdate: (id, body, call) => connections.quoteUpdate(id, body, call),
  };
}

function firewallRules(caller: Caller): Api["firewallRules"] {
  const quotes = new Quotes(caller, "firewall rules", dialects[caller.dialect].quotes.firewallRules);
  const rulesOf = (vpcId: string): CollectionAt<FirewallRule, FirewallRuleCreateRequest, FirewallRuleUpdateRequest> => {
    const owner = [...vpcsPath, vpcId];
    return new CollectionAt(caller, { path: [...owner, "firewall_rules"], owner, item: firewallRule, quotes });
  };
  return {
    create: (vpcId, body, call) => rulesOf(vpcId).create(body, call),
    get: (vpcId, id, call) => rulesOf(vpcId).get(id, call),
    update: (vpcId, id, body, call) => rulesOf(vpcId).update(id, body, call),
    delete: (vpcId, id, call) => rulesOf(vpcId).delete(id, call),
    list: (vpcId, call) => rulesOf(vpcId).list({}, call),
    quoteCreate: (vpcId, body, call) => rulesOf(vpcId).quoteCreate(body, call),
    quoteUpdate: (vpcId, id, body, call) => rulesOf(vpcId).quoteUpdate(id, body, call),
  };
}
