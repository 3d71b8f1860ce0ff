/** An instant for machines: ISO 8601, UTC, to the second. */
export function isoDate(time: number): string;
export function isoDate(time: number | undefined): string | null;
export function isoDate(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

/** An instant for people, to the minute. The heading says that it is UTC. */
export function readableDate(time: number | undefined): string {
  return isoDate(time)?.replace("T", " ").slice(0, 16) ?? "-";
}
