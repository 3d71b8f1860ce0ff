/**
 * How long a step still takes, in milliseconds. A known fraction counts once it says something (a tenth);
 * until then what such a step usually takes does. A step that is over its time has a tenth of it to go.
 */
export function msLeft({ elapsedMs, expectedMs, fraction = 0, laterMs = 0 }) {
  const left =
    fraction >= 0.1 ? (elapsedMs * (1 - fraction)) / fraction : Math.max(expectedMs - elapsedMs, elapsedMs * 0.1);
  return Math.max(left, 1000) + laterMs;
}

/** A duration as people say it: "8 s", "2 min 5 s". */
export function spell(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
}
