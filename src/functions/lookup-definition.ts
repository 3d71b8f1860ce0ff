import { CloudinfraError } from "../api/errors/cloudinfra-error";
import type { Fields } from "../definition/types";
import type { Finding } from "../definition/rule-context";
import { valueFromWire, wireName } from "../definition/wire";

/** The fields of an object that a lookup returns, in the form of a definition. */
export interface Shape<Result> {
  readonly fields: Fields;
  /** The type of the resource with the same fields, if there is one. */
  readonly type?: string;
  readonly typed?: Result;
}

/**
 * The description of a lookup, from which the function, its output form and its documentation are derived. The first
 * sentence of the comment before the function says what it returns.
 */
export interface Lookup<Args extends Fields = Fields, Result = unknown> {
  /** The path of the request. A name in braces stands for the argument of that name. */
  readonly path: string;
  /** Its arguments. Those that are not in the path go into the query, with the API's names. */
  readonly args: Args;
  readonly result: Shape<Result>;
  /**
   * What it returns. `one`: the answer of an endpoint. `all`: the items of a list. `byIdOrName`: the item with an id or
   * a name.
   */
  readonly finds: "one" | "all" | "byIdOrName";
  /** The words for one object and for several, for `byIdOrName`. */
  readonly noun?: string;
  readonly nouns?: string;
  /** If the last segment of the path names the object: the path of the list that contains it. */
  readonly listedAt?: string;
}

/** A call of a lookup's function. */
export interface LookupCall {
  readonly lookup: Lookup;
  readonly functionName: string;
  readonly tools: Tools;
  /** The arguments as the program gives them. */
  readonly args: Values;
}

export type Values = Readonly<Record<string, unknown>>;

type RequestPath = readonly string[];
type RequestQuery = Readonly<Record<string, string>>;

type ArgumentFault = Pick<Finding, "field" | "reason">;

/** A function found no such object or several, or was called with wrong arguments. */
export class LookupError extends CloudinfraError {
  readonly code = "LOOKUP_FAILED";

  constructor(
    message: string,
    /** The faults of arguments: missing, wrong, or unknown to the function. */
    readonly faults: readonly ArgumentFault[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface Tools {
  /** Sends a GET. `purpose` is for error texts. */
  readonly show: (fields: Fields, path: RequestPath, query: RequestQuery, purpose: string) => Promise<unknown>;
  /** The items of a list, page after page. */
  readonly list: (fields: Fields, path: RequestPath, query: RequestQuery, purpose: string) => AsyncIterable<unknown>;
  /** The id of the one organization that the API key reaches. Throws LookupError if there are several. */
  readonly organization: () => Promise<string>;
  readonly faultsOf: (fields: Fields, args: Readonly<Record<string, unknown>>) => readonly ArgumentFault[];
  /** The configured default of an argument. Throws ConfigurationError if there is none. */
  readonly configured: (key: "projectId" | "region") => string;
}

export function argsInPath({ path }: Lookup): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, arg = ""]) => arg);
}

export function pathOf(path: string, values: Values): string[] {
  const segments = path.split("/").filter((segment) => segment !== "");
  return segments.map((segment) => (segment.startsWith("{") ? asText(values[segment.slice(1, -1)]) : segment));
}

/** The query with the API's names. A list is joined with commas. */
export function queryOf({ args, path }: Lookup, values: Values): Record<string, string> {
  const entries = Object.entries(args).filter(([name]) => values[name] !== undefined && !path.includes(`{${name}}`));
  return Object.fromEntries(entries.map(([name, field]) => [wireName(name, field), asText(values[name])]));
}

export function asText(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(",") : String(value);
}

/** Converts the API's answer, or an item of it, to the program's form. */
export function answerFromWire({ result: { fields } }: Lookup, wire: unknown): unknown {
  return valueFromWire({ kind: "object", members: fields }, wire);
}
