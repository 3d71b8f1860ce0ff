import { NotFoundError } from "../../api/errors";
import { SettleTimeoutError } from "../../api/operations/lasting-status";
import type { Props } from "../kind/kind";
import { operationName } from "../kind/operation-name";
import type { ResourceCall } from "./resource-call";

/** The longest time that a new object may be invisible after its creation. */
export const VISIBLE_WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

/** Reads or changes an object. If it is new, and the API answers 404, this asks again. */
export async function onceVisible<T>({ kind, run, urn, hiddenMs }: ResourceCall, ask: () => Promise<T>): Promise<T> {
  let waitedMs = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof NotFoundError) || pauseMs > hiddenMs(waitedMs)) throw error;
      run.rows.status(urn, `waiting for the API to show the new ${kind.noun}`);
      await run.clock.sleep(pauseMs);
      waitedMs += pauseMs;
    }
  }
}

/**
 * Reads an object whose creation the API has accepted. Rejects with SettleTimeoutError if it stays hidden until the time
 * limit.
 */
export async function readAccepted(call: ResourceCall, id: string, read: () => Promise<Props>): Promise<Props> {
  const { kind, urn, verb, run } = call;
  const startedAt = run.clock.now();
  try {
    return await onceVisible(call, read);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const seconds = Math.round((run.clock.now() - startedAt) / 1000);
    throw new SettleTimeoutError(
      `${operationName(verb, kind, urn)}: the API accepted it as ${id}, and still answered 404 to it after ${seconds} s. It may show it ` +
        `later: run again.`,
      run.settings.provider,
      { cause: error },
    );
  }
}
