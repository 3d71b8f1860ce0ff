/** The number of steps from one text to another: a character more, less, or another. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 0; at < from.length; at += 1) {
    const next = [at + 1];
    for (let index = 1; index <= to.length; index += 1) {
      const isSame = from[at] === to[index - 1];
      const [above = 0, left = 0, across = 0] = [row[index], next[index - 1], row[index - 1]];
      next.push(Math.min(above + 1, left + 1, across + (isSame ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

const MOST = 3;

/** The few candidates that are most like a text, the closest first. Each has one or more spellings. */
export function closest<T>(
  text: string,
  candidates: readonly T[],
  spellingsOf: (candidate: T) => readonly string[],
): T[] {
  const wanted = text.toLowerCase();
  const distanceOf = (candidate: T): number =>
    Math.min(...spellingsOf(candidate).map((spelling) => distance(wanted, spelling.toLowerCase())));
  return candidates
    .map((candidate) => ({ candidate, steps: distanceOf(candidate) }))
    .sort((one, other) => one.steps - other.steps)
    .slice(0, MOST)
    .map(({ candidate }) => candidate);
}
