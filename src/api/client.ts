import type { Dispatcher } from "undici";
import { systemClock, type Clock } from "../clock";
import type { ApiKeys } from "./nouns/api-keys";
import type { AuditLog, AuditLogListOptions } from "./nouns/audit-logs";
import { parseBaseUrl } from "./http/base-url";
import type { CallOptions } from "./http/request";
import { Caller } from "./http/caller";
import type { CollectionPlace, Listed, ManagedCollection } from "./collection";
import type { Listable } from "./lists/collection-reader";
import type { ConnectConnections } from "./nouns/connect-connections";
import type { ConnectRoute } from "./nouns/connect-routes";
import { Credentials, type Credential, type OnCredentialFallback } from "./http/credentials";
import type { Dialect } from "./dialect";
import { endpoints } from "./endpoints";
import type { FirewallRules } from "./nouns/firewall-rules";
import type { Mutation } from "./operations/mutation";
import type { Operation } from "./operations/operation";
import type { WaitOptions } from "./operations/operations";
import type { Project } from "./nouns/projects";
import type { Quota } from "./nouns/quotas";
import type { Region } from "./nouns/regions";
import { RequestGate } from "./http/request-gate";
import { createDispatcher, MAX_CONNECTIONS, Transport } from "./http/transport";
import type { Vpc } from "./nouns/vpcs";

export type { CallOptions, Credential, Dialect, Mutation, WaitOptions };
export type { OperationProgress } from "./operations/operations";

/** What a client needs to know. */
export interface ApiOptions {
  /** With an optional path prefix. `http://` is for loopback only. */
  readonly baseUrl: string;
  /** In order of preference: a 401 of the first moves on to the next, once, for the rest of the process. */
  readonly credentials: readonly Credential[];
  readonly dialect: Dialect;
  /** For one attempt, until the whole body is read. */
  readonly requestTimeoutMs: number;
  /** For one operation to end, where the wait names no other. */
  readonly operationTimeoutMs: number;
  readonly userAgent: string;
  /** Lets `http://` reach other machines than this one: the credential then travels in the clear. */
  readonly allowInsecure?: boolean;
  readonly clock?: Clock;
  /** Jitter; default Math.random. */
  readonly random?: () => number;
  /** Replaces the client's own connections; it is not closed by `close`. */
  readonly dispatcher?: Dispatcher;
  readonly onWarning?: (message: string) => void;
  /** Told when a 401 makes the client move on, with both sources; default: a warning. */
  readonly onCredentialFallback?: OnCredentialFallback;
}

/** The API. Every promise rejects with an error of `errors.ts`, and with nothing else. */
export interface Api {
  readonly dialect: Dialect;
  /** Which credential is in use now, in words for people. */
  credentialSource(): string;
  /** Whether requests are signed in with this key now. */
  signsInWith(apiKey: string): boolean;
  /** Whether the settings name this key, or requests have been signed in with it. */
  knowsCredential(apiKey: string): boolean;
  /** Signs in with another credential from now on (a rotated key's successor). */
  useCredential(credential: Credential): void;
  /** Epoch milliseconds by the API's clock, to about a second: learnt from the last response, else the local clock. */
  serverNow(): number;
  /** Whether a response has told the API's time yet: before, `serverNow` is this machine's. */
  hasHeardTime(): boolean;
  /** The endpoints of a collection of managed objects. One for each place, because all reads of it share its lists. */
  collection<T extends Listable>(place: CollectionPlace<T>): ManagedCollection<T>;
  readonly apiKeys: ApiKeys;
  readonly connectConnections: ConnectConnections;
  readonly firewallRules: FirewallRules;
  readonly vpcs: { get(id: string, call?: CallOptions): Promise<Vpc> } & Listed<Vpc, [projectId: string]>;
  readonly regions: Listed<Region>;
  readonly projects: Listed<Project>;
  readonly quotas: { get(region: string, call?: CallOptions): Promise<Quota> };
  readonly connectRoutes: Listed<ConnectRoute>;
  readonly auditLogs: { list(options?: AuditLogListOptions): AsyncIterable<AuditLog> };
  readonly operations: {
    get(id: string, call?: CallOptions): Promise<Operation>;
    list(projectId: string, query?: Readonly<Record<string, string>>, call?: CallOptions): AsyncIterable<Operation>;
    /**
     * Resolves with the operation when it is done. Rejects with OperationFailedError, OperationTimeoutError,
     * AbortedError, or what a poll was refused with.
     */
    wait(operation: Operation, options?: WaitOptions): Promise<Operation>;
  };
  /** Ends the connections when what is in flight has ended. To be called as often as one likes. */
  close(): Promise<void>;
}

/** Said once: that the run takes long is not its own fault. */
const LIMITED =
  "The API limits the rate of requests, and has refused some: from here on this run sends them at the pace that the API " +
  "takes. It may last longer; nothing is lost.";

/** A client for one base URL. Throws ConfigurationError where the options cannot work. */
export function createApi(options: ApiOptions): Api {
  const { dialect, requestTimeoutMs, operationTimeoutMs, clock = systemClock, random = Math.random } = options;
  const baseUrl = parseBaseUrl(options.baseUrl, options.allowInsecure);
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
    requestTimeoutMs,
    clock,
    random,
  });
  let closing: Promise<void> | undefined;
  return {
    dialect,
    credentialSource: () => credentials.current.source,
    signsInWith: (apiKey) => credentials.current.apiKey === apiKey,
    knowsCredential: (apiKey) => credentials.has(apiKey),
    useCredential: (credential) => credentials.use(credential),
    serverNow: () => caller.serverNow(),
    hasHeardTime: () => caller.hasHeardTime,
    ...endpoints(caller, { clock, operationTimeoutMs }),
    close: () => (closing ??= own ? own.close() : Promise.resolve()),
  };
}

function warnOfFallback({ onWarning }: ApiOptions): OnCredentialFallback {
  return ({ from, to }) => onWarning?.(`The API key from ${from} was refused; going on with the one from ${to}.`);
}
