/**
 * How long a step still takes, in milliseconds, but not more than `atMostMs`: what was said before. A known fraction counts once it says
 * something (a tenth). Until then, the usual time of such a step does. 0 if it takes longer than expected.
 */
export function msLeft({ elapsedMs, expectedMs, fraction = 0, laterMs = 0, atMostMs = Infinity }) {
  const left = fraction >= 0.1 ? (elapsedMs * (1 - fraction)) / fraction : expectedMs - elapsedMs;
  return Math.min(Math.max(left, 0) + laterMs, atMostMs);
}

/** A duration as people say it: "8 s", "2 min 5 s". */
export function spell(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
}
