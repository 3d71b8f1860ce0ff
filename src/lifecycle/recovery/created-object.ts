import { NotFoundError } from "../../api/errors";
import { idKey } from "./audit-trail";
import { changedFields, policiesShown } from "../change-policy";
import { LostCreationError, messageOf } from "../errors";
import type { Props } from "../kind";
import { awaitOperation } from "../completion";
import { callOf, type ResourceCall } from "../resource-call";

/** Whether the object has every field as the inputs say. */
export function hasFields({ kind, run }: ResourceCall, wire: Props, inputs: Props): boolean {
  const shown = kind.fromWire(wire);
  const isElsewhere = (field: string): boolean => kind.policies[field]?.isPart === true && shown[field] === undefined;
  return changedFields(policiesShown(kind.policies), shown, inputs, run.api.serverNow()).every(isElsewhere);
}

/** Whether somebody deletes it already. */
export function isGoing({ status }: Props): boolean {
  return status === "deleting" || status === "deleted";
}

/** Deletes an object, and waits for its end. One that is gone already is deleted. */
export async function discard(doing: ResourceCall, inputs: Props, id: string): Promise<void> {
  await orUndefined(() => deletion(doing, inputs, id));
}

/** Deletes an object, and waits for its end. Rejects with NotFoundError where the API shows none. */
export async function deletion(doing: ResourceCall, inputs: Props, id: string): Promise<void> {
  const { kind, run } = doing;
  await awaitOperation(doing, await kind.handler(run.api).delete(id, inputs, callOf(doing)));
}

const PAUSE_MS = 1_000;

/**
 * The object, which was made a moment ago and may not be visible yet: it is asked for until `endsAt`, by this machine's clock.
 * Undefined if it is not there by then.
 */
export async function onceVisible(
  doing: ResourceCall,
  inputs: Props,
  id: string,
  endsAt: number,
): Promise<Props | undefined> {
  const { kind, run, urn } = doing;
  for (;;) {
    const shown = await orUndefined(() => kind.handler(run.api).get(id, inputs, callOf(doing)));
    if (shown || run.clock.now() + PAUSE_MS > endsAt) return shown;
    run.rows.status(urn, `waiting for the API to show ${kind.noun} ${id}`);
    await run.clock.sleep(PAUSE_MS);
  }
}

/** What is asked for, or undefined where it is gone. */
export async function orUndefined<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** Where it cannot be found out what a creation has made, the error names what to look for by hand: nothing goes unsaid. */
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

/** The end of an error that leaves objects untouched, since nothing proves whose they are. */
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

/** What to write among the arguments of the resource to take an object over. */
export function adoptText(id: string): string {
  return `adopt: "${id}"`;
}

/** Says which objects of the name an entry may mean whose id is not to be relied on; empty if there are none. */
export function othersText(candidates: readonly Props[], known: readonly string[]): string {
  const others = candidates.map(idText).filter((id) => !known.some((each) => idKey(each) === idKey(id)));
  return others.length === 0 ? "" : ` The API has ${others.join(" and ")} of the same name: if it is yours, delete it.`;
}

export function idText(wire: Props): string {
  return typeof wire["id"] === "string" ? wire["id"] : "(no id)";
}
