import type { Mutation } from "../../api/client";
import { isRefusal, NotFoundError, RequestError } from "../../api/errors";
import { pollUntil } from "../../process/poll";
import { IncompleteChangeError, CancelledError, NotMadeError } from "../errors";
import { awaitOperation } from "./readiness";
import { operationName } from "../kind/kind";
import type { ResourceCall } from "./resource-call";

/** How long an object may still show the values from before a change that the API calls done. */
const SHOWN_WITHIN_MS = 10_000;

/** A request that changes or deletes an object, and how the object shows it. */
export interface VerifiedRequest<T> {
  readonly send: () => Promise<Mutation<unknown>>;
  /** Resolves with what the object shows if it shows the change, otherwise with undefined. */
  readonly look: (reply: Reply) => Promise<T | undefined>;
  /** For messages: `the change of size`. */
  readonly subject: string;
}

export interface Reply {
  /** False if the answer is lost. A new object may then be hidden. */
  readonly isAccepted: boolean;
  /** Whether its operation, if it has one, was seen to end well. */
  readonly isConfirmed: boolean;
}

/**
 * Sends a request, waits for its operation, and looks at the object. Only the object says whether the change is made: an operation
 * that has ended, failed or vanished, and an answer that never came, say nothing about it. So does a refusal, because it may be the answer to
 * a second delivery. Rejects with the refusal, otherwise with an IncompleteChangeError, if the object does not show the change.
 */
export async function sendAndVerify<T>(call: ResourceCall, { send, look, subject }: VerifiedRequest<T>): Promise<T> {
  const { failure, isRefused, ...reply } = await sent(call, send);
  try {
    const { clock } = call.run;
    const endsAt = clock.now() + (failure === undefined ? SHOWN_WITHIN_MS : 0);
    const schedule = { firstPauseMs: 250, longestPauseMs: 2_000, leftMs: () => endsAt - clock.now() };
    const isShown = (answer: T | undefined): boolean => answer !== undefined;
    const shown = await pollUntil(clock, schedule, () => look(reply), isShown);
    if (shown !== undefined) return shown;
  } catch (error) {
    throw isRefused ? failure : new IncompleteChangeError(failure ?? error);
  }
  if (isRefused) throw failure;
  const { kind, urn, verb } = call;
  const reason =
    `${operationName(verb, kind, urn)}: the API accepted ${subject}, and the ${kind.noun} does not show it. ` +
    `Run again. If that does not help, look at the ${kind.noun} in the API.`;
  throw new IncompleteChangeError(failure ?? new NotMadeError(reason));
}

/** Rejects if the request was not sent, if the API knows no such object, or if a person has cancelled the wait. */
async function sent(
  call: ResourceCall,
  send: () => Promise<Mutation<unknown>>,
): Promise<Reply & { failure?: unknown; isRefused?: boolean }> {
  let mutation;
  try {
    mutation = await send();
  } catch (error) {
    const isRefused = isRefusal(error);
    const isUnsent = error instanceof RequestError && error.effect === "none" && !isRefused;
    if (!(error instanceof RequestError) || isUnsent || error instanceof NotFoundError) throw error;
    return { isAccepted: false, isConfirmed: false, failure: error, isRefused };
  }
  try {
    return { isAccepted: true, isConfirmed: await awaitOperation(call, mutation) };
  } catch (failure) {
    if (failure instanceof CancelledError) throw new IncompleteChangeError(failure);
    return { isAccepted: true, isConfirmed: false, failure };
  }
}
