/** The fewest letters to add, remove or change that make one word of the other (Levenshtein's distance). */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, nth) => nth);
  for (const [line, letter] of one.split("").entries()) {
    const next = [line + 1];
    for (const [column, each] of other.split("").entries()) {
      const [left = 0, above = 0, both = 0] = [next[column], row[column + 1], row[column]];
      next.push(Math.min(left + 1, above + 1, both + (each === letter ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
