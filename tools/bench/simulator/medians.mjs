import { median } from "../median.mjs";

/** Of objects with the same members one whose members are the medians of theirs; null where one of them is not known. */
export function medians(objects) {
  const medianOf = (values) => (values.includes(null) ? null : median(values));
  return Object.fromEntries(Object.keys(objects[0]).map((name) => [name, medianOf(objects.map((one) => one[name]))]));
}
