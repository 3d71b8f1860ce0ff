const keptCharacters = 256;

/**
 * The beginning of a request's text, in its own memory, because it outlives the request. A part of a string would keep the
 * whole string.
 */
export function keptText(text: string): string {
  return Buffer.from(text.slice(0, keptCharacters)).toString();
}
