import fc from "fast-check";

/** More decimal places than any amount in these tests. */
const PLACES = 60;

/**
 * Converts an amount, with or without commas, to a whole number of 10^-60. So these tests do not depend on the library
 * under test.
 */
export function scaled(text: string): bigint {
  const [, sign = "", integer = "", places = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.replaceAll(",", "")) ?? [];
  if (integer === "" || places.length > PLACES) throw new Error(`no decimal: ${text}`);
  return BigInt(`${sign}${integer}${places.padEnd(PLACES, "0")}`);
}

/** Formats such a number as the API would. */
export function decimalOf(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(PLACES + 1, "0");
  const places = digits.slice(-PLACES).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -PLACES)}${places === "" ? "" : `.${places}`}`;
}

const digits = (max: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: max, size: "max" }).map((list) => list.join(""));

/** Any amount of the API, sometimes negative: up to 40 digits before and after the point. */
export const anyAmount: fc.Arbitrary<string> = fc
  .record({
    isCredit: fc.nat(9).map((chance) => chance === 0),
    integer: fc.oneof(fc.constant(""), digits(3), digits(40)),
    places: fc.oneof(fc.constant(""), digits(2), digits(6), digits(40)),
  })
  .map(({ isCredit, integer, places }) =>
    `${isCredit ? "-" : ""}0${integer}${places === "" ? "" : `.${places}`}`.replace(/^(-?)0+(?=\d)/, "$1"),
  );
