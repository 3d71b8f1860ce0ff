import ms, { type StringValue } from "ms";

/** The longest latency and the longest delay of a fault: both together are less than Node's longest timer, 24.8 days. */
export const LONGEST_DELAY = "12d";
export const LONGEST_DELAY_MS = ms(LONGEST_DELAY);

/** Milliseconds of a text such as `0`, `100ms`, `1s` or `20d`, or of a number of them. Undefined if it is none, or negative. */
export function durationMs(duration: string | number): number | undefined {
  const value =
    typeof duration === "number"
      ? duration
      : /^(0|[\d.]+ *[a-z]+)$/i.test(duration)
        ? ms(duration as StringValue)
        : NaN;
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
