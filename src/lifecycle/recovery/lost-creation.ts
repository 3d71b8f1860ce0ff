import type { Mutation } from "../../api/client";
import { ConfigurationError, RequestError } from "../../api/errors";
import { discard, notProvenText, onceVisible, orLost } from "./created-object";
import { LostCreationError, messageOf, RefusedObjectError } from "../errors";
import { takeUpInterrupted } from "./interrupted-creation";
import type { Props } from "../kind";
import { outcomeOf } from "./ownership";
import type { OpenCreation } from "./run-journal";
import { callOf, type ResourceCall } from "../resource-call";

/** How long a creation is tried at least. */
const DEADLINE_MS = 120_000;
/** How long an audit log may be late before the run gives up; the next run looks again. */
const LOG_LATE_BY_MS = 15_000;
/** How long a new object may be invisible. */
const VISIBLE_WITHIN_MS = 60_000;
/** A key whose secret was lost is made again; where that is lost as well, something is wrong that trying does not mend. */
const MOST_ATTEMPTS = 2;

/** What a creation has made, and its entry in the journal. */
export interface Made {
  readonly id: string;
  /** What the API said that it would do; `done` if nobody has the answer. */
  readonly mutation: Mutation<Props>;
  readonly creation: OpenCreation;
}

/**
 * Sends a creation, so that nothing is made twice and nothing is left behind. First comes what an interrupted run has left of
 * it. Then each request stands in the journal before it goes out, with the token that it carries. If its answer is lost, the
 * audit log says by the token what it has made: that is ours, and nothing else is.
 */
export async function createOnce(doing: ResourceCall): Promise<Made> {
  const taken = await takeUpInterrupted(doing);
  if (taken) return taken;
  for (let attempt = 1; ; attempt += 1) {
    const { made, error } = await sendOnce(doing);
    if (made) return made;
    if (attempt === MOST_ATTEMPTS) throw error;
  }
}

type Sent = { readonly made: Made; readonly error?: never } | { readonly made?: never; readonly error: Error };

/** One request. Resolves with an error where it has made an object whose secret was lost, and which is deleted again. */
async function sendOnce(doing: ResourceCall): Promise<Sent> {
  const { kind, run } = doing;
  const { inputs } = doing;
  const deadlineMs = Math.max(DEADLINE_MS, 2 * run.settings.requestTimeoutMs);
  const creation = await run.journal.begin(doing, await serviceTime(doing));
  try {
    const call = { ...callOf(doing), deadlineMs, token: creation.token };
    const mutation = await kind.handler(run.api).create(inputs, kind.toWire(inputs, run.api.serverNow()), call);
    const id = idOf(mutation);
    if (id !== undefined) return { made: { id, mutation, creation } };
  } catch (error) {
    if (error instanceof ConfigurationError || (error instanceof RequestError && error.effect === "none")) {
      await creation.close();
      throw error;
    }
    creation.leftOpen();
    if (!(error instanceof RequestError)) throw error;
    return afterLostAnswer(doing, creation, error);
  }
  creation.leftOpen();
  const error = new RefusedObjectError(`The API answered the creation of a ${kind.noun} without its id.`);
  return afterLostAnswer(doing, creation, error);
}

/** Finds out what the request has made. Unless that is proven, the entry stays: it may be carried out yet. */
async function afterLostAnswer(doing: ResourceCall, creation: OpenCreation, error: Error): Promise<Sent> {
  const { kind, run, urn } = doing;
  const { inputs } = doing;
  const why = messageOf(error);
  const byHand = `look for one named ${JSON.stringify(inputs["name"])}`;
  const endsAt = run.clock.now() + LOG_LATE_BY_MS;
  const outcome = await orLost(doing, why, byHand, () => outcomeOf(doing, creation.sent(inputs), endsAt));
  if (outcome.status === "nothing") {
    await creation.close();
    throw error;
  }
  if (outcome.status === "unclear") {
    const { candidates } = outcome;
    const next =
      candidates.length > 0
        ? notProvenText(doing, outcome.why, candidates, creation.key)
        : `${outcome.why} The API has no such object. The next run on this machine looks again before it creates anything.`;
    throw new LostCreationError(`${why} ${next}`, { cause: error });
  }
  const [id = "", ...twins] = outcome.ids;
  await creation.accepted(id);
  const surplus = kind.secretOutputs.length > 0 ? outcome.ids : twins;
  const what = `look at ${surplus.join(" and ")}${kind.secretOutputs.length > 0 ? ", whose secret is lost" : ""}`;
  await orLost(doing, why, what, async () => {
    for (const each of surplus) await discardNew(doing, inputs, each, why);
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

/** Deletes what this run has made a moment ago: a 404 says no more than that it cannot be seen yet. */
async function discardNew(doing: ResourceCall, inputs: Props, id: string, why: string): Promise<void> {
  const { kind, run } = doing;
  if (!(await onceVisible(doing, inputs, id, run.clock.now() + VISIBLE_WITHIN_MS))) {
    throw new LostCreationError(
      `${why} The audit log shows that it made ${kind.noun} ${id}, which the API does not show. The next run on this machine ` +
        `looks again. Before you run on another machine, look for it, and delete it.`,
    );
  }
  await discard(doing, inputs, id);
}

/** The API's time: the audit log is looked through from there, and this machine's clock may be wrong. */
async function serviceTime({ run, urn }: ResourceCall): Promise<number> {
  if (!run.api.hasHeardTime()) {
    try {
      return await run.serviceTime(urn);
    } catch {
      // The creation meets the same trouble, and says so.
    }
  }
  return run.api.serverNow();
}

/** The id of the object that a creation was answered with, in either style. */
function idOf(mutation: Mutation<Props>): string | undefined {
  if (mutation.kind === "operation") return mutation.operation.resource_id;
  if (mutation.kind === "resource" && typeof mutation.resource["id"] === "string") return mutation.resource["id"];
  return undefined;
}
