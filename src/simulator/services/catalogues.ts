import type { z } from "zod";
import { OrderedList } from "../model/ordered-list";
import { type Filters, matchesOf } from "../schemas/filters";
import { listOf, pageQuery, sortBy } from "../schemas/list";
import { type AnyEndpoint, defineEndpoint, type Endpoint } from "./endpoint";
import { answerPage } from "./pages";

/** A list of what can be chosen from. */
interface Catalogue<T> {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly needs: Endpoint["needs"];
  readonly items: readonly T[];
  readonly shown: z.ZodType;
  readonly filters?: Filters<T>;
  /** By what it can be sorted; absent: not at all. */
  readonly sorts?: readonly string[];
  readonly sortValues?: Readonly<Record<string, (item: T) => string | number>>;
  readonly show?: (item: T) => object;
}

/** The list endpoint of a catalogue. */
export function catalogueEndpoint<T>(catalogue: Catalogue<T>): AnyEndpoint {
  const { path, operationId, summary, needs, items, shown, filters = {}, sorts, sortValues, show } = catalogue;
  const list = OrderedList.of(items);
  const query = pageQuery.extend({
    ...(sorts && { sort: sortBy("created_at", ...sorts) }),
    ...Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, schema])),
  });
  return defineEndpoint({
    method: "GET",
    path,
    operationId,
    summary,
    needs,
    query,
    status: 200,
    response: listOf(shown),
    handle(call) {
      const { cursor, limit, sort, ...wanted } = call.query() as z.infer<typeof pageQuery> & { readonly sort?: string };
      const matches = matchesOf(filters, wanted);
      return answerPage(
        { list, sort, sortValues, filters: wanted, matches, wire: show ?? ((item) => item) },
        { cursor, limit },
      );
    },
  });
}
