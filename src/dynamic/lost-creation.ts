import type { Mutation } from "../api/client";
import { RequestError } from "../api/errors";
import { changedFields } from "./change-policy";
import { LostCreationError, messageOf } from "./errors";
import { hiddenOf, visibleOf } from "./hidden-inputs";
import type { Props } from "./kind";
import { callOf, settled, type Doing } from "./settle";

/** The API tells the time of a creation, and its own time, to the second; the two may round apart. */
const CLOCK_TOLERANCE_MS = 2_000;

/**
 * Sends a creation. If its answer is lost, the object is looked for, so that nothing is created twice and nothing is left
 * behind: a name that check chose makes an object provably ours. With a name from the program, only exactly one object
 * with that name, every field the same, and a creation time inside the request is taken for ours.
 */
export async function createOnce(doing: Doing, props: Props): Promise<Mutation<Props>> {
  const { kind, run } = doing;
  const inputs = visibleOf(props);
  const sentAt = run.api.serverNow();
  const send = (): Promise<Mutation<Props>> =>
    kind.handler(run.api).create(inputs, kind.toWire(inputs, run.api.serverNow()), callOf(doing));
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof RequestError) || error.effect === "none") throw error;
    const found = await orLost(doing, error, `look for one named ${JSON.stringify(inputs["name"])}`, () =>
      findCreated(doing, props, sentAt, error),
    );
    if (!found) throw error;
    if (kind.secretOutputs.length === 0) return { kind: "resource", resource: found };
    await orLost(doing, error, `look at ${idText(found)}, whose secret is lost`, () =>
      discard(doing, props, found, error),
    );
    return send();
  }
}

/** Where the search for a lost object fails too, the error names what to look for by hand: nothing goes unsaid. */
async function orLost<T>({ kind }: Doing, lost: Error, byHand: string, doIt: () => Promise<T>): Promise<T> {
  try {
    return await doIt();
  } catch (error) {
    if (error instanceof LostCreationError) throw error;
    throw new LostCreationError(
      `${lost.message} The API may have made the ${kind.noun} all the same, and that could not be made good: ${messageOf(error)} ` +
        `Before you run again, ${byHand}: take it over with adopt, or delete it.`,
      { cause: new AggregateError([lost, error]) },
    );
  }
}

/** The object that the lost creation made, or undefined if it made none. */
async function findCreated(doing: Doing, props: Props, sentAt: number, lost: Error): Promise<Props | undefined> {
  const { kind, run } = doing;
  const inputs = visibleOf(props);
  const isAuto = hiddenOf(props).autoName !== undefined;
  const candidates: Props[] = [];
  for await (const wire of kind.handler(run.api).list(inputs, callOf(doing))) {
    if (wire["name"] !== inputs["name"]) continue;
    if (!isDuring(wire["created_at"], sentAt, run.api.serverNow())) continue;
    if (isAuto || sameFields(doing, wire, inputs)) candidates.push(wire);
  }
  if (candidates.length < 2) return candidates[0];
  throw new LostCreationError(
    `${lost.message} Several objects could be the one it made: ${candidates.map(idText).join(", ")}. None was touched: ` +
      `look which one is yours, delete the others, and take yours over with adopt.`,
    { cause: lost },
  );
}

/** A key whose secret was lost with the answer is of no use to anybody: it is deleted where it is provably ours. */
async function discard(doing: Doing, props: Props, found: Props, lost: Error): Promise<void> {
  const id = idText(found);
  if (hiddenOf(props).autoName === undefined) {
    throw new LostCreationError(
      `${lost.message} The API has made ${doing.kind.noun} ${id}, but its secret was in the lost answer. It has the name that ` +
        `your program gives, so it was not touched: delete it, and run again.`,
      { cause: lost },
    );
  }
  const { kind, run } = doing;
  await settled(doing, await kind.handler(run.api).delete(id, visibleOf(props), callOf(doing)));
}

function isDuring(createdAt: unknown, from: number, to: number): boolean {
  const time = typeof createdAt === "string" ? Date.parse(createdAt) : Number.NaN;
  return time >= from - CLOCK_TOLERANCE_MS && time <= to + CLOCK_TOLERANCE_MS;
}

function sameFields({ kind, run }: Doing, wire: Props, inputs: Props): boolean {
  return changedFields(kind.policies, inputs, kind.fromWire(wire), run.api.serverNow()).length === 0;
}

function idText(wire: Props): string {
  return typeof wire["id"] === "string" ? wire["id"] : "(no id)";
}
