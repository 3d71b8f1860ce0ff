import type { Stored } from "../model/lifecycle";
import type { Noun } from "../nouns/noun";
import { projectIdFilter } from "../schemas/list";
import { type AnyEndpoint, showEndpoint } from "./endpoint";
import { listEndpoint } from "./list-endpoint";
import { article, find, shown } from "./noun-requests";

/** The endpoints that list objects and show one. */
export function readEndpoints(noun: Noun, item: string): readonly AnyEndpoint[] {
  const { path, parent, isOfOrganization = false, isSingleton = false, isListOnly = false, newestFirst = false } = noun;
  const needs = { resourceType: noun.resourceType, level: "read" } as const;
  const isOfProject = !parent && !isOfOrganization;
  const list = listEndpoint<Stored>({
    path,
    operationId: `list${noun.typeName}s`,
    summary: `Lists ${noun.noun}s${isOfOrganization ? " within the key's scope" : ""}, ${newestFirst ? "newest" : "oldest"} first.`,
    needs,
    newestFirst,
    ...(isOfProject && { parameters: { project_id: projectIdFilter } }),
    filters: noun.filters,
    ...(noun.sorts && { sorts: noun.sorts }),
    sortValues: noun.sortValues,
    shown: noun.shown,
    items(call, { project_id: projectId = "" }) {
      if (isOfProject) call.requireProject(String(projectId));
      return call.world.table(noun).partition(parent ? find(call, parent).id : String(projectId));
    },
    scope: ({ caller, world }) => {
      if (noun.isSeenBy === undefined && (noun.scopeOf === undefined || caller.isOwner)) return undefined;
      const sees = (object: Stored): boolean =>
        (noun.scopeOf?.(object).every((id) => caller.reaches(id)) ?? true) &&
        noun.isSeenBy?.(caller, object, world) !== false;
      return { mark: caller.actor.id, sees };
    },
    show: (object, { world }) => shown(noun, object, world),
  });
  const one = showEndpoint({
    path: item,
    operationId: `get${noun.typeName}`,
    summary: `Shows ${article(noun.noun)} ${noun.noun}.`,
    needs,
    response: noun.shown,
    show: (call) => shown(noun, find(call, noun), call.world),
  });
  return [...(isSingleton ? [] : [list]), ...(isListOnly ? [] : [one])];
}
