import type { Fields } from "../definition/types";

type Path = readonly string[];
type Query = Readonly<Record<string, string>>;

/** The tools of a function. */
export interface Tools {
  /** What a GET shows. `what` names the question in error texts. */
  readonly show: (fields: Fields, path: Path, query: Query, what: string) => Promise<unknown>;
  /** The items of a list, page after page. */
  readonly list: (fields: Fields, path: Path, query: Query, what: string) => AsyncIterable<unknown>;
  /** The id of the one organization that the API key reaches. Throws LookupError if there are several. */
  readonly organization: () => Promise<string>;
  /** The configured default of an argument. Throws ConfigurationError if there is none. */
  readonly configured: (key: "projectId" | "region") => string;
}
