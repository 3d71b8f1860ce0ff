import { idKey } from "../definition/same-id";
import { LATE_ANSWER_PAUSES, type Clock } from "../time/clock";
import { isUuid } from "../text/redaction";
import { NotFoundError } from "./errors";

/** The response, or undefined if the API says that there is no such object. */
export async function undefinedIfNotFound<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** Asks once more if the API says that there is no such object, because a replica may say so for a moment. */
export async function retryNotFound<T>(clock: Clock, ask: () => Promise<T>): Promise<T> {
  const found = await undefinedIfNotFound(ask);
  if (found !== undefined) return found;
  await clock.sleep(LATE_ANSWER_PAUSES.firstPauseMs);
  return ask();
}

/**
 * Reads an object by its id. If a UUID in upper case is not found, it asks again in lower case, the usual form: a 404
 * to one spelling does not mean that the object does not exist.
 */
export async function inEitherCase<T>(id: string, ask: (id: string) => Promise<T>): Promise<T> {
  try {
    return await ask(id);
  } catch (error) {
    if (!(error instanceof NotFoundError) || id === idKey(id) || !isUuid(id)) throw error;
    return ask(idKey(id));
  }
}
