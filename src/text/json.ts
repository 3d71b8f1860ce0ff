/** The value of a JSON text. Undefined if it is no JSON: the parser's own words quote the text, which may have a secret. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A report for machines, which people read too. Ends with a newline. */
export function jsonText(document: object): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
