import type { Mutation } from "../../api/client";
import { ConfigurationError, RequestError } from "../../api/errors";
import { discard, notProvenText, onceVisible, orLost, type MadeObject } from "./created-object";
import { LostCreationError, messageOf, RefusedObjectError } from "../errors";
import { takeUpInterrupted } from "./interrupted-creation";
import type { Props } from "../kind";
import { outcomeOf } from "./ownership";
import type { OpenCreation } from "./open-creation";
import { callOf, type ResourceCall } from "../resource-call";

/** The longest wait for a late audit log. After it, the next run looks again. */
const LOG_LATE_BY_MS = 15_000;
/** The longest time that a new object may be invisible. */
const VISIBLE_WITHIN_MS = 60_000;
/** A key with a lost secret is made again. If that secret is lost too, further attempts will not help. */
const MOST_ATTEMPTS = 2;

/**
 * Sends a creation, so that nothing is made twice and nothing is left over. First it takes up objects of interrupted runs.
 * Then it writes each request with its token into the journal, and sends it. If the answer is lost, the audit log shows the
 * object of this token, and only that is ours.
 */
export async function createOnce(call: ResourceCall): Promise<MadeObject> {
  const taken = await takeUpInterrupted(call);
  if (taken) return taken;
  for (let attempt = 1; ; attempt += 1) {
    const { made, error } = await sendOnce(call);
    if (made) return made;
    if (attempt === MOST_ATTEMPTS) throw error;
  }
}

type Sent = { readonly made: MadeObject; readonly error?: never } | { readonly made?: never; readonly error: Error };

/** Sends one request. Resolves with an error if it made an object whose secret was lost, after deleting that object. */
async function sendOnce(call: ResourceCall): Promise<Sent> {
  const { kind, run } = call;
  const { inputs } = call;
  const creation = await run.journal.begin(call, await serviceTime(call));
  try {
    const options = { ...callOf(call), token: creation.token };
    const mutation = await kind.handler(run.api).create(inputs, kind.toWire(inputs, run.api.serverNow()), options);
    const id = idOf(mutation);
    if (id !== undefined) return { made: { id, mutation, creation } };
  } catch (error) {
    if (error instanceof ConfigurationError || (error instanceof RequestError && error.effect === "none")) {
      await creation.close();
      throw error;
    }
    creation.leftOpen();
    if (!(error instanceof RequestError)) throw error;
    return afterLostAnswer(call, creation, error);
  }
  creation.leftOpen();
  const error = new RefusedObjectError(`The API answered the creation of a ${kind.noun} without its id.`);
  return afterLostAnswer(call, creation, error);
}

/** Finds out what the request made. Unless that is proven, the entry stays, because the API may still carry the request out. */
async function afterLostAnswer(call: ResourceCall, creation: OpenCreation, error: Error): Promise<Sent> {
  const { kind, run, urn } = call;
  const { inputs } = call;
  const why = messageOf(error);
  const byHand = `look for one named ${JSON.stringify(inputs["name"])}`;
  const endsAt = run.clock.now() + LOG_LATE_BY_MS;
  const outcome = await orLost(call, why, byHand, () => outcomeOf(call, creation.sent(inputs), endsAt));
  if (outcome.status === "nothing") {
    await creation.close();
    throw error;
  }
  if (outcome.status === "unclear") {
    const { candidates } = outcome;
    const next =
      candidates.length > 0
        ? notProvenText(call, outcome.why, candidates, creation.key)
        : `${outcome.why} The API has no such object. The next run on this machine looks again before it creates anything.`;
    throw new LostCreationError(`${why} ${next}`, { cause: error });
  }
  const [id = "", ...twins] = outcome.ids;
  await creation.accepted(id);
  const surplus = kind.secretOutputs.length > 0 ? outcome.ids : twins;
  const what = `look at ${surplus.join(" and ")}${kind.secretOutputs.length > 0 ? ", whose secret is lost" : ""}`;
  await orLost(call, why, what, async () => {
    for (const each of surplus) await discardNew(call, inputs, each, why);
  });
  if (twins.length > 0) {
    await run.rows.line(
      urn,
      "warning",
      `The network delivered the creation ${outcome.ids.length} times. This run deleted ${twins.join(" and ")}, ` +
        `which the same request had made.`,
    );
  }
  if (surplus !== twins) {
    await creation.close();
    return { error };
  }
  return { made: { id, mutation: { kind: "done" }, creation } };
}

/** Deletes an object that this run has just made. A 404 only means that it is not visible yet. */
async function discardNew(call: ResourceCall, inputs: Props, id: string, why: string): Promise<void> {
  const { kind, run } = call;
  if (!(await onceVisible(call, inputs, id, run.clock.now() + VISIBLE_WITHIN_MS))) {
    throw new LostCreationError(
      `${why} The audit log shows that it made ${kind.noun} ${id}, which the API does not show. The next run on this machine ` +
        `looks again. Before you run on another machine, look for it, and delete it.`,
    );
  }
  await discard(call, inputs, id);
}

/** The API's time, because the audit log is searched from there and this machine's clock may be wrong. */
async function serviceTime({ run, urn }: ResourceCall): Promise<number> {
  if (!run.api.hasHeardTime()) {
    try {
      return await run.serviceTime(urn);
    } catch {
      // The creation will have the same problem, and report it.
    }
  }
  return run.api.serverNow();
}

/** The id of the created object, in either style of answer. */
function idOf(mutation: Mutation<Props>): string | undefined {
  if (mutation.kind === "operation") return mutation.operation.resource_id;
  if (mutation.kind === "resource" && typeof mutation.resource["id"] === "string") return mutation.resource["id"];
  return undefined;
}
