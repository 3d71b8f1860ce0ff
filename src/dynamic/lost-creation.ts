import type { Mutation } from "../api/client";
import { ConfigurationError, RequestError } from "../api/errors";
import { discard, hasFields, idText, objectsWith, orLost, secretLostText, severalText } from "./created-object";
import { LostCreationError } from "./errors";
import { hiddenOf, visibleOf } from "./hidden-inputs";
import { takeUpInterrupted } from "./interrupted-creation";
import type { Props } from "./kind";
import type { OpenCreation } from "./run-journal";
import { callOf, type Doing } from "./settle";

/** How long a creation is tried at least: the journal says until when its request could be carried out. */
const DEADLINE_MS = 120_000;
/** A key whose secret was lost is made again; where that is lost as well, something is wrong that trying does not mend. */
const MOST_ATTEMPTS = 2;

/** What a creation was answered with, and its entry in the journal. */
export interface Made {
  readonly mutation: Mutation<Props>;
  readonly creation: OpenCreation;
}

/**
 * Sends a creation, so that nothing is made twice and nothing is left behind. First comes what an interrupted run has left of
 * it. Then each request stands in the journal before it goes out. If its answer is lost, the object is looked for: a name that
 * check chose makes it provably ours. With a name from the program, only exactly one object with that name, every field the
 * same, and a creation time inside the request is taken for ours.
 */
export async function createOnce(doing: Doing, props: Props): Promise<Made> {
  const taken = await takeUpInterrupted(doing, props);
  if (taken) return taken;
  for (let attempt = 1; ; attempt += 1) {
    const { made, error } = await sendOnce(doing, props);
    if (made) return made;
    if (attempt === MOST_ATTEMPTS) throw error;
  }
}

type Sent = { readonly made: Made; readonly error?: never } | { readonly made?: never; readonly error: RequestError };

/** One request. Resolves with an error where it has made an object whose secret was lost, and which is deleted again. */
async function sendOnce(doing: Doing, props: Props): Promise<Sent> {
  const { kind, run } = doing;
  const inputs = visibleOf(props);
  const deadlineMs = Math.max(DEADLINE_MS, 2 * run.settings.requestTimeoutMs);
  const from = await serviceTime(doing);
  const creation = await run.journal.begin(kind, props, from, from + deadlineMs);
  try {
    const call = { ...callOf(doing), deadlineMs };
    const mutation = await kind.handler(run.api).create(inputs, kind.toWire(inputs, run.api.serverNow()), call);
    return { made: { mutation, creation } };
  } catch (error) {
    if (error instanceof ConfigurationError || (error instanceof RequestError && error.effect === "none")) {
      await creation.close();
      throw error;
    }
    creation.leftOpen();
    if (!(error instanceof RequestError)) throw error;
    return afterLostAnswer(doing, props, { creation, error, from });
  }
}

interface LostAnswer {
  readonly creation: OpenCreation;
  readonly error: RequestError;
  readonly from: number;
}

/** Looks for what the request has made. Where that is nothing, the entry stays: it may be carried out yet. */
async function afterLostAnswer(doing: Doing, props: Props, { creation, error, from }: LostAnswer): Promise<Sent> {
  const { kind, run } = doing;
  const inputs = visibleOf(props);
  const { name } = inputs;
  const isAuto = hiddenOf(props).autoName !== undefined;
  const found = await orLost(doing, error.message, `look for one named ${JSON.stringify(name)}`, async () => {
    const objects = await objectsWith(doing, inputs, { name, from, until: run.api.serverNow() });
    return isAuto ? objects : objects.filter((wire) => hasFields(doing, wire, inputs));
  });
  const [first, second] = found;
  if (first === undefined) throw error;
  const id = idText(first);
  if (second === undefined && kind.secretOutputs.length === 0) {
    return { made: { mutation: { kind: "resource", resource: first }, creation } };
  }
  if (second !== undefined || !isAuto) {
    // Named, it is in the user's hands: the next run must not take what is left over then for ours.
    await creation.close();
    const what = second === undefined ? secretLostText(doing, id) : severalText(found);
    throw new LostCreationError(`${error.message} ${what}`, { cause: error });
  }
  await orLost(doing, error.message, `look at ${id}, whose secret is lost`, () => discard(doing, inputs, id));
  await creation.close();
  return { error };
}

/** The API's time: objects are told by when they were made, and this machine's clock may be wrong. */
async function serviceTime({ run, urn }: Doing): Promise<number> {
  if (!run.api.hasHeardTime()) {
    try {
      return await run.serviceTime(urn);
    } catch {
      // The creation meets the same trouble, and says so.
    }
  }
  return run.api.serverNow();
}
