/** The median of numbers: of an even number of them the mean of the middle two. NaN if there is none. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

/** Of objects with the same members one whose members are the medians of theirs; null if one of them is not known. */
export function medians(objects) {
  const medianOf = (values) => (values.includes(null) ? null : median(values));
  return Object.fromEntries(Object.keys(objects[0]).map((name) => [name, medianOf(objects.map((one) => one[name]))]));
}
