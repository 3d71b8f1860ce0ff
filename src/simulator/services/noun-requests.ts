import { randomUUID } from "node:crypto";
import { conflict, forbidden, notFound } from "../model/rejection";
import { regionProblem } from "../model/catalogs";
import type { StoredObject } from "../model/object-lifecycle";
import type { FieldChanges, FieldValue } from "../model/operations";
import { formatTimestamp } from "../model/time";
import type { ObjectModel, World } from "../model/world";
import type { Noun } from "../nouns/noun";
import type { Call } from "./call";
import type { DefinedMembers, Report, Rules } from "./validation";

type Body = Readonly<Record<string, unknown>>;

/** The object in the path. Throws 404 or 403 otherwise. Checks the parents first. */
export function find<T extends StoredObject>(call: Call, model: ObjectModel<T> & Pick<Noun<T>, "isSeenBy">): T {
  const { key, parent: parentModel, idParameter, noun, isSingleton = false } = model;
  const { caller, world } = call;
  const parent = parentModel && find(call, parentModel);
  const object = (
    isSingleton ? world.objectsIn(key, parent?.id ?? "")[0] : world.find(key, call.param(idParameter))
  ) as T | undefined;
  if (!object) throw notFound(noun);
  if (model.isSeenBy?.(caller, object, world) === false) throw forbidden(`the ${noun} is not the caller's`);
  if (parentModel) {
    if ((object as unknown as Body)[parentModel.idParameter] !== parent?.id) throw notFound(noun);
  } else for (const id of model.scopeOf?.(object) ?? [world.projectOf(model, object)]) call.requireReach(id);
  return object;
}

export function shown(noun: Noun, object: StoredObject, world: World): object {
  const { hidden = [], computed = {} } = noun;
  if (hidden.length === 0 && !noun.show) return object;
  const answer = { ...object, ...noun.show?.(object, world) };
  for (const name of hidden) if (!(name in computed)) Reflect.deleteProperty(answer, name);
  return answer;
}

/** Parses a creation: checks the scope first, then the schema, then the rules that need the state. */
export function readCreate(call: Call, noun: Noun, use: "creation" | "quote" = "creation"): Body {
  if (noun.parent) find(call, noun.parent);
  else call.requireReachOfBody();
  const rules: Rules<Body> = (body, report) => {
    const { project_id: projectId, region } = body;
    if (typeof projectId === "string" && !call.world.find("projects", projectId))
      report("project_id", "no such project");
    if (typeof region === "string") {
      const problem = regionProblem(region, noun.regionFeatures?.(body) ?? []);
      if (problem !== undefined) report("region", problem);
    }
    noun.createRules?.(call, body, report);
    if (use !== "quote") noun.referenceRules?.(call, body, report);
  };
  return call.body(rules);
}

/** Parses an update into the members that it changes. */
export function readUpdate(call: Call, noun: Noun, object: StoredObject): Partial<StoredObject> {
  const body: Body = definedMembers(
    call.body((members, report) => {
      rejectShrinking(noun, object, members, report);
      noun.updateRules?.(call, object, members, report);
    }),
  );
  noun.beforeUpdate?.(call, object, body);
  return noun.change?.(object, body) ?? body;
}

function rejectShrinking({ noun, growsOnly = [] }: Noun, object: StoredObject, members: Body, report: Report): void {
  for (const name of growsOnly) {
    const before = (object as unknown as Body)[name];
    if (Number(members[name]) < Number(before))
      report(name, `${article(noun)} ${noun} can only grow: it has ${String(before)}`);
  }
}

/** Rejects a valid creation if the parent is being deleted, or a quota is exhausted. */
export function requireCreatable(call: Call, noun: Noun, body: Body): void {
  const { parent } = noun;
  if (parent && find(call, parent).status === "deleting") throw conflict(`the ${parent.noun} is being deleted`);
  noun.beforeCreate?.(call, body);
  call.world.lifecycle(noun).requireRoom(proposed(call, noun, body));
}

/** The object that a body describes, for quotas and prices. */
export function proposed(call: Call, { parent }: Noun, body: Body): StoredObject {
  return {
    ...body,
    ...(parent && { [parent.idParameter]: call.param(parent.idParameter) }),
  } as unknown as StoredObject;
}

/** A new object: the stored members of its body, and those that the noun adds. */
export function make(call: Call, noun: Noun, body: Body): StoredObject {
  const { shape } = noun.stored;
  const now = formatTimestamp(call.nowMs);
  const object: StoredObject = {
    ...noun.defaults,
    ...Object.fromEntries(Object.entries(proposed(call, noun, definedMembers(body))).filter(([name]) => name in shape)),
    ...("status" in shape && { status: "creating" }),
    id: randomUUID(),
    created_at: now,
    updated_at: now,
  };
  return { ...object, ...noun.make?.(call, body, object) };
}

/** The article for a noun: "a" or "an". */
export function article(noun: string): string {
  return /^[aeio]|^NKS/i.test(noun) ? "an" : "a";
}

/** The old and new values of the members that an update changes. The list uses an empty text in place of null. */
export function changesBetween(before: object, members: object): FieldChanges {
  const was = before as Readonly<Record<string, unknown>>;
  const changed = Object.entries(members).filter(
    ([name, value]) => JSON.stringify(was[name]) !== JSON.stringify(value),
  );
  return Object.fromEntries(
    changed.map(([name, to]) => [name, { from: (was[name] ?? "") as FieldValue, to: (to ?? "") as FieldValue }]),
  );
}

/** The members that are present in a request. An absent member changes nothing. */
function definedMembers<T extends object>(members: T): DefinedMembers<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as DefinedMembers<T>;
}
