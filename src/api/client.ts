import type { Dispatcher } from "undici";
import type { z } from "zod";
import { systemClock, type Clock } from "../process/clock";
import { Collection, type CollectionParts, type Mutation, type SideEndpoints } from "./collection";
import { dialects, type Dialect } from "./dialect";
import { readAs, type Answer } from "./http/response";
import { parseBaseUrl } from "./http/base-url";
import { Caller } from "./http/caller";
import { Credentials, type Credential, type OnCredentialFallback } from "./http/credentials";
import type { CallOptions } from "./http/request";
import { RequestGate } from "./http/request-gate";
import { createDispatcher, MAX_CONNECTIONS, Transport } from "./http/transport";
import { auditLog, auditLogQuery, type AuditLog, type AuditLogListOptions } from "./lists/audit-log";
import { ReadTally, type Listable } from "./lists/collection-reader";
import { listAll, listPages, readPage, type Page } from "./lists/list-pages";
import { connectRoute, project, region, type ConnectRoute, type Project, type Region } from "./lookup-schemas";
import { operation, type Operation } from "./operations/operation";
import { OperationWaiter, type WaiterParts, type WaitOptions } from "./operations/operation-waiter";
import { AdvisoryEndpoint } from "./advisory-endpoint";
import { inEitherCase } from "./same-id";

export type { CallOptions, Credential, Dialect, Mutation, WaitOptions };
export type { OperationProgress } from "./operations/operation";

export interface ApiOptions {
  /** The base URL, with an optional path prefix. `http://` is for loopback only. */
  readonly baseUrl: string;
  /** In order of preference. After a 401 of the first, the process uses the next. */
  readonly credentials: readonly Credential[];
  readonly dialect: Dialect;
  /** The time limit of one attempt, including the whole body. */
  readonly requestTimeoutMs: number;
  /** The time limit of one operation, unless the wait gives another. */
  readonly operationTimeoutMs: number;
  readonly userAgent: string;
  /** Allows `http://` to other machines. The credential is then readable on the way. */
  readonly allowInsecure?: boolean;
  /** The name of the explicit provider whose settings these are, for messages. */
  readonly provider?: string | undefined;
  readonly clock?: Clock;
  /** Random numbers for pauses. Default: Math.random. */
  readonly random?: () => number;
  /** Replaces the client's own connections; it is not closed by `close`. */
  readonly dispatcher?: Dispatcher;
  readonly onWarning?: (message: string) => void;
  /** Called with both sources when the client moves on after a 401. Default: a warning. */
  readonly onCredentialFallback?: OnCredentialFallback;
}

/** Every endpoint, by noun. */
export interface Endpoints {
  /**
   * The endpoints of a collection of managed objects. There is one for each path and query, because all its reads share its
   * lists.
   */
  collection<T extends Listable>(parts: CollectionParts<T>): Collection<T>;
  show<T>(schema: z.ZodType<T>, path: readonly string[], query: Query, call?: CallOptions): Promise<T>;
  list<T>(schema: z.ZodType<T>, path: readonly string[], query: Query, call?: CallOptions): AsyncIterable<T>;
  pages<T>(schema: z.ZodType<T>, path: readonly string[], query: Query, call?: CallOptions): AsyncIterable<Page<T>>;
  readonly regions: { list(call?: CallOptions): AsyncIterable<Region> };
  readonly projects: { list(call?: CallOptions): AsyncIterable<Project> };
  readonly connectRoutes: { list(call?: CallOptions): AsyncIterable<ConnectRoute> };
  readonly auditLogs: { list(options?: AuditLogListOptions): AsyncIterable<AuditLog> };
  readonly operations: {
    get(id: string, call?: CallOptions): Promise<Operation>;
    list(projectId: string, query?: Readonly<Record<string, string>>, call?: CallOptions): AsyncIterable<Operation>;
    /**
     * Resolves with the operation when it is done. Rejects with OperationFailedError, OperationTimeoutError, AbortedError, or
     * the error of a refused poll.
     */
    wait(operation: Operation, options?: WaitOptions): Promise<Operation>;
  };
}

/** The API. Every promise rejects only with errors of `errors`. */
export interface Api extends Endpoints {
  readonly dialect: Dialect;
  readonly credentials: Credentials;
  /** The API's time in epoch milliseconds, exact to about a second: from the last response, or the local clock. */
  serverNow(): number;
  /** Whether a response has shown the API's time. Before that, `serverNow` is this machine's. */
  hasHeardTime(): boolean;
  /** Closes the connections after all requests have ended. May be called several times. */
  close(): Promise<void>;
}

/** Said once, so that nobody looks for the fault in the run. */
const LIMITED =
  "The API limits the rate of requests and has refused some. From now on this run sends them at the pace that the API " +
  "accepts. It may take longer; nothing is lost.";

/** A client for one base URL. Throws ConfigurationError if the options cannot work. */
export function createApi(options: ApiOptions): Api {
  const { dialect, provider, requestTimeoutMs, operationTimeoutMs } = options;
  const { clock = systemClock, random = Math.random } = options;
  const baseUrl = parseBaseUrl(options.baseUrl, options.allowInsecure, provider);
  const credentials = new Credentials(options.credentials, options.onCredentialFallback ?? warnOfFallback(options));
  let own: Dispatcher | undefined;
  const dispatcher = (): Dispatcher => options.dispatcher ?? (own ??= createDispatcher(baseUrl));
  const caller = new Caller({
    transport: new Transport(baseUrl, dispatcher, options.userAgent),
    gate: new RequestGate({ capacity: MAX_CONNECTIONS, clock, onLimited: () => options.onWarning?.(LIMITED) }),
    host: baseUrl.host,
    baseUrl: baseUrl.origin + baseUrl.prefix,
    credentials,
    dialect,
    provider,
    requestTimeoutMs,
    clock,
    random,
  });
  let closing: Promise<void> | undefined;
  return {
    dialect,
    credentials,
    serverNow: () => caller.serverNow(),
    hasHeardTime: () => caller.hasHeardTime,
    ...endpoints(caller, { clock, operationTimeoutMs, provider }),
    close: () => (closing ??= own ? own.close() : Promise.resolve()),
  };
}

function warnOfFallback({ onWarning }: ApiOptions): OnCredentialFallback {
  return ({ from, to }) =>
    onWarning?.(`The API refused the API key from ${from}. The run continues with the one from ${to}.`);
}

type Query = Readonly<Record<string, string>>;

const operationsPath = ["v1", "operations"];

function endpoints(caller: Caller, waiting: Omit<WaiterParts, "source">): Endpoints {
  const one = async <T>(schema: z.ZodType<T>, path: readonly string[], query: Query, call?: CallOptions): Promise<T> =>
    readAs(schema, await caller.request({ method: "GET", path, query }, call), caller.dialect);
  const all = <T>(schema: z.ZodType<T>, path: readonly string[], query: Query, call?: CallOptions): AsyncIterable<T> =>
    listAll(caller, schema, { path, query }, call);

  const getOperation = async (id: string, call?: CallOptions): Promise<Operation> => {
    const ask = (spelled: string): Promise<Answer> =>
      caller.request({ method: "GET", path: [...operationsPath, spelled], isPoll: true }, call);
    return readAs(operation, await inEitherCase(id, ask), caller.dialect);
  };
  const { newestFirst } = dialects[caller.dialect];
  const waiter = new OperationWaiter({
    ...waiting,
    source: {
      get: getOperation,
      newest: async (projectId, count, call) => {
        const query = { limit: String(count), project_id: projectId, ...newestFirst };
        return (await readPage(caller, operation, { path: operationsPath, query, isPoll: true }, undefined, call))
          .items;
      },
    },
  });

  const sides = new Map<string, SideEndpoints>();
  const tally = new ReadTally();
  const collections = new Map<string, unknown>();

  return {
    collection: <T extends Listable>(parts: CollectionParts<T>) => {
      const { noun, path, query, isQuoted, hasAvailability = false } = parts;
      const beside = sides.get(noun) ?? {
        cost: new AdvisoryEndpoint(caller, "cost", isQuoted),
        availability: new AdvisoryEndpoint(caller, "availability", hasAvailability),
      };
      sides.set(noun, beside);
      const key = JSON.stringify([path, query]);
      const known = collections.get(key) as Collection<T> | undefined;
      const collection = known ?? new Collection(caller, parts, beside, tally);
      collections.set(key, collection);
      return collection;
    },
    show: one,
    list: all,
    pages: (schema, path, query, call) => listPages(caller, schema, { path, query }, call),
    regions: { list: (call) => all(region, ["v1", "regions"], {}, call) },
    projects: { list: (call) => all(project, ["v1", "projects"], {}, call) },
    connectRoutes: { list: (call) => all(connectRoute, ["v1", "networking", "connect", "routes"], {}, call) },
    auditLogs: {
      list: (options = {}) => all(auditLog, ["v1", "audit_logs"], auditLogQuery(caller.dialect, options), options),
    },
    operations: {
      get: getOperation,
      list: (projectId, query, call) => all(operation, operationsPath, { ...query, project_id: projectId }, call),
      wait: (pending, options) => waiter.wait(pending, options).finally(() => caller.noteChange()),
    },
  };
}
