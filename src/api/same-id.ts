import { isUuid } from "../text/shown-text";
import { NotFoundError } from "./errors/api-error";

/** No object has this id (RFC 9562, section 5.9). */
export const NO_ID = "00000000-0000-0000-0000-000000000000";

/** Equal for equal ids: the API may answer with an id in another case. */
export function idKey(id: string): string {
  return id.toLowerCase();
}

export function isSameId(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && idKey(one) === idKey(other);
}

/**
 * Reads an object by its id. If a UUID in upper case is not found, it asks again in lower case, the usual form: a 404 to one spelling
 * does not mean that the object does not exist.
 */
export async function inEitherCase<T>(id: string, ask: (id: string) => Promise<T>): Promise<T> {
  try {
    return await ask(id);
  } catch (error) {
    if (!(error instanceof NotFoundError) || id === idKey(id) || !isUuid(id)) throw error;
    return ask(idKey(id));
  }
}
