const MOST = 3;
/** The most letters of a name that may be wrong. */
const TYPOS = 2;

/** The candidates that are closest to a text, the closest first. Each has one or more spellings. */
export function closest<T>(
  text: string,
  candidates: readonly T[],
  spellingsOf: (candidate: T) => readonly string[],
): T[] {
  return ranked(text.toLowerCase(), candidates, (candidate) => spellingsOf(candidate).map((each) => each.toLowerCase()))
    .slice(0, MOST)
    .map(({ candidate }) => candidate);
}

/** `The closest are a, b`. Undefined if there are none. */
export function closestText(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `The closest ${names.length === 1 ? "is" : "are"} ${names.join(", ")}`;
}

/**
 * The name that a misspelled one probably means. Undefined if none is close. People write `apikey`, `api_key`,
 * `api-key`, `ApiKey`, `baseURL`.
 */
export function nameMeant<Name extends string>(wrong: string, names: readonly Name[]): Name | undefined {
  const [nearest] = ranked(lettersOf(wrong), names, (name) => [lettersOf(name)]);
  if (nearest === undefined) return undefined;
  // Short names are close to others by chance. The first letter is rarely wrong.
  const { length } = lettersOf(wrong);
  const isShort = length < 4 && lettersOf(wrong)[0] !== lettersOf(nearest.candidate)[0];
  return nearest.steps <= (isShort ? 1 : Math.min(TYPOS, length - 1)) ? nearest.candidate : undefined;
}

/** True if two names differ only in case and separators. */
export function hasSameLetters(one: string, other: string): boolean {
  return lettersOf(one) === lettersOf(other);
}

function lettersOf(name: string): string {
  return name.replace(/[^a-z0-9]/gi, "").toLowerCase();
}

function ranked<T>(
  text: string,
  candidates: readonly T[],
  spellingsOf: (candidate: T) => readonly string[],
): { readonly candidate: T; readonly steps: number }[] {
  return candidates
    .map((candidate) => ({
      candidate,
      steps: Math.min(...spellingsOf(candidate).map((spelling) => editDistance(text, spelling))),
    }))
    .sort((one, other) => one.steps - other.steps);
}

/** The fewest letters to add, remove or change that make one word of the other (Levenshtein's distance). */
function editDistance(one: string, other: string): number {
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
