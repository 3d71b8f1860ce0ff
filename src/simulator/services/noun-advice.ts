import { conflict } from "../model/rejection";
import type { Dialect } from "../model/catalogs";
import type { StoredObject } from "../model/object-lifecycle";
import type { Usage } from "../model/prices";
import type { World } from "../model/world";
import type { Noun } from "../nouns/noun";
import { costQuoteSchema, costQuoteUpdateSchema } from "../schemas/answers";
import type { Call } from "./call";
import { quote, quoteUpdate } from "./cost-answers";
import type { Endpoint } from "./endpoint";
import { article, find, proposed, readCreate, readUpdate, requireCreatable } from "./noun-requests";

/** The quotes of a creation and of an update (section 2.6), and the checks whether the request would succeed. */
export function adviceEndpoints(noun: Noun, item: string, dialect: Dialect): readonly Endpoint[] {
  const { typeName, path, create, update, isQuoted = false, hasAvailability = false } = noun;
  if (!create || !update) return [];
  const needs = { resourceType: noun.resourceType, level: "read" } as const;
  const one = `${article(noun.noun)} ${noun.noun}`;
  const usageOf = (of: StoredObject, world: World): readonly Usage[] =>
    (noun.quotedUsage?.(of, world) ?? noun.usage?.(of, world) ?? []).filter(({ quantity }) => quantity > 0);
  const ofCreation = (name: string) => ({ method: "POST", path: `${path}/${name}`, needs, body: create }) as const;
  const ofUpdate = (name: string) => ({ method: "PATCH", path: `${item}/${name}`, needs, body: update }) as const;
  const changed = (call: Call): readonly [StoredObject, StoredObject] => {
    const object = find(call, noun);
    return [object, { ...object, ...readUpdate(call, noun, object) }];
  };
  const quotes: readonly Endpoint[] = [
    {
      ...ofCreation("cost"),
      operationId: `quote${typeName}`,
      summary: `Quotes a proposed ${noun.noun}.`,
      status: 200,
      response: costQuoteSchema,
      handle(call) {
        const object = proposed(call, noun, readCreate(call, noun, "quote"));
        return { body: quote(call, usageOf(object, call.world)) };
      },
    },
    {
      ...ofUpdate("cost"),
      operationId: `quote${typeName}Update`,
      summary: `Quotes an update of ${one}.`,
      status: 200,
      response: costQuoteUpdateSchema,
      handle(call) {
        const [before, after] = changed(call);
        return { body: quoteUpdate(call, usageOf(before, call.world), usageOf(after, call.world)) };
      },
    },
  ];
  const availability: readonly Endpoint[] = [
    {
      ...ofCreation("availability"),
      operationId: `check${typeName}`,
      summary: `Says whether ${one} could be created.`,
      status: 204,
      handle(call) {
        requireCreatable(call, noun, readCreate(call, noun));
        return {};
      },
    },
    {
      ...ofUpdate("availability"),
      operationId: `check${typeName}Update`,
      summary: `Says whether ${one} could be changed.`,
      status: 204,
      handle(call) {
        const [before, after] = changed(call);
        if (before.status === "deleting") throw conflict("the resource is being deleted");
        call.world.lifecycle(noun).requireRoom(after, before);
        return {};
      },
    },
  ];
  return [...(isQuoted === true || isQuoted === dialect ? quotes : []), ...(hasAvailability ? availability : [])];
}
