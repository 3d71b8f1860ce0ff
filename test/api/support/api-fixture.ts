import type { Collection } from "../../../src/api/collection";
import type { ApiObject } from "../../../src/definition/response-schemas";
import { collectionAt } from "../../../src/lifecycle/kind/collection-at";
import { apiKey } from "../../../src/resources/api-key";
import { connectConnection } from "../../../src/resources/connect-connection";
import { firewallRule } from "../../../src/resources/firewall-rule";
import { vpc } from "../../../src/resources/vpc";
import { Api, type ApiOptions } from "../../../src/api/client";
import { failureOf } from "../../support/failure-of";
import { VirtualClock } from "../../support/virtual-clock";
import { startStubServer, type ReceivedRequest, type Reply, type StubServer } from "./stub-server";

/** The credential of all these tests. It must not be in any error. */
export const CANARY = "canary-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4MDEyMw";

/** A client, and the collections of the kinds in these tests. */
export interface TestApi extends Api {
  readonly apiKeys: Collection<ApiObject>;
  connectConnections(projectId?: string): Collection<ApiObject>;
  firewallRules(vpcId: string): Collection<ApiObject>;
  vpcs(projectId?: string): Collection<ApiObject>;
}

export interface Bench {
  readonly api: TestApi;
  readonly server: StubServer;
  readonly clock: VirtualClock;
  readonly warnings: string[];
}

const clients: Api[] = [];
const servers: StubServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await Promise.all(clients.splice(0).map((api) => api.close()));
});

/** A client that does not wait in pauses. */
export function clientFor(baseUrl: string, options: Partial<ApiOptions> = {}): Omit<Bench, "server"> {
  const clock = new VirtualClock();
  const warnings: string[] = [];
  const client = new Api({
    baseUrl,
    credential: { apiKey: CANARY, source: "config cloudinfra:apiKey" },
    dialect: "spec",
    requestTimeoutMs: 5_000,
    operationTimeoutMs: 600_000,
    userAgent: "pulumi-cloudinfra/0.0.0-test",
    clock,
    random: () => 0.5,
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  clients.push(client);
  const api: TestApi = Object.assign(client, {
    apiKeys: collectionAt(client, apiKey),
    connectConnections: (projectId?: string) => collectionAt(client, connectConnection, { projectId }),
    firewallRules: (vpcId: string) => collectionAt(client, firewallRule, { vpcId }),
    vpcs: (projectId?: string) => collectionAt(client, vpc, { projectId }),
  });
  return { api, clock, warnings };
}

/** A client and its server. */
export async function bench(
  answer: (request: ReceivedRequest, count: number) => Reply,
  { prefix = "", ...options }: Partial<ApiOptions> & { prefix?: string } = {},
): Promise<Bench> {
  const server = await startStubServer(answer);
  servers.push(server);
  return { ...clientFor(server.url + prefix, options), server };
}

/** The error that a promise rejects with. Fails if it resolves. */
export const rejection = (promise: Promise<unknown>): Promise<Error & Record<string, unknown>> =>
  failureOf(promise) as Promise<Error & Record<string, unknown>>;

/** Collects the items of an async iterable. */
export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}
