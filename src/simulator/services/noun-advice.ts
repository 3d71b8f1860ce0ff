import { conflict } from "../model/api-error";
import type { Dialect } from "../model/catalogues";
import type { Stored } from "../model/lifecycle";
import type { Usage } from "../model/prices";
import type { World } from "../model/world";
import type { Noun } from "../nouns/noun";
import { costQuoteSchema, costQuoteUpdateSchema } from "../schemas/answers";
import { quote, quoteUpdate } from "./cost";
import type { Endpoint } from "./endpoint";
import { article, find, proposed, readCreate, readUpdate, requireCreatable } from "./noun-requests";

/** The quotes of a creation and of an update (section 2.6), and whether the request would succeed. */
export function adviceEndpoints(noun: Noun, item: string, dialect: Dialect): readonly Endpoint[] {
  const { typeName, path, create, update, isQuoted = false, hasAvailability = false } = noun;
  if (!create || !update) return [];
  const needs = { resourceType: noun.resourceType, level: "read" } as const;
  const one = `${article(noun.noun)} ${noun.noun}`;
  const usageOf = (of: Stored, world: World): readonly Usage[] =>
    noun.quotedUsage?.(of, world) ?? noun.usage?.(of, world) ?? [];
  const quotes: readonly Endpoint[] = [
    {
      method: "POST",
      path: `${path}/cost`,
      operationId: `quote${typeName}`,
      summary: `Quotes a proposed ${noun.noun}.`,
      needs,
      body: create,
      status: 200,
      response: costQuoteSchema,
      handle(call) {
        const object = proposed(call, noun, readCreate(call, noun, "quote"));
        return { body: quote(call, usageOf(object, call.world)) };
      },
    },
    {
      method: "PATCH",
      path: `${item}/cost`,
      operationId: `quote${typeName}Update`,
      summary: `Quotes an update of ${one}.`,
      needs,
      body: update,
      status: 200,
      response: costQuoteUpdateSchema,
      handle(call) {
        const object = find(call, noun);
        const after = { ...object, ...readUpdate(call, noun, object) };
        return { body: quoteUpdate(call, usageOf(object, call.world), usageOf(after, call.world)) };
      },
    },
  ];
  const availability: readonly Endpoint[] = [
    {
      method: "POST",
      path: `${path}/availability`,
      operationId: `check${typeName}`,
      summary: `Says whether ${one} could be created.`,
      needs,
      body: create,
      status: 204,
      handle(call) {
        requireCreatable(call, noun, readCreate(call, noun));
        return {};
      },
    },
    {
      method: "PATCH",
      path: `${item}/availability`,
      operationId: `check${typeName}Update`,
      summary: `Says whether ${one} could be changed.`,
      needs,
      body: update,
      status: 204,
      handle(call) {
        const object = find(call, noun);
        const after = { ...object, ...readUpdate(call, noun, object) };
        if (object.status === "deleting") throw conflict("the resource is being deleted");
        call.world.lifecycle(noun).requireRoom(after, object);
        return {};
      },
    },
  ];
  return [...(isQuoted === true || isQuoted === dialect ? quotes : []), ...(hasAvailability ? availability : [])];
}
