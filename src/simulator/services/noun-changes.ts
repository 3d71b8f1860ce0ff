import { conflict } from "../model/api-error";
import type { Stored } from "../model/lifecycle";
import { formatTimestamp } from "../model/timestamp";
import type { Noun } from "../nouns/noun";
import type { Call } from "./call";
import { changesBetween } from "./changed-members";
import { type Answer, type AnyEndpoint, defineEndpoint } from "./endpoint";
import { answerOperation } from "./operations";
import { article, find, itemPath, make, readCreate, readUpdate, requireCreatable, shown } from "./noun-endpoints";

/** The endpoints of a noun that change something: at once, or with an operation. */
export function changeEndpoints(
  noun: Noun,
  operation: Pick<AnyEndpoint, "status" | "response">,
): readonly AnyEndpoint[] {
  const { typeName, targetType, path, isDirect = false } = noun;
  const item = itemPath(noun);
  const needs = { resourceType: noun.resourceType, level: "edit" } as const;
  const targetParameter = noun.isSingleton ? {} : { targetParameter: noun.idParameter };
  const audit = (verb: string) => ({ action: `${targetType}.${verb}`, targetType, ...targetParameter });
  const answers = (status: number, response = noun.shown) => (isDirect ? { status, response } : operation);

  /** Changes members by an operation, which lists them. */
  const update = (call: Call, object: Stored, members: Partial<Stored>, type: "update" | "restart"): Answer => {
    const flat = (all: Partial<Stored>): object => noun.flat?.(all) ?? all;
    const changes = type === "restart" ? undefined : changesBetween(flat(object), flat(members));
    const fault = call.request.operationFault;
    return answerOperation(call, call.world.lifecycle(noun).update(object, members, { changes, fault, type }));
  };

  const updateAtOnce = (call: Call, object: Stored, members: Partial<Stored>): Answer => {
    const { world, nowMs } = call;
    if (Object.keys(members).length > 0) {
      world.lifecycle(noun).change(object.id, { ...members, updated_at: formatTimestamp(nowMs) });
    }
    const body = shown(noun, world.table(noun).get(object.id) ?? object, world);
    return { status: 200, body, targetId: object.id };
  };

  const endpoints: AnyEndpoint[] = [];
  if (noun.create) {
    endpoints.push(
      defineEndpoint({
        method: "POST",
        path,
        operationId: `create${typeName}`,
        summary: `Creates ${article(noun.noun)} ${noun.noun}.`,
        needs,
        body: noun.create,
        ...answers(201, noun.created),
        audit: { action: `${targetType}.create`, targetType },
        handle(call) {
          const { world } = call;
          const body = readCreate(call, noun);
          requireCreatable(call, noun, body);
          const object = make(call, noun, body);
          if (!isDirect) {
            return answerOperation(call, world.lifecycle(noun).create(object, call.request.operationFault));
          }
          world.lifecycle(noun).insert(object);
          const created = { ...shown(noun, object, world), ...noun.showOnce?.(object, world) };
          return { status: 201, body: created, targetId: object.id };
        },
      }),
    );
  }
  if (noun.update) {
    endpoints.push(
      defineEndpoint({
        method: "PATCH",
        path: item,
        operationId: `update${typeName}`,
        summary: `Changes ${article(noun.noun)} ${noun.noun}.`,
        needs,
        body: noun.update,
        ...answers(200),
        audit: audit("update"),
        handle(call) {
          const object = find(call, noun);
          const members = readUpdate(call, noun, object);
          return isDirect ? updateAtOnce(call, object, members) : update(call, object, members, "update");
        },
      }),
    );
  }
  if (noun.isDeletable) {
    endpoints.push(
      defineEndpoint({
        method: "DELETE",
        path: item,
        operationId: `delete${typeName}`,
        summary: `Deletes ${article(noun.noun)} ${noun.noun}.`,
        needs,
        ...(isDirect ? { status: 204 } : operation),
        audit: audit("delete"),
        handle(call) {
          const object = find(call, noun);
          noun.beforeDelete?.(call, object);
          const lifecycle = call.world.lifecycle(noun);
          if (!isDirect) return answerOperation(call, lifecycle.delete(object, call.request.operationFault));
          lifecycle.remove(object.id);
          return { status: 204 };
        },
      }),
    );
  }
  for (const [name, action] of Object.entries(noun.actions ?? {})) {
    endpoints.push(
      defineEndpoint({
        method: "POST",
        path: `${item}/${name}`,
        operationId: `${name}${typeName}`,
        summary: action.summary,
        needs,
        ...(action.body && { body: action.body }),
        ...operation,
        audit: audit(name),
        handle(call) {
          const object = find(call, noun);
          if (object.status === "deleting") throw conflict(`the ${noun.noun} is being deleted`);
          const members = action.change(call, object, action.body ? call.body() : {});
          return update(call, object, members, action.type);
        },
      }),
    );
  }
  return endpoints;
}
