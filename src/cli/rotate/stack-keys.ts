import { isSameId } from "../../definition/same-id";
import type { RetirementRule } from "../../definition/capabilities";
import type { Definition } from "../../definition/types";
import { definitions } from "../../resources/definitions";
import { deletionOfOld, type WaitingKey } from "../../lifecycle/credential/retirement";
import { stateFromProps } from "../../state/kept-state";
import { timeOf } from "../../time/utc";
import { plannedRotations } from "../../rotation/plan-slots";
import { isRecord } from "../../definition/compare-values";
import type { StateResource } from "../pulumi/stack";
import { explicitProvider, urnParts, typeOfToken } from "../../engine/urn";

/** An API key in the stack's state. Times are epoch milliseconds, undefined if the state shows none. */
export interface StackKey {
  readonly urn: string;
  /** The logical name: the name in the program. */
  readonly name: string;
  readonly id: string;
  /** True if it was replaced and the next run deletes it. */
  readonly isPendingDeletion: boolean;
  /** The URN of its explicit provider. Undefined for a provider with the stack's settings. */
  readonly provider: string | undefined;
  readonly createdAt: number | undefined;
  readonly startsAt: number | undefined;
  readonly expiresAt: number | undefined;
  /**
   * When the key rotates, if the next run is at this time. Undefined if it never does. (The two keys of a
   * RotatingApiKey rotate in turn.)
   */
  readonly rotatesAt: (now: number) => number | undefined;
  readonly replacedId: string | undefined;
  /** The keys that it has replaced and that wait for their clients. */
  readonly waiting: readonly WaitingStackKey[];
}

/** A replaced key that waits until no client uses it. Times are epoch milliseconds. */
export interface WaitingStackKey extends WaitingKey {
  readonly id: string;
  /** True if the provider has signed in with it. */
  readonly isOwn: boolean;
  readonly rule: RetirementRule;
}

export interface ReplacedKey extends Pick<StackKey, "urn" | "name" | "id" | "provider"> {
  /** When its successor was made, if the state shows that. */
  readonly replacedAt: number | undefined;
}

/** The definition of a kind that a provider can sign in with: only those are keys. */
function keyDefinition({ type: token }: StateResource): Definition | undefined {
  return definitions.find(({ type, credential }) => credential && type === typeOfToken(token));
}

/** The values that this command needs. A program may have made them secret. */
export function neededOfKeys(resource: StateResource): unknown {
  if (typeOfToken(resource.type) === "RotationSchedule") return resource.inputs;
  const fields = ["createdAt", "startsAt", "expiresAt", "rotatesAt", "replacedId", "deleteOld", "__retired"];
  return keyDefinition(resource) && fields.map((field) => valueIn(resource, field));
}

/** The API keys that a stack manages, without those that it only reads with `get`. */
export function stackKeys(resources: readonly StateResource[]): readonly StackKey[] {
  return resources.flatMap((resource) => {
    const { urn, id } = resource;
    const definition = keyDefinition(resource);
    if (!definition || !id || resource.external === true) return [];
    const text = (field: string): string | undefined => textIn(resource, field);
    return [
      {
        urn,
        name: urnParts(urn).name,
        id,
        isPendingDeletion: resource.delete === true,
        provider: explicitProvider(resource.provider),
        createdAt: timeOf(text("createdAt")),
        startsAt: timeOf(text("startsAt")),
        expiresAt: timeOf(text("expiresAt")),
        rotatesAt: (now) =>
          keepsEnd(resource) ? undefined : (rotationInPair(resource, resources, now) ?? timeOf(text("rotatesAt"))),
        replacedId: text("replacedId"),
        waiting: waitingFor(definition, resource).filter((key) => !resources.some((each) => isKept(each, key.id))),
      },
    ];
  });
}

/** True if the program ignores changes of `expiresAt`, so that no run rotates the key. */
function keepsEnd({ ignoreChanges = [] }: StateResource): boolean {
  return ignoreChanges.some((path) => path === "expiresAt" || path === "*");
}

/** True if a resource has or reads the object. A replaced key then does not wait for its deletion. */
function isKept(resource: StateResource, id: string): boolean {
  return resource.delete !== true && isSameId(resource.id, id);
}

/** The rule of a key that waits only because its deletion has failed. */
const AT_ONCE: RetirementRule = { whenQuietFor: { ms: 0, text: "0h" }, atLatest: { ms: 0, text: "no longer" } };

/** The replaced keys that wait, with the rule of the last run. */
function waitingFor(
  definition: Definition,
  { outputs = {}, retainOnDelete }: StateResource,
): readonly WaitingStackKey[] {
  const { props, memory } = stateFromProps(outputs);
  return memory.object.retired.flatMap(({ id, isOwn, replacedAt, expiresAt, hasLeaked }) => {
    const deletion = retainOnDelete === true ? "never" : deletionOfOld(definition, props, hasLeaked);
    return deletion === "never"
      ? []
      : [{ id, isOwn, replacedAt, expiresAt, rule: deletion === "atOnce" ? AT_ONCE : deletion }];
  });
}

/**
 * When a key of a RotatingApiKey rotates, by the plan of the pair. Undefined for any other key. If the key has another
 * end than its plan, the run that made the plan was to replace the key, and failed. Then the rotation was due at the
 * time of the plan.
 */
function rotationInPair(
  { urn, parent, outputs }: StateResource,
  resources: readonly StateResource[],
  now: number,
): number | undefined {
  const [, pair, slot] = /^(.*)-([ab])$/s.exec(urnParts(urn).name) ?? [];
  if (parent === undefined || (slot !== "a" && slot !== "b")) return undefined;
  const schedule = resources.find(
    (each) =>
      each.parent === parent &&
      typeOfToken(each.type) === "RotationSchedule" &&
      urnParts(each.urn).name === `${pair}-schedule`,
  );
  const plan = schedule?.inputs?.[slot === "a" ? "slotA" : "slotB"];
  if (isRecord(plan) && timeOf(plan["expiresAt"]) !== timeOf(outputs?.["expiresAt"])) return timeOf(plan["madeAt"]);
  return schedule && plannedRotations(schedule.inputs ?? {}, now)?.[slot];
}

/** The replaced keys in the state: those that successors name, those that wait, and those that are not deleted yet. */
export function replacedKeys(keys: readonly StackKey[]): readonly ReplacedKey[] {
  const named = keys.flatMap(({ urn, name, provider, replacedId: id, createdAt: replacedAt }) =>
    id === undefined ? [] : [{ urn, name, provider, id, replacedAt }],
  );
  const waiting = keys.flatMap(({ urn, name, provider, waiting }) =>
    waiting.map(({ id, replacedAt }) => ({ urn, name, provider, id, replacedAt })),
  );
  const undeleted = keys
    .filter(({ isPendingDeletion }) => isPendingDeletion)
    .map(({ urn, name, provider, id }) => {
      const successor = keys.find((key) => key.urn === urn && !key.isPendingDeletion);
      return { urn, name, provider, id, replacedAt: successor?.createdAt };
    });
  return oncePerId<ReplacedKey>([...named, ...waiting, ...undeleted]);
}

/** The keys without repeated ids, because both halves of a replacement list the waiting keys. */
export function oncePerId<Key extends { readonly id: string }>(keys: readonly Key[]): readonly Key[] {
  return keys.filter(({ id }, nth) => keys.findIndex((each) => each.id === id) === nth);
}

function valueIn({ outputs, inputs }: StateResource, field: string): unknown {
  return outputs?.[field] ?? inputs?.[field];
}

function textIn(resource: StateResource, field: string): string | undefined {
  const value = valueIn(resource, field);
  return typeof value === "string" && value !== "" ? value : undefined;
}
