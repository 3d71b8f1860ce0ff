import ms, { type StringValue } from "ms";

/** Milliseconds of a duration such as `100ms`, `1s` or `20d`, or of a bare number; undefined when it is none, or negative. */
export function durationMs(duration: string | number): number | undefined {
  const value =
    typeof duration === "number" ? duration : /^[\d.]+ *[a-z]*$/i.test(duration) ? ms(duration as StringValue) : NaN;
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
