import type { Mutation } from "../../api/client";
import {
  ForbiddenError,
  isRefusal,
  isRefusedDelivery,
  NotFoundError,
  RequestError,
  UnauthorizedError,
} from "../../api/errors";
import { LATE_ANSWER_PAUSES, pollUntil } from "../../time/clock";
import { IncompleteChangeError, CancelledError, NotAppliedError } from "../errors";
import { awaitOperation, orCancelled } from "./readiness";
import { operationName } from "../kind/kind";
import type { ResourceCall } from "./resource-call";

/** How long an object may still show the old values after the API has reported a change as done. */
export const CHANGE_SHOWN_WITHIN_MS = 10_000;

/** A request that changes or deletes an object, and a check that the object shows the change. */
export interface VerifiedRequest<T> {
  readonly send: () => Promise<Mutation<unknown>>;
  /** See `WaitOptions`. */
  readonly onLastPoll?: () => void;
  /** Resolves with the object if it shows the change, otherwise with undefined. */
  readonly look: (outcome: RequestOutcome) => Promise<T | undefined>;
  /** For messages: `the change of size`. */
  readonly subject: string;
}

interface RequestOutcome {
  /** The API's 404 to the request itself, and not to its operation. */
  readonly notFound?: NotFoundError;
  /**
   * True if the API accepted the request, and its operation succeeded or there was none. Otherwise a new object may not
   * be visible yet.
   */
  readonly isConfirmed: boolean;
}

/**
 * Sends a request, waits for its operation, and looks at the object. Only the object shows whether the change was made.
 * The result of the operation proves nothing, a lost response does not either, and a refusal may be the response to a
 * second delivery. If the object does not show the change, rejects with the refusal, if there was one. Otherwise, and
 * if the object cannot be read, rejects with an IncompleteChangeError.
 */
export async function sendAndVerify<T>(call: ResourceCall, request: VerifiedRequest<T>): Promise<T> {
  const { look, subject } = request;
  const { failure, isRefused, isRefusedNow, ...outcome } = await sendAndWait(call, request);
  try {
    const shown = await pollUntilShown(
      call,
      () => look(outcome),
      (found) => found !== undefined,
      failure === undefined ? CHANGE_SHOWN_WITHIN_MS : 0,
    );
    if (shown !== undefined) return shown;
  } catch (error) {
    if (outcome.notFound && error instanceof NotFoundError) throw outcome.notFound; // no object, and no change
    // If the object cannot be read, an earlier delivery of the refused request may have had an effect. But if the API
    // refuses the key for the request and for the read, it has refused every delivery.
    const isUnseen = error instanceof RequestError && !(isKeyRefused(failure) && isKeyRefused(error));
    throw isRefused && !isUnseen ? failure : new IncompleteChangeError(failure ?? error);
  }
  if (isRefused) throw failure;
  throw new IncompleteChangeError(failure ?? notShown(call, subject), "", isRefusedNow);
}

function isKeyRefused(error: unknown): boolean {
  return error instanceof UnauthorizedError || error instanceof ForbiddenError;
}

/** Looks until it is done. Resolves with the last result if it is not done in time. */
export function pollUntilShown<T>(
  call: ResourceCall,
  look: () => Promise<T>,
  isDone: (result: T) => boolean,
  withinMs: number,
): Promise<T> {
  const { clock } = call.run;
  const schedule = { ...LATE_ANSWER_PAUSES, endsAt: clock.now() + withinMs };
  return orCancelled(call, () => pollUntil(clock, schedule, look, isDone));
}

/** `subject`: see `VerifiedRequest`. `found`: a sentence about what else the API shows. */
export function notShown({ kind, urn, verb }: ResourceCall, subject: string, found = ""): NotAppliedError {
  return new NotAppliedError(
    `${operationName(verb, kind, urn)}: the API accepted ${subject}, and the ${kind.noun} does not show it.${found} ` +
      `Run again. If that does not help, look at the ${kind.noun} in the API.`,
  );
}

/**
 * Sends the request and waits for its operation. Rejects if the request was not sent, or if a person has cancelled the
 * wait.
 */
async function sendAndWait(
  call: ResourceCall,
  { send, onLastPoll }: Pick<VerifiedRequest<unknown>, "send" | "onLastPoll">,
): Promise<RequestOutcome & { failure?: unknown; isRefused?: boolean; isRefusedNow?: boolean }> {
  let mutation;
  try {
    mutation = await send();
  } catch (error) {
    const isRefused = isRefusal(error);
    const isUnsent = error instanceof RequestError && error.effect === "none" && !isRefused;
    if (!(error instanceof RequestError) || isUnsent) throw error;
    return {
      isConfirmed: false,
      failure: error,
      isRefused,
      isRefusedNow: isRefusedDelivery(error),
      ...(error instanceof NotFoundError && { notFound: error }),
    };
  }
  try {
    return { isConfirmed: await awaitOperation(call, mutation, onLastPoll) };
  } catch (failure) {
    if (failure instanceof CancelledError) throw new IncompleteChangeError(failure);
    return { isConfirmed: false, failure };
  }
}
