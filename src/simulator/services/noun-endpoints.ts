import { randomUUID } from "node:crypto";
import { conflict, forbidden, notFound } from "../model/api-error";
import type { Stored } from "../model/lifecycle";
import type { OrderedList } from "../model/ordered-list";
import { regionProblem } from "../model/regions";
import { formatTimestamp } from "../model/timestamp";
import type { ObjectModel, World } from "../model/world";
import type { Noun } from "../nouns/noun";
import { projectIdFilter } from "../schemas/list";
import type { Call, CallContext } from "./call";
import { given } from "./changed-members";
import { type AnyEndpoint, defineEndpoint } from "./endpoint";
import { listEndpoint } from "./list-endpoint";
import type { Rules } from "./validation";

type Body = Readonly<Record<string, unknown>>;

/** The object that the path names: 404 or 403 otherwise. Its parents are checked first. */
export function find<T extends Stored>(call: CallContext, model: ObjectModel<T> & Pick<Noun<T>, "isSeenBy">): T {
  const { parent, idParameter, noun, isSingleton = false } = model;
  const holder = parent && find(call, parent);
  const table = call.world.table(model);
  const object = isSingleton ? only(table.partition(holder?.id ?? "")) : table.get(call.param(idParameter));
  if (!object) throw notFound(noun);
  if (model.isSeenBy?.(call.caller, object, call.world) === false) throw forbidden(`the ${noun} is not the caller's`);
  if (parent && (object as unknown as Body)[parent.idParameter] !== holder?.id) throw notFound(noun);
  if (!parent) for (const id of model.scopeOf?.(object) ?? [call.world.projectOf(model, object)]) call.requireReach(id);
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

/** Rejects a valid creation if the parent is being deleted or a quota is exhausted. */
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

/** The endpoints that list objects and show one. */
export function readEndpoints(noun: Noun): readonly AnyEndpoint[] {
  const { typeName, path, parent, isOfOrganization = false, filters = {}, sorts, newestFirst = false } = noun;
  const needs = { resourceType: noun.resourceType, level: "read" } as const;
  if (noun.isSingleton) return [itemEndpoint(noun)];
  const isOfProject = !parent && !isOfOrganization;
  const listed = (call: CallContext, wanted: Body): OrderedList<Stored> => {
    const table = call.world.table(noun);
    if (parent) return table.partition(find(call, parent).id);
    if (!isOfProject) return table.partition("");
    const projectId = String(wanted["project_id"]);
    call.requireProject(projectId);
    return table.partition(projectId);
  };
  return [
    listEndpoint<Stored>({
      path,
      operationId: `list${typeName}s`,
      summary: `Lists ${noun.noun}s${isOfOrganization ? " within the key's scope" : ""}, ${newestFirst ? "newest" : "oldest"} first.`,
      needs,
      newestFirst,
      ...(isOfProject && { parameters: { project_id: projectIdFilter } }),
      filters,
      ...(sorts && { sorts }),
      sortValues: noun.sortValues,
      shown: noun.shown,
      items: listed,
      scope({ caller, world }) {
        if (noun.isSeenBy === undefined && (noun.scopeOf === undefined || caller.isOwner)) return undefined;
        const sees = (object: Stored): boolean =>
          (noun.scopeOf?.(object).every((id) => caller.reaches(id)) ?? true) &&
          noun.isSeenBy?.(caller, object, world) !== false;
        return { mark: caller.actor.id, sees };
      },
      show: (object, { world }) => shown(noun, object, world),
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
  return /^[aeio]|^NKS/i.test(noun) ? "an" : "a";
}
