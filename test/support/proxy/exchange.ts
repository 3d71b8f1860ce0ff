import { definitions } from "../../../src/resources/registry";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";

/** A request on its way to the service. */
export interface ProxyRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** With its question mark. Empty if there is none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request that has arrived, and its answer. */
export interface RecordedRequest extends ProxyRequest {
  /** Undefined while the request is in flight, and if its connection was cut. */
  status: number | undefined;
}

/** An answer on its way to the client. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** Forwards a request, unchanged or changed, to the next rule and finally to the service. */
export type Forward = (request?: ProxyRequest) => Promise<ProxyAnswer | undefined>;

/** The action of a rule on a request. Undefined cuts the connection. */
export type Action = (request: ProxyRequest, forward: Forward) => Promise<ProxyAnswer | undefined>;

/** The requests that a rule matches. */
export interface RequestPattern {
  readonly method?: string;
  /** Tested on the path without its query. */
  readonly path?: RegExp;
  readonly when?: (request: ProxyRequest) => boolean;
  /** Only the nth match, counted from 1. Default: all. */
  readonly nth?: number | readonly number[];
}

const paths = definitions.map(({ path }) => path.replaceAll(/\{\w+\}/g, "[^/]+")).join("|");
const COLLECTION = new RegExp(`^(${paths})$`);
/** No object has this id. The provider uses it to find out what its key may do. */
const NIL = "0{8}-0{4}-0{4}-0{4}-0{12}";
const OBJECT = new RegExp(`^(${paths})/(?!cost$|availability$|${NIL}$)[^/]+$`);
const ADVISORY = new RegExp(`/(cost|availability|${NIL})$`);

/** Patterns for requests, by their purpose. */
export const requests = {
  creations: { method: "POST", path: COLLECTION },
  lists: { method: "GET", path: COLLECTION },
  reads: { method: "GET", path: OBJECT },
  updates: { method: "PATCH", path: OBJECT },
  deletions: { method: "DELETE", path: OBJECT },
  auditLogs: { method: "GET", path: /^\/v1\/audit_logs$/ },
  operations: { method: "GET", path: /^\/v1\/operations(\/|$)/ },
  /** All requests that can change something. Quotes change nothing. */
  changes: { when: ({ method, path }: ProxyRequest) => method !== "GET" && !ADVISORY.test(path) },
} as const satisfies Record<string, RequestPattern>;

/** The same for texts like `GET /v1/regions`. */
export function changesIn(lines: readonly string[]): readonly string[] {
  return lines.filter((request) => !request.startsWith("GET ") && !ADVISORY.test(request));
}
