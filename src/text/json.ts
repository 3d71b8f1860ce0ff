/**
 * Parses a JSON text. Undefined if it is not JSON. It does not throw the parser's error, which quotes the text and may
 * show a secret.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A document as indented JSON, with a newline at the end. */
export function jsonText(document: object): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
