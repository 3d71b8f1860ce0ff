import { flag, integer, list, number as anyNumber, text } from "../../definition/field";
import type { NamedType } from "../../program/resource-types";

// The arguments that many lookups take, with their documentation. The API decides what a filter means.

/** Filters by a text, a whole number, any number, and true or false. */
export const word = text({ optional: true });
export const int = integer({ optional: true });
export const number = anyNumber({ optional: true });
export const either = flag({ optional: true });

const shared = {
  /** The id of the project. Default: `cloudinfra:projectId`. */
  projectId: text({ configured: "projectId" }),
  /** The id of the organization. Default: the one that the API key reaches. If it reaches several, it is required. */
  organizationId: word,
  /** Only those with this text in their names, in any case. */
  name: word,
  /** Only those in the region with this name, such as `us-sva-2`. */
  region: word,
  /** Only those in this state, such as `ready`. */
  status: word,
  /** Only those that have all of these tags. */
  tags: list(text(), { optional: true }),
  /** Only those from this time on: ISO 8601, such as `2027-02-20T00:00:00Z`. */
  createdAtMin: word,
  /** Only those until this time: ISO 8601. */
  createdAtMax: word,
  /**
   * The order: a field, in the API's own spelling, with `:asc` or `:desc`, such as `created_at:desc`. Or several of
   * these, with commas between them.
   */
  sort: word,
};

/** Names their type, so that published types have their documentation. (A type without a name would be written out.) */
export interface SharedArgs extends NamedType<typeof shared> {}

/** Those of the shared arguments that a lookup takes. */
export function pickShared<Name extends keyof SharedArgs>(names: readonly Name[]): Pick<SharedArgs, Name> {
  return Object.fromEntries(names.map((name) => [name, shared[name]])) as unknown as Pick<SharedArgs, Name>;
}
