/** The first texts and the number of the others: `a, b, c and 4 more`. */
export function listed(texts: readonly string[], most: number, separator = ", "): string {
  const others = texts.length - most;
  return texts.slice(0, most).join(separator) + (others > 0 ? ` and ${others} more` : "");
}
