import { conflict } from "../model/rejection";
import { newSecret } from "../model/callers";
import type { Dialect } from "../model/catalogs";
import type { StoredObject } from "../model/object-lifecycle";
import { formatTimestamp } from "../model/time";
import type { Noun } from "../nouns/noun";
import { projectIdFilter } from "../schemas/lists";
import type { Call } from "./call";
import { type EndpointAnswer, type Endpoint, showEndpoint } from "./endpoint";
import { listEndpoint } from "./list-endpoint";
import { adviceEndpoints } from "./noun-advice";
import { article, changesBetween, find, make, readCreate, readUpdate, requireCreatable, shown } from "./noun-requests";
import { answerOperation, type OperationAnswer } from "./operation-endpoints";

/** All endpoints of a noun. `operation` is the schema of the answer to a change that takes time. */
export function nounEndpoints(noun: Noun, dialect: Dialect, operation: OperationAnswer): readonly Endpoint[] {
  const item = noun.isSingleton ? noun.path : `${noun.path}/{${noun.idParameter}}`;
  return [
    ...changeEndpoints(noun, item, operation),
    ...readEndpoints(noun, item),
    ...adviceEndpoints(noun, item, dialect),
    ...(noun.endpoints?.(noun) ?? []),
  ];
}

/** The endpoints that change objects, at once or by an operation. */
function changeEndpoints(noun: Noun, item: string, operation: OperationAnswer): readonly Endpoint[] {
  const { kind, typeName, create, update, isDirect = false, idParameter, created } = noun;
  const one = `${article(noun.noun)} ${noun.noun}`;
  const changed = isDirect ? { status: 200, response: noun.shown } : operation;
  const named = (verb: string) => ({
    operationId: `${verb}${typeName}`,
    needs: { resourceType: noun.resourceType, level: "edit" } as const,
    audit: { action: `${kind}.${verb}`, targetType: kind, ...(!noun.isSingleton && { targetParameter: idParameter }) },
  });

  const endpoints: (Endpoint | false | undefined)[] = [
    create && {
      ...named("create"),
      audit: { action: `${kind}.create`, targetType: kind },
      method: "POST",
      path: noun.path,
      summary: `Creates ${one}.`,
      body: create,
      status: isDirect ? 201 : operation.status,
      response: isDirect ? created : operation.response,
      handle(call) {
        const body = readCreate(call, noun);
        requireCreatable(call, noun, body);
        return createObject(call, noun, make(call, noun, body));
      },
    },
    update && {
      ...named("update"),
      ...changed,
      method: "PATCH",
      path: item,
      summary: `Changes ${one}.`,
      body: update,
      handle(call) {
        const object = find(call, noun);
        const members = readUpdate(call, noun, object);
        return (isDirect ? updateAtOnce : updateByOperation)(call, noun, object, members);
      },
    },
    noun.isDeletable && {
      ...named("delete"),
      ...(isDirect ? { status: 204 } : operation),
      method: "DELETE",
      path: item,
      summary: `Deletes ${one}.`,
      handle(call) {
        const object = find(call, noun);
        noun.beforeDelete?.(call, object);
        const lifecycle = call.world.lifecycle(noun);
        if (!isDirect) return answerOperation(call, lifecycle.delete(object, call.request.operationFault));
        lifecycle.remove(object.id);
        return {};
      },
    },
    ...Object.entries(noun.actions ?? {}).map(([name, action]): Endpoint => ({
      ...named(name),
      ...operation,
      method: "POST",
      path: `${item}/${name}`,
      summary: action.summary,
      ...(action.body && { body: action.body }),
      handle(call) {
        const object = find(call, noun);
        if (object.status === "deleting") throw conflict(`the ${noun.noun} is being deleted`);
        const members = action.change(call, object, action.body ? call.body() : {});
        return updateByOperation(call, noun, object, members, action.type);
      },
    })),
  ];
  return endpoints.filter((endpoint) => endpoint !== undefined && endpoint !== false);
}

/** Stores a new object. Only the answer to this request shows its secrets. */
function createObject(call: Call, noun: Noun, object: StoredObject): EndpointAnswer {
  const { world, request } = call;
  const lifecycle = world.lifecycle(noun);
  const record = noun.isDirect ? undefined : lifecycle.create(object, request.operationFault);
  if (!record) lifecycle.insert(object);
  const secrets = Object.fromEntries((noun.secrets ?? []).map((name) => [name, newSecret()]));
  noun.keepSecrets?.(object, secrets, world);
  const answer = record ? answerOperation(call, record).body : shown(noun, object, world);
  return { body: { ...answer, ...secrets }, targetId: object.id };
}

/** Changes members by an operation, which lists the changes. */
function updateByOperation(
  call: Call,
  noun: Noun,
  object: StoredObject,
  members: Partial<StoredObject>,
  type: "update" | "restart" = "update",
): EndpointAnswer {
  const listed = (all: Partial<StoredObject>): object => noun.changeList?.(all) ?? all;
  const changes = type === "restart" ? undefined : changesBetween(listed(object), listed(members));
  const fault = call.request.operationFault;
  return answerOperation(call, call.world.lifecycle(noun).update(object, members, { changes, fault, type }));
}

function updateAtOnce(
  { world, nowMs }: Call,
  noun: Noun,
  object: StoredObject,
  members: Partial<StoredObject>,
): EndpointAnswer {
  if (Object.keys(members).length > 0) {
    world.lifecycle(noun).change(object.id, { ...members, updated_at: formatTimestamp(nowMs) });
  }
  return { body: shown(noun, world.table(noun).get(object.id) ?? object, world), targetId: object.id };
}

function readEndpoints(noun: Noun, item: string): readonly Endpoint[] {
  const { path, parent, isOfOrganization = false, isSingleton = false, isListOnly = false, newestFirst = false } = noun;
  const needs = { resourceType: noun.resourceType, level: "read" } as const;
  const isOfProject = !parent && !isOfOrganization;
  const list = listEndpoint<StoredObject>({
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
      return call.world.partition(noun.key, parent ? find(call, parent).id : String(projectId)).values();
    },
    scope: ({ caller, world }) => {
      if (noun.isSeenBy === undefined && (noun.scopeOf === undefined || caller.isOwner)) return undefined;
      const sees = (object: StoredObject): boolean =>
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
