import { NotFoundError } from "./errors/api-error";

/** Equal for ids that are one: the service may give an id in another case than before. */
export function idKey(id: string): string {
  return id.toLowerCase();
}

/** Whether two ids are of one object. */
export function isSameId(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && idKey(one) === idKey(other);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Asks for what has an id, as the service has given it. A UUID in upper case that is not found is asked for in lower case, which
 * is its usual form: a 404 to one spelling does not mean that the object is gone.
 */
export async function inEitherCase<T>(id: string, ask: (id: string) => Promise<T>): Promise<T> {
  try {
    return await ask(id);
  } catch (error) {
    if (!(error instanceof NotFoundError) || id === idKey(id) || !UUID.test(id)) throw error;
    return ask(idKey(id));
  }
}
