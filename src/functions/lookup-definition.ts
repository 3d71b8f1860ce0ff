import { CloudinfraError } from "../api/errors/cloudinfra-error";
import type { Fields } from "../definition/types";
import type { Finding } from "../definition/rule-context";

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
