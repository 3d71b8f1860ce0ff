import ms, { type StringValue } from "ms";

const GO_UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};
const GO_PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/** A number with a unit, such as `30s` or `90d`, in milliseconds. Undefined for any other text. */
export function durationMs(text: string): number | undefined {
  return /^\d+(\.\d+)?\s*[a-z]+$/i.test(text) ? ms(text as StringValue) : undefined;
}

/** A duration as Go and Pulumi's options write it, such as `1h30m`, in milliseconds. Undefined for any other value. */
export function goDurationMs(text: unknown): number | undefined {
  if (text === "0") return 0;
  if (typeof text !== "string" || text === "" || text.replace(GO_PART, "") !== "") return undefined;
  return [...text.matchAll(GO_PART)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (GO_UNITS[unit ?? ""] ?? 0),
    0,
  );
}
