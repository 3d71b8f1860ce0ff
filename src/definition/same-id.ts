/** No object has this id (RFC 9562, section 5.9). */
export const NO_ID = "00000000-0000-0000-0000-000000000000";

/** Equal for equal ids: the API may answer with an id in another case. */
export function idKey(id: string): string {
  return id.toLowerCase();
}

export function isSameId(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && idKey(one) === idKey(other);
}
