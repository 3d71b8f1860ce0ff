import type { Fields } from "../definition/types";
import type { Finding } from "../definition/rules";

/** The fields of one object that a lookup returns, as in a definition. */
export interface Shape<Result> {
  readonly fields: Fields;
  /** The resource that the fields are those of. */
  readonly type?: string;
  readonly typed?: Result;
}

/**
 * A lookup, described once: the function, its twin and its row in the documentation follow from it. The first sentence of the comment before
 * the function says everywhere what it returns.
 */
export interface Lookup<Args extends Fields = Fields, Result = unknown> {
  /** The path of the request. A name in braces stands for the argument of that name. */
  readonly path: string;
  /** Its arguments: those that are not in the path go into the query, in the API's words. */
  readonly args: Args;
  readonly result: Shape<Result>;
  /** `one` answer of an endpoint; `all` items of a list; from the list the one that is `sought` by its id or its name. */
  readonly finds: "one" | "all" | "sought";
  /** For one that is sought, or listed elsewhere: the words for one and for several. */
  readonly noun?: string;
  readonly nouns?: string;
  /** For one that the end of the path names: the path of the list that has it. */
  readonly listedAt?: string;
}

/** One call of a lookup. */
export interface LookupCall {
  readonly functionName: string;
  readonly tools: Tools;
  /** As the program gives them. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Makes an item of what the API shows. */
  readonly read: (wire: unknown) => unknown;
}

export type Values = Readonly<Record<string, unknown>>;

type Path = readonly string[];
type Query = Readonly<Record<string, string>>;

/** A wrong value. */
type ArgumentFault = Pick<Finding, "field" | "reason">;

/** The tools of a function. */
export interface Tools {
  /** What a GET shows. `purpose` says in error texts for what it is. */
  readonly show: (fields: Fields, path: Path, query: Query, purpose: string) => Promise<unknown>;
  /** The items of a list, page after page. */
  readonly list: (fields: Fields, path: Path, query: Query, purpose: string) => AsyncIterable<unknown>;
  /** The id of the one organization that the API key reaches. Throws LookupError if there are several. */
  readonly organization: () => Promise<string>;
  /** What is wrong with the values of arguments. */
  readonly faultsOf: (fields: Fields, args: Readonly<Record<string, unknown>>) => readonly ArgumentFault[];
  /** The configured default of an argument. Throws ConfigurationError if there is none. */
  readonly configured: (key: "projectId" | "region") => string;
}
