/** The middle of some numbers; the upper one where there are two, null where there is none. */
export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? null;
}

/** Of objects with the same members one whose members are the medians of theirs. */
export function medians(objects) {
  return Object.fromEntries(Object.keys(objects[0]).map((name) => [name, median(objects.map((one) => one[name]))]));
}
