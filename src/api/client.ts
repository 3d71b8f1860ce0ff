import type { Dispatcher } from "undici";
import { z } from "zod";
import { systemClock, type Clock } from "../time/clock";
import { Collection, type CollectionParts, type Creation, type Mutation } from "./collection";
import { dialects, type Dialect } from "./dialect";
import { BadRequestError, ConflictError, ForbiddenError, NotFoundError } from "./errors";
import { inEitherCase } from "./not-found";
import type { ApiResponse } from "./http/response";
import { parseBaseUrl } from "./http/base-url";
import { Caller } from "./http/caller";
import { Credentials, type Credential } from "./http/credentials";
import type { ApiRequest, CallOptions } from "./http/request";
import { RequestGate } from "./http/request-gate";
import { createDispatcher, MAX_CONNECTIONS, Transport } from "./http/transport";
import { auditLog, auditLogQuery, entriesIn, type AuditLog, type AuditLogListOptions } from "./lists/audit-log";
import { ReadTally, type Listable } from "./lists/collection-reader";
import { listAll, listPages, readPage, type Page } from "./lists/list-pages";
import { connectRoute, region } from "./schema";
import { operation, type Operation } from "./operations/operation";
import type { OperationSource } from "./operations/project-poller";
import { OperationWaiter, type WaitOptions } from "./operations/operation-waiter";

export type { CallOptions, Creation, Credential, Dialect, Mutation, WaitOptions };
export type { OperationProgress } from "./operations/operation";

export interface ApiOptions {
  /** The base URL, with an optional path prefix. `http://` is for loopback only. */
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly dialect: Dialect;
  /** The time limit of one attempt, including the whole body. */
  readonly requestTimeoutMs: number;
  /** The time limit of one operation, unless the wait gives another. */
  readonly operationTimeoutMs: number;
  readonly userAgent: string;
  /** Allows `http://` to other machines. Others in the network can then read the credential. */
  readonly allowInsecure?: boolean;
  /** The name of the explicit provider whose settings these are, for messages. */
  readonly provider?: string | undefined;
  readonly clock?: Clock;
  /** Aborted to end the waits of all requests, also of reads. */
  readonly cancelled?: AbortSignal | undefined;
  /** Random numbers from 0 to 1, for the jitter of pauses. Default: Math.random. */
  readonly random?: () => number;
  /** Replaces the client's own connections; it is not closed by `close`. */
  readonly dispatcher?: Dispatcher;
  readonly onWarning?: (message: string) => void;
}

/** Reported once, so that nobody looks for the cause in the program. */
const LIMITED =
  "The API limits the rate of requests and has refused some. From now on this run sends them at the pace that the API " +
  "accepts. It may take longer; nothing is lost.";

type Query = Readonly<Record<string, string>>;

/** A client for one base URL. Every promise rejects only with errors of `errors`. */
export class Api {
  readonly dialect: Dialect;
  readonly credentials: Credentials;
  readonly regions = { list: (options?: CallOptions) => this.list(region, regionsPath, {}, options) };
  readonly connectRoutes = {
    list: (options?: CallOptions) => this.list(connectRoute, ["v1", "networking", "connect", "routes"], {}, options),
  };
  readonly auditLogs = {
    list: (options: AuditLogListOptions = {}): AsyncIterable<AuditLog> => {
      const query = auditLogQuery(this.dialect, options);
      return entriesIn(this.list(auditLog, ["v1", "audit_logs"], query, options), this.dialect, options);
    },
  };
  readonly operations = {
    /**
     * Resolves with the operation when it is done. Rejects with OperationFailedError, OperationTimeoutError,
     * AbortedError, or the error of a refused poll.
     */
    wait: (pending: Operation, options?: WaitOptions): Promise<Operation> =>
      this.#waiter.wait(pending, options).finally(() => this.#caller.countChange()),
  };
  readonly #caller: Caller;
  readonly #waiter: OperationWaiter;
  readonly #collections = new Map<string, unknown>();
  readonly #tally = new ReadTally();
  #own: Dispatcher | undefined;
  #closing: Promise<void> | undefined;

  /** Throws ConfigurationError if the options cannot work. */
  constructor({ dialect, provider, requestTimeoutMs, operationTimeoutMs, onWarning, ...options }: ApiOptions) {
    const { clock = systemClock, random = Math.random } = options;
    const baseUrl = parseBaseUrl(options.baseUrl, options.allowInsecure, provider);
    this.dialect = dialect;
    this.credentials = new Credentials(options.credential);
    const dispatcher = (): Dispatcher => options.dispatcher ?? (this.#own ??= createDispatcher(baseUrl));
    this.#caller = new Caller({
      transport: new Transport(baseUrl, dispatcher, options.userAgent),
      gate: new RequestGate({ capacity: MAX_CONNECTIONS, clock, onLimited: () => onWarning?.(LIMITED) }),
      host: baseUrl.host,
      baseUrl: baseUrl.origin + baseUrl.prefix,
      credentials: this.credentials,
      dialect,
      provider,
      requestTimeoutMs,
      clock,
      random,
      cancelled: options.cancelled,
    });
    this.#waiter = new OperationWaiter({ source: operationsOf(this.#caller), clock, operationTimeoutMs, provider });
  }

  /**
   * The API's time in epoch milliseconds, exact to about a second: the earliest that its valid responses have shown, or
   * the local clock.
   */
  now(): number {
    return this.#caller.apiNow();
  }

  /** True after the first response with a time. Before that, `now` is this machine's time. */
  hasTime(): boolean {
    return this.#caller.hasApiTime;
  }

  /**
   * Asks for the regions, which needs no permission, and ignores what they contain. Rejects if the API refuses the
   * credential.
   */
  async signIn(options?: CallOptions): Promise<void> {
    await readPage(this.#caller, z.unknown(), { path: regionsPath }, undefined, options);
  }

  /** The API's time in epoch milliseconds, after asking for it. */
  async fetchTime(): Promise<number> {
    await this.signIn({ purpose: "ask for the API's time" });
    return this.now();
  }

  /**
   * The endpoints of a collection of managed objects. There is one for each path and query, because all its reads share
   * its lists.
   */
  collection<T extends Listable>(parts: CollectionParts<T>): Collection<T> {
    const key = JSON.stringify([parts.path, parts.query]);
    const known = this.#collections.get(key) as Collection<T> | undefined;
    const collection = known ?? new Collection(this.#caller, parts, this.#tally);
    this.#collections.set(key, collection);
    return collection;
  }

  /**
   * Whether the key may read or change such objects. `nothing` is the path of an object that does not exist. The API
   * checks the permission before everything else (specification, section 4), and changing a missing object has no
   * effect. Rejects for any other refusal.
   */
  async permits(level: "read" | "edit", nothing: readonly string[], options?: CallOptions): Promise<boolean> {
    const request = { read: { method: "GET" }, edit: { method: "PATCH", body: {}, idempotent: true } } as const;
    try {
      return await this.#isAllowed({ ...request[level], path: nothing }, options);
    } catch (error) {
      const isAfterPermission =
        error instanceof NotFoundError || error instanceof BadRequestError || error instanceof ConflictError;
      if (isAfterPermission && error.type !== undefined) return true; // without a type, a proxy has refused
      throw error;
    }
  }

  /**
   * Whether the project is in the key's scope (specification, section 5.5). The key must have the permission to read
   * this list. Rejects for any other refusal, such as that of a project that does not exist.
   */
  reaches(projectId: string, list: readonly string[], options?: CallOptions): Promise<boolean> {
    return this.#isAllowed({ method: "GET", path: list, query: { project_id: projectId } }, options);
  }

  async #isAllowed(request: ApiRequest, options: CallOptions | undefined): Promise<boolean> {
    try {
      await this.#caller.request(request, options);
      return true;
    } catch (error) {
      if (error instanceof ForbiddenError && error.type === "AUTHORIZATION_ERROR") return false;
      throw error;
    }
  }

  async show<T>(schema: z.ZodType<T>, path: readonly string[], query: Query, options?: CallOptions): Promise<T> {
    return this.#caller.parse(schema, await this.#caller.request({ method: "GET", path, query }, options));
  }

  list<T>(schema: z.ZodType<T>, path: readonly string[], query: Query, options?: CallOptions): AsyncIterable<T> {
    return listAll(this.#caller, schema, { path, query }, options);
  }

  pages<T>(schema: z.ZodType<T>, path: readonly string[], query: Query, options?: CallOptions): AsyncIterable<Page<T>> {
    return listPages(this.#caller, schema, { path, query }, options);
  }

  /** Closes the connections after all requests have ended. May be called several times. */
  close(): Promise<void> {
    return (this.#closing ??= this.#own ? this.#own.close() : Promise.resolve());
  }
}

const regionsPath = ["v1", "regions"];
const operationsPath = ["v1", "operations"];

function operationsOf(caller: Caller): OperationSource {
  const { newestFirst } = dialects[caller.dialect];
  return {
    get: async (id, options) => {
      const ask = (spelled: string): Promise<ApiResponse> =>
        caller.request({ method: "GET", path: [...operationsPath, spelled] }, options);
      return caller.parse(operation, await inEitherCase(id, ask));
    },
    newest: async (projectId, options) => {
      const query = { project_id: projectId, ...newestFirst };
      return (await readPage(caller, operation, { path: operationsPath, query }, undefined, options)).items;
    },
  };
}
