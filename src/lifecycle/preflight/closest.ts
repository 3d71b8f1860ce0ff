import { editDistance } from "../../edit-distance";

const MOST = 3;

/** The few candidates that are most like a text, the closest first. Each has one or more spellings. */
export function closest<T>(
  text: string,
  candidates: readonly T[],
  spellingsOf: (candidate: T) => readonly string[],
): T[] {
  const wanted = text.toLowerCase();
  const distanceOf = (candidate: T): number =>
    Math.min(...spellingsOf(candidate).map((spelling) => editDistance(wanted, spelling.toLowerCase())));
  return candidates
    .map((candidate) => ({ candidate, steps: distanceOf(candidate) }))
    .sort((one, other) => one.steps - other.steps)
    .slice(0, MOST)
    .map(({ candidate }) => candidate);
}
