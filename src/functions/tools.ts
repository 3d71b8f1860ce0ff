import type { Finding } from "../definition/rules";
import type { Fields } from "../definition/types";

type Path = readonly string[];
type Query = Readonly<Record<string, string>>;

/** A wrong value. */
type ArgumentFault = Pick<Finding, "field" | "reason">;

/** The tools of a function. */
export interface Tools {
  /** What a GET shows. `what` names the question in error texts. */
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
