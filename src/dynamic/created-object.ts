import { NotFoundError } from "../api/errors";
import { changedFields, policiesAtApi } from "./change-policy";
import { LostCreationError, messageOf } from "./errors";
import type { Props } from "./kind";
import { callOf, settled, type Doing } from "./settle";

/** The API tells the time of a creation, and its own time, to the second; the two may round apart. */
const CLOCK_TOLERANCE_MS = 2_000;

/** What tells the object of a creation whose answer nobody has: its name, and between which times of the API it was made. */
export interface Traces {
  readonly name: unknown;
  readonly from: number;
  readonly until: number;
}

/** The objects that bear the traces. `inputs` say where they are. */
export async function objectsWith(doing: Doing, inputs: Props, { name, from, until }: Traces): Promise<Props[]> {
  const { kind, run } = doing;
  const found: Props[] = [];
  for await (const wire of kind.handler(run.api).list(inputs, callOf(doing))) {
    if (wire["name"] === name && isDuring(wire["created_at"], from, until) && !isGoing(wire)) found.push(wire);
  }
  return found;
}

/** Whether the object has every field as the inputs say. */
export function hasFields({ kind, run }: Doing, wire: Props, inputs: Props): boolean {
  return changedFields(policiesAtApi(kind.policies), inputs, kind.fromWire(wire), run.api.serverNow()).length === 0;
}

/** Whether somebody deletes it already. */
export function isGoing({ status }: Props): boolean {
  return status === "deleting" || status === "deleted";
}

/** Deletes an object, and waits for its end. One that is gone already is deleted. */
export async function discard(doing: Doing, inputs: Props, id: string): Promise<void> {
  const { kind, run } = doing;
  await orUndefined(async () => settled(doing, await kind.handler(run.api).delete(id, inputs, callOf(doing))));
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
export async function orLost<T>({ kind }: Doing, why: string, byHand: string, doIt: () => Promise<T>): Promise<T> {
  try {
    return await doIt();
  } catch (error) {
    if (error instanceof LostCreationError) throw error;
    throw new LostCreationError(
      `${why} The API may have made the ${kind.noun} all the same, and that could not be made good: ${messageOf(error)} ` +
        `The next run on this machine tries again. Before you run elsewhere, ${byHand}: take it over with ${adoptText("<its id>")}, or delete it.`,
      { cause: error },
    );
  }
}

/** The end of an error that leaves several objects untouched. */
export function severalText(candidates: readonly Props[]): string {
  return (
    `Several objects could be the one it made: ${candidates.map(idText).join(", ")}. None was touched: look which one is ` +
    `yours, delete the others, and take yours over with ${adoptText("<its id>")}.`
  );
}

/** What to write among the arguments of the resource to take an object over. */
export function adoptText(id: string): string {
  return `adopt: "${id}"`;
}

/** The end of an error that leaves a key with the program's own name untouched. */
export function secretLostText({ kind }: Doing, id: string): string {
  return (
    `The API has made ${kind.noun} ${id}, but its secret was in the lost answer. It has the name that your program gives, ` +
    `so it was not touched: delete it, and run again.`
  );
}

export function idText(wire: Props): string {
  return typeof wire["id"] === "string" ? wire["id"] : "(no id)";
}

function isDuring(createdAt: unknown, from: number, until: number): boolean {
  const time = typeof createdAt === "string" ? Date.parse(createdAt) : Number.NaN;
  return time >= from - CLOCK_TOLERANCE_MS && time <= until + CLOCK_TOLERANCE_MS;
}
