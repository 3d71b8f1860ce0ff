import { conflict } from "../model/api-error";
import type { Stored } from "../model/lifecycle";
import type { Usage } from "../model/prices";
import type { World } from "../model/world";
import type { Noun } from "../nouns/noun";
import { costQuoteSchema, costQuoteUpdateSchema } from "../schemas/cost";
import { quote, quoteUpdate } from "./cost";
import { type AnyEndpoint, defineEndpoint } from "./endpoint";
import { article, find, proposed, readCreate, readUpdate, requireCreatable } from "./noun-endpoints";

function quotedUsage(noun: Noun, of: Stored, world: World): readonly Usage[] {
  return noun.quoted?.(of, world) ?? noun.usage?.(of, world) ?? [];
}

/** The cost of a creation and of an update (section 2.6). */
export function quoteEndpoints(noun: Noun): readonly AnyEndpoint[] {
  const { typeName, path, create, update } = noun;
  if (!noun.isQuoted || !create || !update) return [];
  const needs = { resourceType: noun.resourceType, level: "read" } as const;
  return [
    defineEndpoint({
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
        return { status: 200, body: quote(call, quotedUsage(noun, object, call.world)) };
      },
    }),
    defineEndpoint({
      method: "PATCH",
      path: `${path}/{${noun.idParameter}}/cost`,
      operationId: `quote${typeName}Update`,
      summary: `Quotes an update of ${article(noun.noun)} ${noun.noun}.`,
      needs,
      body: update,
      status: 200,
      response: costQuoteUpdateSchema,
      handle(call) {
        const { world } = call;
        const object = find(call, noun);
        const after = { ...object, ...readUpdate(call, noun, object) };
        const usages = [quotedUsage(noun, object, world), quotedUsage(noun, after, world)] as const;
        return { status: 200, body: quoteUpdate(call, ...usages) };
      },
    }),
  ];
}

/** Answers 204 if a request would succeed, and otherwise as the request would be. */
export function availabilityEndpoints(noun: Noun): readonly AnyEndpoint[] {
  const { typeName, path, create, update } = noun;
  if (!noun.hasAvailability || !create || !update) return [];
  const needs = { resourceType: noun.resourceType, level: "read" } as const;
  return [
    defineEndpoint({
      method: "POST",
      path: `${path}/availability`,
      operationId: `check${typeName}`,
      summary: `Says whether ${article(noun.noun)} ${noun.noun} could be created.`,
      needs,
      body: create,
      status: 204,
      handle(call) {
        requireCreatable(call, noun, readCreate(call, noun));
        return { status: 204 };
      },
    }),
    defineEndpoint({
      method: "PATCH",
      path: `${path}/{${noun.idParameter}}/availability`,
      operationId: `check${typeName}Update`,
      summary: `Says whether ${article(noun.noun)} ${noun.noun} could be changed.`,
      needs,
      body: update,
      status: 204,
      handle(call) {
        const object = find(call, noun);
        const after = { ...object, ...readUpdate(call, noun, object) };
        if (object.status === "deleting") throw conflict("the resource is being deleted");
        call.world.lifecycle(noun).requireRoom(after, object);
        return { status: 204 };
      },
    }),
  ];
}
