const keptCharacters = 256;

/**
 * A text of a request, for what outlives the request: the beginning of it, in memory of its own. A part of a string holds
 * on to the whole, here the query and whatever else was sent.
 */
export function keptText(text: string): string {
  return Buffer.from(text.slice(0, keptCharacters)).toString();
}
