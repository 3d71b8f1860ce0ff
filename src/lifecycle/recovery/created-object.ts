import type { Mutation } from "../../api/client";
import { NotFoundError } from "../../api/errors";
import { idKey } from "../../api/same-id";
import type { OpenCreation } from "./open-creation";
import { changedFields, policiesShown } from "../change-policy";
import { LostCreationError, messageOf } from "../errors";
import type { Props } from "../kind";
import { awaitOperation } from "../readiness";
import { callOf, type ResourceCall } from "../resource-call";

/** A created object, and its entry in the journal. */
export interface MadeObject {
  readonly id: string;
  /** The API's announcement of the operation; `done` if nobody has the answer. */
  readonly mutation: Mutation<Props>;
  readonly creation: OpenCreation;
}

/** Whether the object has every field of the inputs. */
export function hasFields({ kind, run }: ResourceCall, wire: Props, inputs: Props): boolean {
  const shown = kind.fromWire(wire);
  const isElsewhere = (field: string): boolean => kind.policies[field]?.isPart === true && shown[field] === undefined;
  return changedFields(policiesShown(kind.policies), shown, inputs, run.api.serverNow()).every(isElsewhere);
}

/** Whether it is already being deleted. */
export function isGoing({ status }: Props): boolean {
  return status === "deleting" || status === "deleted";
}

/** Deletes an object, and waits for its end. It may be gone already. */
export async function discard(call: ResourceCall, inputs: Props, id: string): Promise<void> {
  await orUndefined(() => deletion(call, inputs, id));
}

/** Deletes an object, and waits for its end. Rejects with NotFoundError if the API shows none. */
export async function deletion(call: ResourceCall, inputs: Props, id: string): Promise<void> {
  const { kind, run } = call;
  await awaitOperation(call, await kind.handler(run.api).delete(id, inputs, callOf(call)));
}

const PAUSE_MS = 1_000;

/**
 * A new object that may not be visible yet. Asks until `endsAt`, by this machine's clock. Undefined if the object does not
 * appear.
 */
export async function onceVisible(
  call: ResourceCall,
  inputs: Props,
  id: string,
  endsAt: number,
): Promise<Props | undefined> {
  const { kind, run, urn } = call;
  for (;;) {
    const shown = await orUndefined(() => kind.handler(run.api).get(id, inputs, callOf(call)));
    if (shown || run.clock.now() + PAUSE_MS > endsAt) return shown;
    run.rows.status(urn, `waiting for the API to show ${kind.noun} ${id}`);
    await run.clock.sleep(PAUSE_MS);
  }
}

/** The object, or undefined if it is gone. */
export async function orUndefined<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** If nobody can find out what a creation made, the error says what to look for by hand. */
export async function orLost<T>(
  { kind }: ResourceCall,
  why: string,
  byHand: string,
  doIt: () => Promise<T>,
): Promise<T> {
  try {
    return await doIt();
  } catch (error) {
    if (error instanceof LostCreationError) throw error;
    throw new LostCreationError(
      `${why} The API may have made the ${kind.noun}, and this run could not find out: ${messageOf(error)} ` +
        `The next run on this machine tries again. Before you run on another machine, ${byHand}: adopt it with ${adoptText("<its id>")}, or delete it.`,
      { cause: error },
    );
  }
}

/** The end of an error that leaves objects untouched, because nothing proves ownership. */
export function notProvenText({ kind }: ResourceCall, why: string, candidates: readonly Props[], key: string): string {
  const ids = candidates.map(idText);
  const [it, them] = ids.length === 1 ? ["it is", "it"] : ["one of them is", "that one"];
  return (
    `${why} It may have made ${ids.join(" or ")}. Nothing was touched. ` +
    `If ${it} yours, delete ${them}, or adopt ${them} with ${adoptText(ids.length === 1 ? idText(candidates[0] ?? {}) : "<its id>")}` +
    `${kind.secretOutputs.length > 0 ? " (its secret was in the lost answer)" : ""}, and run again. ` +
    `If not, run \`cloudinfra doctor --forget ${key}\`. A run with an API key that has audit_log:read can find out by itself.`
  );
}

/** The argument that adopts an object. */
export function adoptText(id: string): string {
  return `adopt: "${id}"`;
}

/** Names objects with the name of an entry that are not proven to be its own. Empty if there are none. */
export function othersText(candidates: readonly Props[], known: readonly string[]): string {
  const others = candidates.map(idText).filter((id) => !known.some((each) => idKey(each) === idKey(id)));
  return others.length === 0 ? "" : ` The API has ${others.join(" and ")} of the same name: if it is yours, delete it.`;
}

export function idText(wire: Props): string {
  return typeof wire["id"] === "string" ? wire["id"] : "(no id)";
}
