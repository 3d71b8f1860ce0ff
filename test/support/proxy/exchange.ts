import { definitions } from "../../../src/resources/registry";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";

/** A request on its way to the service. */
export interface ProxyRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** With its question mark; empty if there is none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request that has come, and what it was answered with. */
export interface SeenRequest extends ProxyRequest {
  /** Undefined while it is under way, and where its connection was cut. */
  status: number | undefined;
}

/** An answer on its way to the client. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** Hands a request on to the next rule, and at last to the service: the request that came, or another one. */
export type Forward = (request?: ProxyRequest) => Promise<ProxyAnswer | undefined>;

/** The action of a rule on a request. Undefined cuts the connection. */
export type Action = (request: ProxyRequest, forward: Forward) => Promise<ProxyAnswer | undefined>;

/** Which requests a rule meets. */
export interface RequestPattern {
  readonly method?: string;
  /** Tested on the path without its query. */
  readonly path?: RegExp;
  readonly when?: (request: ProxyRequest) => boolean;
  /** Which of those that it meets, counted from 1; without it, all. */
  readonly nth?: number | readonly number[];
}

const paths = definitions.map(({ path }) => path.replaceAll(/\{\w+\}/g, "[^/]+")).join("|");
const COLLECTION = new RegExp(`^(${paths})$`);
/** No object has this id: the provider asks what its key may do. */
const NIL = "0{8}-0{4}-0{4}-0{4}-0{12}";
const OBJECT = new RegExp(`^(${paths})/(?!cost$|availability$|${NIL}$)[^/]+$`);
const QUESTION = new RegExp(`/(cost|availability|${NIL})$`);

/** Requests by what they are for. */
export const requests = {
  creations: { method: "POST", path: COLLECTION },
  lists: { method: "GET", path: COLLECTION },
  reads: { method: "GET", path: OBJECT },
  updates: { method: "PATCH", path: OBJECT },
  deletions: { method: "DELETE", path: OBJECT },
  auditLogs: { method: "GET", path: /^\/v1\/audit_logs$/ },
  operations: { method: "GET", path: /^\/v1\/operations(\/|$)/ },
  /** All that can change something: quotes change nothing. */
  changes: { when: ({ method, path }: ProxyRequest) => method !== "GET" && !QUESTION.test(path) },
} as const satisfies Record<string, RequestPattern>;

/** The same, of requests in the form `GET /v1/regions`. */
export function changesIn(seen: readonly string[]): readonly string[] {
  return seen.filter((request) => !request.startsWith("GET ") && !QUESTION.test(request));
}
