import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { conflict, forbidden, notFound } from "../model/api-error";
import type { Stored } from "../model/lifecycle";
import type { OrderedList } from "../model/ordered-list";
import { regionProblem } from "../model/regions";
import { formatTimestamp } from "../model/timestamp";
import type { ObjectModel, World } from "../model/world";
import type { Noun } from "../nouns/noun";
import { matchesOf } from "../schemas/filters";
import { listOf, pageQuery, projectIdFilter, sortBy } from "../schemas/list";
import type { Call, CallContext } from "./call";
import { given } from "./changed-members";
import { type AnyEndpoint, defineEndpoint } from "./endpoint";
import { answerPage } from "./pages";
import type { Rules } from "./validation";

type Body = Readonly<Record<string, unknown>>;

/** The object that the path names: 404 or 403 otherwise, and what it is in comes first. */
export function find<T extends Stored>(call: CallContext, model: ObjectModel<T> & Pick<Noun<T>, "isSeenBy">): T {
  const { parent, idParameter, noun, isSingleton = false } = model;
  const holder = parent && find(call, parent);
  const table = call.world.table(model);
  const object = isSingleton ? only(table.partition(holder?.id ?? "")) : table.get(call.param(idParameter));
  if (!object) throw notFound(noun);
  if (model.isSeenBy?.(call.caller, object, call.world) === false) throw forbidden(`the ${noun} is not the caller's`);
  if (parent && (object as unknown as Body)[parent.idParameter] !== holder?.id) throw notFound(noun);
  if (!parent) call.requireReach(call.world.projectOf(model, object));
  return object;
}

/** The first of a list, and the only one. */
function only<T>(list: OrderedList<T>): T | undefined {
  for (const { value } of list.after(0)) return value;
  return undefined;
}

/** An object as it is answered. */
export function shown(noun: Noun, object: Stored, world: World): object {
  return noun.show?.(object, world) ?? object;
}

/** Reads a creation: scope first, then the schema, and the rules that need the state. */
export function readCreate(call: Call, noun: Noun, use: "creation" | "quote" = "creation"): Body {
  if (noun.parent) find(call, noun.parent);
  else call.requireReachOfBody();
  const rules: Rules<Body> = (body, report) => {
    const { project_id: projectId, region } = body;
    if (typeof projectId === "string" && !call.world.find("projects", projectId))
      report("project_id", "no such project");
    if (typeof region === "string") {
      const features = noun.regionFeatures?.(body) ?? [];
      const problem = features.map((feature) => regionProblem(region, feature)).find((text) => text !== undefined);
      if (problem !== undefined) report("region", problem);
    }
    noun.createRules?.(call, body, report);
    if (use !== "quote") noun.placeRules?.(call, body, report);
  };
  return call.body(rules);
}

/** Reads an update into the members that it changes. */
export function readUpdate(call: Call, noun: Noun, object: Stored): Partial<Stored> {
  const body: Body = given(
    call.body((members, report) => {
      noun.updateRules?.(call, object, members, report);
    }),
  );
  noun.beforeUpdate?.(call, object, body);
  return noun.change?.(object, body) ?? body;
}

/** Refuses what cannot be created though its body is good: what it is in is going, or there is no room. */
export function requireCreatable(call: CallContext, noun: Noun, body: Body): void {
  const { parent } = noun;
  if (parent && find(call, parent).status === "deleting") throw conflict(`the ${parent.noun} is being deleted`);
  noun.beforeCreate?.(call, body);
  call.world.lifecycle(noun).requireRoom(proposed(call, noun, body));
}

/** The object that a body would make, as quotas and prices see it. */
export function proposed(call: CallContext, { parent }: Noun, body: Body): Stored {
  const holder = parent ? { [parent.idParameter]: call.param(parent.idParameter) } : {};
  return { ...body, ...holder } as unknown as Stored;
}

/** A new object of a body. */
export function make(call: CallContext, noun: Noun, body: Body): Stored {
  if (!noun.make) throw new Error(`a ${noun.noun} cannot be made`);
  const now = formatTimestamp(call.nowMs);
  return noun.make(call, body, { id: randomUUID(), status: "creating", created_at: now, updated_at: now });
}

/** The list and the single object: what every noun has. */
export function readEndpoints(noun: Noun): readonly AnyEndpoint[] {
  const { typeName, path, parent, isOfOrganization = false, filters = {}, sorts, newestFirst = false } = noun;
  const needs = { resourceType: noun.resourceType, level: "read" } as const;
  if (noun.isSingleton) return [itemEndpoint(noun)];
  const isOfProject = !parent && !isOfOrganization;
  const query = pageQuery.extend({
    ...(sorts && { sort: sortBy("created_at", ...sorts) }),
    ...(isOfProject && { project_id: projectIdFilter }),
    ...Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, schema])),
  });
  const listed = (call: CallContext, wanted: Body): OrderedList<Stored> => {
    const table = call.world.table(noun);
    if (parent) return table.partition(find(call, parent).id);
    if (!isOfProject) return table.partition("");
    const projectId = String(wanted["project_id"]);
    call.requireProject(projectId);
    return table.partition(projectId);
  };
  return [
    defineEndpoint({
      method: "GET",
      path,
      operationId: `list${typeName}s`,
      summary: `Lists ${noun.noun}s${isOfOrganization ? " within the key's scope" : ""}, ${newestFirst ? "newest" : "oldest"} first.`,
      needs,
      query,
      status: 200,
      response: listOf(noun.shown),
      handle(call) {
        const { cursor, limit, sort, ...wanted } = call.query() as z.infer<typeof pageQuery> & {
          readonly sort?: string;
        };
        const { world, caller } = call;
        const isMatch = matchesOf(filters, wanted);
        // Of the organization's, a key sees those of the projects that it reaches.
        const isScoped = noun.isSeenBy !== undefined || (noun.scopeOf !== undefined && !caller.isOwner);
        const isSeen = (object: Stored): boolean =>
          (noun.scopeOf === undefined || caller.reaches(noun.scopeOf(object))) &&
          noun.isSeenBy?.(caller, object, world) !== false &&
          (isMatch?.(object) ?? true);
        return answerPage(
          {
            list: listed(call, wanted),
            sort,
            newestFirst,
            filters: isScoped ? { ...wanted, caller: caller.actor.id } : wanted,
            matches: isScoped ? isSeen : isMatch,
            wire: (object) => shown(noun, object, world),
            sortValues: noun.sortValues,
          },
          { cursor, limit },
        );
      },
    }),
    ...(noun.isListOnly ? [] : [itemEndpoint(noun)]),
  ];
}

/** The path of one object. A kind with one object at most has no id. */
export function itemPath({ path, idParameter, isSingleton = false }: Noun): string {
  return isSingleton ? path : `${path}/{${idParameter}}`;
}

function itemEndpoint(noun: Noun): AnyEndpoint {
  return defineEndpoint({
    method: "GET",
    path: itemPath(noun),
    operationId: `get${noun.typeName}`,
    summary: `Shows ${article(noun.noun)} ${noun.noun}.`,
    needs: { resourceType: noun.resourceType, level: "read" },
    status: 200,
    response: noun.shown,
    handle: (call) => ({ status: 200, body: shown(noun, find(call, noun), call.world) }),
  });
}

/** The article before a noun. */
export function article(noun: string): string {
  return /^[aeio]|^NKS/.test(noun) ? "an" : "a";
}
